import treebound


def test_version_is_that_of_the_distribution():
    assert treebound.__version__.count(".") == 2

import importlib
import subprocess
import sys

import pytest

import treebound

USER = """
import treebound

data = treebound.load("table.csv")
result = treebound.learn(data, 3)
network = treebound.fit(result, data)
answer = network.posterior("a", {"b": "yes"})
"""

# Each line is a mistake that a type checker must see.
MISTAKES = {
    "treebound.study(data)": 'has no attribute "study"',
    "treebound.learn(data, max_treewith=3)": "Unexpected keyword argument",
    'treebound.Budget(seconds="long")': "incompatible type",
    "result.graph": 'has no attribute "graph"',
    "network.posterior(1.5)": "incompatible type",
    "treebound.random_network(100).sample('ten')": "incompatible type",
}


def test_dir_lists_public_names_and_no_helpers():
    listed = {name for name in dir(treebound) if not name.startswith("_")}
    assert set(treebound.__all__) <= listed
    assert listed.isdisjoint({"Any", "annotations", "lazy_loader", "logging"})


def test_version_is_that_of_the_distribution():
    assert treebound.__version__.count(".") == 2


@pytest.mark.parametrize("name", treebound.__all__)
def test_every_public_name_is_there(name):
    assert getattr(treebound, name) is not None


def test_an_unknown_name_is_rejected():
    with pytest.raises(AttributeError, match="attribute study"):
        treebound.study  # noqa: B018


def test_a_type_checker_sees_the_mistakes_of_a_user(tmp_path):
    """Lazy names must not be Any to mypy: every mistake is reported, and nothing else."""
    script = tmp_path / "user.py"
    script.write_text(USER + "\n".join(MISTAKES) + "\n")
    first = USER.count("\n") + 1
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), script.name]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told_of_user = [line for line in told.stdout.splitlines() if line.startswith("user.py:")]
    errors = {int(line.split(":")[1]) - first: line for line in told_of_user if ": error: " in line}
    assert sorted(errors) == list(range(len(MISTAKES))), told.stdout + told.stderr
    for line, words in enumerate(MISTAKES.values()):
        assert words in errors[line]


def test_search_is_a_function_and_not_a_package():
    assert callable(treebound.search)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("treebound.search")


def test_the_front_door_is_small():
    assert len(treebound.__all__) <= 50


def test_import_loads_no_numpy_and_no_subpackage():
    code = (
        "import sys, treebound; assert not {'numpy', 'treebound._core', 'treebound.data'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("part", ["solvers", "formats", "plot", "experiments", "resampling", "structure"])
def test_a_subpackage_loads_on_first_use(part):
    code = (
        f"import sys, treebound; assert 'treebound.{part}' not in sys.modules;"
        f"assert treebound.{part} is sys.modules['treebound.{part}']; assert '{part}' in dir(treebound)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""The kernels that count bits, alone."""

import pytest

from treebound import _core_testing


@pytest.mark.core
@pytest.mark.parametrize("num_words", [8, 24, 32, 40, 240, 248])
@pytest.mark.parametrize("num_planes", [1, 3])
def test_full_planes_count_all_their_bits(num_words: int, num_planes: int) -> None:
    assert _core_testing.count_repeatedly(num_words, num_planes, repeats=2) == 2 * num_planes * num_words * 64

"""The lines that ran are counted, and those of headers once."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from core_coverage import lines_of, shares

MAIN = """#include "half.hpp"
int main() {
    return half(4) - 2;
}
"""
HALF = """inline int half(int x) {
    if (x < 0)
        return -1;
    return x / 2;
}
"""


@pytest.mark.skipif(
    not (shutil.which("g++") and shutil.which("gcov")), reason="there is no GCC with gcov on this machine"
)
def test_a_branch_that_is_not_taken_is_counted_as_such(tmp_path):
    (tmp_path / "main.cpp").write_text(MAIN)
    (tmp_path / "half.hpp").write_text(HALF)
    subprocess.run(["g++", "--coverage", "-O0", "main.cpp", "-o", "main"], cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)
    counted = lines_of(tmp_path, tmp_path)
    assert {line: counted["half.hpp"][line] for line in (1, 2, 3, 4)} == {1: 1, 2: 1, 3: 0, 4: 1}
    total = shares(counted)[-1]
    assert total[0] == "all"
    assert total[1] == total[2] - 1


def test_folders_come_before_all_of_them():
    counted = {"core/data/a.cpp": {1: 2, 2: 0}, "core/data/b.cpp": {7: 1}, "bindings/c.cpp": {1: 0}}
    assert shares(counted) == [("bindings", 0, 1), ("core/data", 2, 3), ("all", 2, 4)]

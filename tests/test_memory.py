"""Memory is estimated before it is taken, and what does not fit is refused with the figure."""

from __future__ import annotations

import re
import resource
import subprocess
import sys

import numpy as np
import pytest
import typer

from strategies_scoring import make_dataset
from treebound import (
    Budget,
    Exhaustive,
    Independence,
    Local,
    NotEnoughMemory,
    _memory,
    estimate_memory,
    learn,
    load,
    score,
)
from treebound.cli._memory_options import megabytes
from treebound.scoring import estimate_scoring, fitted, held_by
from treebound.solvers import KMax

GB = 2**30


def table(num_variables=30, num_rows=200):
    return make_dataset(
        np.random.default_rng(0).integers(0, 2, (num_variables, num_rows)), [2] * num_variables
    )


@pytest.fixture
def free(monkeypatch):
    """Sets what is free."""

    def set_free(count):
        monkeypatch.setattr(_memory, "free_memory", lambda: count)

    return set_free


def test_free_memory_is_at_most_that_of_the_machine():
    assert 0 < _memory.free_memory() <= 2 * _memory.half_of_memory() + 1


def test_the_innermost_group_with_a_limit_counts(tmp_path, monkeypatch):
    group = tmp_path / "cgroup" / "outer" / "inner"
    group.mkdir(parents=True)
    (tmp_path / "self").write_text("0::/outer/inner\n")
    monkeypatch.setattr(_memory, "_CGROUP", tmp_path / "self")
    monkeypatch.setattr(_memory, "_CGROUPS", tmp_path / "cgroup")
    (group / "memory.max").write_text("max\n")
    assert list(_memory._cgroup_limits()) == []
    (group.parent / "memory.max").write_text("50000\n")
    (group.parent / "memory.current").write_text("30000\n")
    assert list(_memory._cgroup_limits()) == [20_000]
    (group.parent / "memory.stat").write_text("anon 1\ninactive_file 7000\n")
    assert _memory.free_memory() == 27_000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits a child by its address space")
def test_the_limit_of_the_process_counts():
    code = (
        "import resource; from treebound._memory import free_memory;"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize();"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 10**8,) * 2); print(free_memory())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 0.9e8 < int(told) <= 1e8
    assert resource.getrlimit(resource.RLIMIT_AS) is not None


def test_a_table_that_does_not_fit_is_not_read(free):
    columns = {f"v{i}": [0, 1] * 50 for i in range(30)}
    free(30 * 100)
    assert load(columns).num_variables == 30
    free(30 * 100 - 1)
    with pytest.raises(NotEnoughMemory, match=r"30 columns and 100 rows .* 99 of the rows .* 29 of the"):
        load(columns)


@pytest.mark.parametrize("work", [lambda data: score(data), lambda data: learn(data, 5, solver=KMax())])
def test_what_does_not_fit_is_refused_with_what_would(free, work):
    data = table()
    free(300 * 2**20)
    with pytest.raises(NotEnoughMemory, match=r"30 columns and 200 rows .* [\d,]+ MB .*memory_mb=\d+"):
        work(data)


def test_the_cap_that_the_refusal_names_is_enough(free):
    data = table()
    free(300 * 2**20)
    with pytest.raises(NotEnoughMemory) as refusal:
        learn(data, 5, solver=KMax())
    named = int(str(refusal.value).split("memory_mb=")[1].split()[0])
    assert learn(data, 5, solver=KMax(), budget=Budget(seconds=1), where=Local(memory_mb=named)).verdict


def test_fewer_columns_or_rows_are_named_where_scoring_cannot_remember_less(free):
    data = table(4, 100_000)
    free(0)
    with pytest.raises(NotEnoughMemory, match=r": [\d,]+ of the rows or \d of the columns would fit\."):
        score(data, parent_sets=Exhaustive(1))
    with pytest.raises(NotEnoughMemory, match="allowed: no part of it would fit"):
        score(data, parent_sets=Exhaustive(1), where=Local(memory_mb=100))


def test_a_cap_makes_scoring_remember_less():
    data = table()
    method = fitted(Independence(4), data, 400)
    assert method.max_parents == 4
    assert method.memory_mb < 200
    assert estimate_scoring(data, method, None, 2).peak <= 400 * 2**20
    assert fitted(Independence(4, memory_mb=7), data, 4000).memory_mb == 7
    with pytest.raises(NotEnoughMemory, match="allowed"):
        score(data, where=Local(memory_mb=10))


def test_the_estimate_grows_with_the_table_and_is_bounded_by_the_budget():
    small, large = table(), table(60, 4000)
    assert estimate_memory(small, 2).peak < estimate_memory(large, 2).peak
    estimates = [estimate_memory(large, 2, budget=Budget(seconds=s)).peak for s in (0.1, 1, 10, 1000, 10_000)]
    assert estimates == sorted(estimates)
    assert estimates[-1] < 6 * GB
    assert estimate_scoring(large, Exhaustive(0), None, 1).scoring == 0
    assert estimate_scoring(large, Exhaustive(1), None, 1).scoring == 8 * 60 * 59 // 2


def test_what_a_dataset_holds_is_known():
    data = table(30, 1000)
    assert held_by(data) == 30_000
    data.in_core  # noqa: B018
    assert held_by(data) == 30_000 + 30 * 1024 // 8


def test_the_limit_is_checked():
    with pytest.raises(ValueError, match="memory_mb"):
        score(table(), where=Local(memory_mb=0))


@pytest.mark.parametrize(
    ("text", "expected"), [("200", 200), ("200MB", 200), ("200 mb", 200), ("1.5GB", 1536), ("2GiB", 2048)]
)
def test_sizes_have_units(text, expected):
    assert megabytes(text) == expected


@pytest.mark.parametrize("text", ["0", "0.2MB", "200XB", "MB", "-1", "1e3", "nan"])
def test_other_sizes_are_refused(text):
    with pytest.raises(typer.BadParameter, match=f"such as 200MB or 4GB, got '{text}'"):
        megabytes(text)


def test_the_command_tells_the_estimate_first_and_refuses_with_the_figure(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a,b\n" + "0,0\n1,1\n1,0\n" * 9)
    words = ("learn", "t.csv", "-k", 1, "--steps", 2, "-o", "n.json")
    code, _, told = run(*words, "--memory", "10MB")
    note, refusal = told.splitlines()
    assert code == 1
    assert re.fullmatch(r"note: needs up to [\d,]+ MB of memory; 10 MB are allowed\.", note)
    assert re.search(r"needs about [\d,]+ MB of memory, 10 MB are allowed", refusal)
    assert not (tmp_path / "n.json").exists()
    code, _, told = run(*words, "--memory", "4GB")
    assert (code, told.splitlines()[0].endswith("4,096 MB are allowed.")) == (0, True)
    assert "MB" not in run(*words)[2]  # little of what is free
    monkeypatch.setattr("treebound.cli._memory_options.free_memory", lambda: 2 << 30)
    assert "note: needs up to" in run(*words)[2]

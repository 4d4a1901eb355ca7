"""Little memory and few threads: a run ends, and says why in one sentence."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from attack import limits
from treebound import _memory
from treebound._phases import peak_memory_mb

# Not marked as core: sanitizers reserve more address space than the limits allow.
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="limits a child by its address space"
)

# Everything is made first; then the child may take so many megabytes more, of which a thread's stack is 8.
CHILD = """
import resource, sys, tempfile
sys.path.insert(0, {tests!r})
from strategies_search import random_cache
from treebound import Budget, Local, Structure, score
from treebound.solvers import KAStar, KGreedy, Regrow
from treebound.solvers import StopReason, search
import numpy as np
from treebound import load

threads, megabytes = {threads}, {megabytes}
rows = np.random.default_rng(0).integers(0, 3, (2000, 40))
table = load({{f"x{{v}}": column.tolist() for v, column in enumerate(rows.T)}})
cache = random_cache(60, 60)
wide = random_cache(400, 100)
search(cache, 2, budget=Budget(steps=1), threads=1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20,) * 2)

def attempt(name, work):
    try:
        print(name, work())
    except MemoryError as error:
        print(name, "MemoryError", error)

attempt("score", lambda: score(table, budget=Budget(steps=5000), where=Local(threads=threads)).report.stopped)
attempt("search", lambda: search(cache, 2, budget=Budget(steps=20), threads=threads).stopped)
attempt("wide", lambda: search(wide, 3, solver=Regrow(512), budget=Budget(steps=2), threads=threads).stopped)
"""
SENTENCE = "MemoryError There is not enough memory for "


def run_limited(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("threads", [3, 16, 300])
@pytest.mark.parametrize("megabytes", [6, 25, 60, 200, 4000])
def test_a_run_ends_whatever_the_memory(request, threads, megabytes):
    tests = str(request.path.parent)
    outcomes = run_limited(CHILD.format(tests=tests, threads=threads, megabytes=megabytes))
    assert outcomes.keys() == {"score", "search", "wide"}
    for outcome in outcomes.values():
        assert outcome in ("steps", "finished", "memory") or outcome.startswith(SENTENCE)
    if megabytes == 4000:  # in between, who gets how much is up to chance
        assert outcomes["search"] == "steps"


ENDLESS = """
import resource, sys
sys.path.insert(0, {tests!r})
from strategies_search import random_cache
from treebound import Budget
from treebound.solvers import KAStar, KGreedy
from treebound.solvers import search

cache = random_cache(60, 60)
start = search(cache, 4, solver=KGreedy(), budget=Budget(steps=10), threads=1).structure
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 150 * 2**20,) * 2)
greedy = KAStar(max_nodes=None, printed=True, memory_mb=2**20)
found = search(cache, 4, solver=greedy, budget=Budget(steps=100), threads=3, start=start)
print("stopped", found.stopped)
print("kept", found.score >= start.score)
"""


def test_want_of_memory_keeps_the_best_so_far(request):
    outcomes = run_limited(ENDLESS.format(tests=str(request.path.parent)))
    assert outcomes["stopped"] == "memory"
    assert outcomes["kept"] == "True"


def test_the_peak_of_a_process_is_its_own():
    held = np.ones(40_000_000)
    ours = peak_memory_mb()
    del held
    assert ours > 300
    code = "from treebound._phases import peak_memory_mb; print(peak_memory_mb())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 1 < float(told) < 250


def test_a_container_limits_what_tables_may_take(tmp_path, monkeypatch):
    limit = tmp_path / "memory.max"
    (tmp_path / "self").write_text("0::/\n")
    monkeypatch.setattr(_memory, "_CGROUP", tmp_path / "self")
    monkeypatch.setattr(_memory, "_CGROUPS", tmp_path)
    whole = _memory.whole_memory()
    limit.write_text("max\n")
    assert _memory.whole_memory() == whole
    limit.write_text(f"{whole // 4}\n")
    assert _memory.half_of_memory() == whole // 4 // 2


@pytest.mark.parametrize("memory_mb", [1, 4, 7, 9])
def test_the_command_says_that_memory_is_short_where_none_is_left(memory_mb):
    limits.check(limits.Case("fit", memory_mb, 0))

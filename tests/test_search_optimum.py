"""The optimum that the benchmarks hold solvers against is the optimum."""

from __future__ import annotations

import pathlib
import runpy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from strategies_search import searchable_sets

pytest.importorskip("scipy")
milp = runpy.run_path(str(pathlib.Path(__file__).parents[1] / "benchmarks" / "_milp.py"))


@settings(max_examples=60, deadline=None)
@given(sets=searchable_sets(max_variables=5, max_sets=4), k=st.integers(0, 4))
def test_the_integer_program_finds_what_brute_force_finds(sets, k):
    score, parents = milp["best_network"](sets, k)
    assert score == pytest.approx(reference.best_score(sets, k), abs=1e-9)
    assert reference.is_acyclic(parents)
    assert reference.treewidth(parents) <= k

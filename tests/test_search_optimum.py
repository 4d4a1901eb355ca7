"""The optimum that the benchmarks hold solvers against is the optimum."""

from __future__ import annotations

import pathlib
import random
import runpy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import search as reference
from strategies_search import searchable_sets

pytest.importorskip("scipy")
milp = runpy.run_path(str(pathlib.Path(__file__).parents[1] / "benchmarks" / "_milp.py"))


def assert_optimal(sets, k):
    score, parents = milp["best_network"](sets, k)
    assert score == pytest.approx(reference.best_score(sets, k), abs=1e-9)
    assert reference.is_acyclic(parents)
    assert reference.treewidth(parents) <= k


@settings(max_examples=30)
@given(sets=searchable_sets(max_variables=5, max_sets=4), k=st.integers(0, 4))
def test_the_integer_program_finds_what_brute_force_finds(sets, k):
    assert_optimal(sets, k)


# Sparse caches seldom ask for more than fits; here no parents cost so much that cycles and bound both bind.
@pytest.mark.parametrize(("k", "fewest"), [(1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("seed", range(20))
def test_the_integer_program_is_right_where_the_constraints_bind(k, fewest, seed):
    source = random.Random(seed)
    assert_optimal([crowded_sets(source, v, k, fewest) for v in range(5)], k)


def crowded_sets(source, v, k, fewest):
    """Good sets of ``fewest`` to ``k`` of five variables, and a very bad empty one."""
    others = [u for u in range(5) if u != v]
    found = {tuple(sorted(source.sample(others, source.randint(fewest, k)))) for _ in range(4)}
    return sorted(
        [(source.uniform(-9, 0), parents) for parents in sorted(found)] + [(-20.0, ())], reverse=True
    )

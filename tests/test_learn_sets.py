"""Which parent sets are scored before a search where none are given."""

from __future__ import annotations

import numpy as np
import pytest

from strategies_scoring import make_dataset
from treebound import Budget, Exhaustive, Independence, learn
from treebound.learning._default_sets import default_sets
from treebound.solvers import SOLVERS

STEPS = Budget(steps=50)


def sets_of(solver, variables, rows, width=5, budget=STEPS):
    return default_sets(SOLVERS[solver], variables, rows, width, budget, for_all_solvers=False)


@pytest.mark.core
@pytest.mark.parametrize("seed", range(4))
def test_parents_that_matter_only_together_are_found_in_a_few_steps(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (24, 600))
    codes[3] = (codes[7] + codes[11] + codes[19] + (rng.random(600) < 0.05)) % 2
    found = learn(make_dataset(codes, (2,) * 24), 4, budget=Budget(steps=6), seed=seed).structure
    together = {3, 7, 11, 19}
    assert any({v, *found.parent_indices[v]} == together for v in together)


@pytest.mark.parametrize(
    ("variables", "rows", "expected"), [(20, 1000, 5), (42, 4096, 3), (43, 4096, 2), (99, 4096, 2)]
)
def test_tables_of_few_columns_get_all_sets_of_several_parents(variables, rows, expected):
    assert sets_of("regrow", variables, rows) == Exhaustive(max_parents=expected)


@pytest.mark.parametrize(("variables", "rows", "seconds"), [(100, 15_000, 8), (10_000, 5_000, 360)])
def test_large_tables_get_single_parents(variables, rows, seconds):
    for budget in (Budget(seconds=seconds), STEPS):
        assert sets_of("regrow", variables, rows, budget=budget) == Independence(max_parents=1)


def test_no_set_is_larger_than_the_limit_allows():
    assert sets_of("regrow", 14, 500, width=2) == Exhaustive(max_parents=2)
    assert sets_of("regrow", 14, 500, width=5) == Exhaustive(max_parents=5)
    assert sets_of("regrow", 3, 500, width=5) == Exhaustive(max_parents=2)
    assert sets_of("kmax", 60, 500, width=2) == Exhaustive(max_parents=2)
    assert sets_of("hc-et", 60, 500) == Exhaustive(max_parents=0)


def test_few_seconds_buy_smaller_sets():
    found = [
        sets_of("regrow", 30, 50_000, budget=Budget(seconds=seconds)).max_parents for seconds in (1, 10, 100)
    ]
    assert found == sorted(found)
    assert found[0] < found[-1]

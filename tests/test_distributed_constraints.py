"""Constraints on a cluster: obeyed by scoring and search, by columns and by rows, or rejected before work."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters import assert_same_cache, chained, cluster_of, in_parts
from reference import constraints as twin
from strategies_constraints import names_of, random_constraints
from treebound import Budget, Constraints, Exhaustive, check, learn, score
from treebound.constraints import ContradictionError
from treebound.distributed import Cluster
from treebound.solvers import SOLVERS

NUM_VARIABLES = 5
TABLE = pd.DataFrame({f"x{v}": codes for v, codes in enumerate(chained(NUM_VARIABLES, 200, 2, seed=4))})
KNOWN = Constraints(
    required=["x4 -> x0"], forbidden=["x0 -> x1"], tiers=[["x4", "x3"], ["x[0-2]"]], max_parents={"x2": 1}
)
STEPS = Budget(steps=20)


@pytest.fixture(scope="module")
def two():
    with cluster_of(2) as client:
        yield client


def source_of(is_in_parts):
    return in_parts(TABLE, [60, 130]) if is_in_parts else TABLE


@pytest.mark.parametrize("is_in_parts", [False, True], ids=["columns", "rows"])
@pytest.mark.parametrize("solver", ["regrow", "kg", "order", "chow-liu", "exact-dp"])
def test_learning_obeys(two, is_in_parts, solver):
    known = Constraints(required=["x4 -> x0"], forbidden=["x0 -> x1"]) if solver == "chow-liu" else KNOWN
    k = 2 if SOLVERS[solver].is_bounded else None
    result = learn(
        source_of(is_in_parts), k, solver=solver, where=Cluster(two), constraints=known, budget=STEPS
    )
    assert "x4" in result.structure.parents["x0"]
    assert result.structure.constraints == known
    assert result.verdict
    assert "constraints obeyed" in str(result.verdict)
    assert check(result.structure, constraints=known)
    assert check(result.network, constraints=known)


@pytest.mark.parametrize("is_in_parts", [False, True], ids=["columns", "rows"])
def test_a_limit_on_cells_is_kept(two, is_in_parts):
    limit = Constraints(max_cells=4)
    result = learn(source_of(is_in_parts), where=Cluster(two), constraints=KNOWN | limit, budget=STEPS)
    assert (result.structure.max_cells, result.structure.constraints) == (4, KNOWN)
    assert result.structure.guarantee.largest_cells == 4
    assert "at most 4 joint states per bag, constraints obeyed" in str(result.verdict)
    with pytest.raises(ValueError, match="max_cells needs another solver"):
        learn(source_of(is_in_parts), where=Cluster(two), solver="kg", constraints=limit, budget=STEPS)


@pytest.mark.parametrize("is_in_parts", [False, True], ids=["columns", "rows"])
def test_scores_are_those_of_one_machine(two, is_in_parts):
    options = {"parent_sets": Exhaustive(3), "constraints": KNOWN, "budget": None}
    here, there = score(TABLE, **options), score(source_of(is_in_parts), where=Cluster(two), **options)
    assert there.cache.constraints == KNOWN
    assert_same_cache(here.cache, there.cache)


@pytest.mark.parametrize("is_in_parts", [False, True], ids=["columns", "rows"])
def test_contradictions_are_rejected(two, is_in_parts):
    wrong = KNOWN | Constraints(forbidden=["x4 -> x0"])
    with pytest.raises(ContradictionError, match="'x4' -> 'x0'"):
        learn(source_of(is_in_parts), 2, where=Cluster(two), constraints=wrong, budget=STEPS)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), is_in_parts=st.booleans(), k=st.integers(1, 3))
def test_random_constraints_are_obeyed_or_rejected(two, seed, is_in_parts, k):
    names = names_of(NUM_VARIABLES)
    knowledge = random_constraints(random.Random(seed), NUM_VARIABLES)
    options = {"where": Cluster(two), "constraints": Constraints.from_dict(knowledge), "budget": STEPS}
    if not twin.is_possible(knowledge, names, k):
        with pytest.raises(ContradictionError):
            learn(source_of(is_in_parts), k, **options)
        return
    found = learn(source_of(is_in_parts), k, **options).structure
    assert twin.obeys(knowledge, names, [list(parents) for parents in found.parent_indices])

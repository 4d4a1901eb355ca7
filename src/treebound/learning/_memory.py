"""How much memory learning will take, estimated once, before anything is scored."""

from __future__ import annotations

from dataclasses import replace

from treebound._budget import Budget
from treebound.data import Dataset
from treebound.learning._schedule import scoring_budget
from treebound.scoring import (
    Exhaustive,
    MemoryEstimate,
    ParentSetCache,
    ParentSetSearch,
    estimate_scoring,
    with_search,
)
from treebound.solvers import Solver, Takes, entry_of


def estimate_memory(
    data: Dataset,
    parent_sets: ParentSetSearch | ParentSetCache,
    solver: Solver,
    budget: Budget,
    threads: int,
) -> MemoryEstimate:
    """Return what ``learn`` takes at its peak, by what takes it; a cache needs no scoring."""
    sets = Exhaustive(max_parents=0) if isinstance(parent_sets, ParentSetCache) else parent_sets
    limit = scoring_budget(budget, data.num_variables)
    estimate = estimate_scoring(data, sets, limit, threads)
    if isinstance(parent_sets, ParentSetCache):
        estimate = replace(estimate, scoring=0, num_sets=parent_sets.num_sets)
    return with_search(estimate, budget, threads, reads_rows=Takes.ROWS in entry_of(solver).takes)

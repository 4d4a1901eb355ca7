"""The best DAG inside a given tree decomposition by integer programming, as the paper does with GOBNILP."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from treebound import _core
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._problem import bare_problem
from treebound.solvers._scip import require_scip
from treebound.solvers._stopping import stopped_with

_ANY_SEED = 0


@dataclass(frozen=True)
class FamiliesWithin:
    """The parents and the local score of each variable, and what no DAG inside the bags scores above."""

    parents: tuple[tuple[int, ...], ...]
    local_scores: tuple[float, ...]
    upper_bound: float


def best_families_within(
    cache: ParentSetCache, bags: Iterable[Iterable[int]], run: _core.Run
) -> FamiliesWithin:
    """Choose the families of the best DAG of which each family lies in a bag; proved unless the run stops.

    The run is only polled: its steps are the caller's.
    """
    require_scip("Integer programming inside a k-tree")
    from treebound.solvers._family_program import Chosen, FamilyProgram

    problem = problem_within(cache, bags)
    last = problem.first_entries[1:] - 1
    best = [last.astype(np.uint32)]  # no parents at all
    inner = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    with stopped_with(run, inner.request_stop):
        program = FamilyProgram(problem, inner, _ANY_SEED)
        program.exclude_small_cycles()
        program.round_solutions()

        def keep(chosen: Chosen, _: object) -> None:
            best.append(chosen)

        bound = program.solve(float(program.scores[last].sum()), keep)
    return FamiliesWithin(
        tuple(tuple(problem.parents(entry)) for entry in best[-1].tolist()),
        tuple(program.scores[best[-1]].tolist()),
        bound,
    )


def problem_within(cache: ParentSetCache, bags: Iterable[Iterable[int]]) -> _core.SearchProblem:
    """Return the problem with only those parent sets that lie in a bag together with their variable."""
    places: list[set[int]] = [set() for _ in cache.names]
    for number, bag in enumerate(bags):
        for v in bag:
            places[v].add(number)
    owners = np.repeat(np.arange(cache.num_variables), np.diff(cache.set_offsets)).tolist()
    starts, parents = cache.parent_offsets.tolist(), cache.parents.tolist()
    is_kept = np.array(
        [
            a == b or bool(places[v].intersection(*(places[u] for u in parents[a:b])))
            for v, a, b in zip(owners, starts[:-1], starts[1:], strict=True)
        ],
        dtype=np.bool_,
    )
    offsets = np.concatenate(([0], np.cumsum(is_kept)))[cache.set_offsets]
    sizes = cache.sizes
    return bare_problem(
        offsets,
        cache.scores[is_kept],
        np.concatenate(([0], np.cumsum(sizes[is_kept]))),
        cache.parents[np.repeat(is_kept, sizes)],
        cache.num_variables - 1,
    )

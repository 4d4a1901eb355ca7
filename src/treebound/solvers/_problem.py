"""The search problem, as the core reads it: parent sets, bounds, rows and rules."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.constraints import ContradictionError, FamilyRules
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._bounds import Bounds
from treebound.structure import TreeDecomposition, moral_graph, recount, treewidth_bounds


def searchable(
    cache: ParentSetCache,
    bounds: Bounds | int,
    data: Dataset | None = None,
    rules: FamilyRules | None = None,
) -> _core.SearchProblem:
    """Return the problem of a cache within bounds, or a treewidth, with rows to score further families from.

    ValueError if a variable has no empty set, or if no structure obeys the rules within the bounds.
    """
    rules = rules or FamilyRules(cache.num_variables)
    if missing := cache.variables_without_empty_set:
        raise ValueError(
            f"Every variable needs the empty parent set; the cache has none for {missing[0]!r}"
            f" ({len(missing)} such variables)."
        )
    if isinstance(bounds, int):
        bounds = Bounds.of(cache, bounds, None)
    scores, order = _least_structure(cache, bounds, data, rules)
    return _core.SearchProblem(
        cache.set_offsets,
        cache.scores,
        cache.parent_offsets,
        cache.parents,
        bounds.width,
        math.inf if bounds.max_cells is None else bounds.max_cells,
        bounds.cardinalities,
        None if data is None else data.in_core,
        None if data is None or cache.score is None else cache.score._in_core(data.num_rows),
        rules.in_core(),
        np.array(scores, dtype=np.float64),
        np.array(order, dtype=np.uint32),
    )


def bare_problem(
    set_offsets: NDArray[np.int64],
    scores: NDArray[np.float64],
    parent_offsets: NDArray[np.int64],
    parents: NDArray[np.uint32],
    width: int,
) -> _core.SearchProblem:
    """Return a problem of parent sets and a treewidth alone."""
    nothing, none = np.zeros(0), np.zeros(0, dtype=np.uint32)
    return _core.SearchProblem(
        set_offsets,
        scores,
        parent_offsets,
        parents,
        width,
        math.inf,
        none,
        None,
        None,
        _core.FamilyRules(),
        nothing,
        none,
    )


def _least_structure(
    cache: ParentSetCache, bounds: Bounds, data: Dataset | None, rules: FamilyRules
) -> tuple[list[float], tuple[int, ...]]:
    """Return scores and an elimination order of the required parents, which every structure has."""
    order = check_width(rules, bounds, cache.names)
    if not rules.required:
        return [], ()
    return [_least_score(cache, data, v, rules.least(v)) for v in range(cache.num_variables)], order


def check_width(rules: FamilyRules, bounds: Bounds, names: Sequence[str]) -> tuple[int, ...]:
    """Return an elimination order of the required arcs; ``ContradictionError`` if they exceed the limits."""
    if not rules.required:
        return ()
    for child, parents in rules.required.items():
        if len(parents) > bounds.width:
            raise ContradictionError(
                f"{names[child]!r} requires {len(parents)} parents"
                f" ({', '.join(repr(names[p]) for p in parents)}), and the treewidth limit allows"
                f" {bounds.width}; raise the limit or drop a required arc."
            )
    graph = moral_graph([rules.least(v) for v in range(rules.num_variables)])
    found = treewidth_bounds(graph)
    if found.lower > bounds.width:
        raise ContradictionError(
            f"The required arcs have treewidth at least {found.lower}, and the limit allows {bounds.width};"
            " raise the limit or drop required arcs."
        )
    if found.upper > bounds.width:
        raise ContradictionError(
            f"The required arcs are not known to fit into treewidth {bounds.width}: theirs is between"
            f" {found.lower} and {found.upper}; raise the limit or drop required arcs."
        )
    if bounds.max_cells is not None:
        bags = TreeDecomposition.from_elimination_order(graph, found.elimination_order).bags
        _check_cells(bags, bounds, names)
    return found.elimination_order


def _check_cells(bags: Sequence[Sequence[int]], bounds: Bounds, names: Sequence[str]) -> None:
    assert bounds.max_cells is not None
    cells = [math.prod(bounds.cardinalities[list(bag)].tolist()) for bag in bags]
    if max(cells) > bounds.max_cells:
        worst = bags[cells.index(max(cells))]
        raise ContradictionError(
            f"The required arcs need a bag of {max(cells):,} cells"
            f" ({', '.join(repr(names[v]) for v in worst)}), and max_cells allows {bounds.max_cells:,};"
            " raise it or drop required arcs."
        )


def _least_score(cache: ParentSetCache, data: Dataset | None, child: int, parents: tuple[int, ...]) -> float:
    known = cache.score_of(child, parents)
    if known is not None:
        return known
    if data is None or cache.score is None:
        chosen = ", ".join(cache.names[p] for p in parents)
        raise ValueError(
            f"The cache has no score for the required parents of {cache.names[child]!r} ({chosen}); pass the"
            " data."
        )
    return recount(data, cache.score, child, parents)


def with_unseen(
    cache: ParentSetCache, width: int, unseen: NDArray[np.float64], problem: _core.SearchProblem
) -> _core.SearchProblem:
    """Return a problem whose bound holds also for families that the cache does not have.

    Those of variable v score at most ``unseen[v]``. Nothing is known of their parents, so they stand as an
    empty set with that score; where they are no better than the empty set itself, the problem is as it was.
    """
    owners = np.repeat(np.arange(cache.num_variables), np.diff(cache.set_offsets))
    is_empty, least = cache.sizes == 0, unseen[owners]
    if not np.any(least[is_empty] > cache.scores[is_empty]):
        return problem
    is_kept = is_empty | (cache.scores > least)
    sizes = cache.sizes[is_kept]
    return bare_problem(
        np.concatenate(([0], np.cumsum(is_kept)))[cache.set_offsets],
        np.where(is_empty, np.maximum(cache.scores, least), cache.scores)[is_kept],
        np.concatenate(([0], np.cumsum(sizes))),
        cache.parents[np.repeat(is_kept, cache.sizes)],
        width,
    )

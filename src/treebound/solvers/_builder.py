"""From the numbers of a solver to structures with names, scores and a witness, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treebound import _core
from treebound._run import StopReason
from treebound.constraints import Constraints
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._result import Improvement, SearchResult
from treebound.solvers._task import Solver, Statistics, Task
from treebound.solvers._upper_bound import BoundSource
from treebound.structure import KTree, Structure, TreeDecomposition, flat_rows, moral_graph, recount


@dataclass(frozen=True)
class ResultBuilder:
    """What is the same for every structure of a search."""

    task: Task
    solver: Solver
    seed: int
    start: Structure | None
    bound_source: BoundSource | None = None
    constraints: Constraints | None = None

    def structure(self, found: _core.Found) -> Structure:
        """Give the numbers their names, scores and witness."""
        cache, bounds = self.task.cache, self.task.bounds
        flat, ktree = found.parents.tolist(), _ktree(found)
        parents = tuple(tuple(sorted(flat[a:b])) for a, b in pairwise(found.parent_offsets.tolist()))
        if ktree is not None:
            witness = ktree.decomposition
        else:
            order = found.elimination_order.tolist()
            witness = TreeDecomposition.from_elimination_order(moral_graph(parents), order)
        before = 0 if self.start is None else self.start.steps
        return Structure(
            cache.names,
            parent_indices=parents,
            decomposition=witness,
            score=found.score,
            local_scores=tuple(found.local_scores.tolist()),
            max_treewidth=bounds.max_treewidth,
            max_cells=bounds.max_cells,
            insertion_order=None if ktree is None else ktree.insertion_order,
            schema=cache.schema,
            score_rounding=cache.score_rounding,
            provenance={"solver": self.solver.name, "seed": self.seed},
            steps=before + self.task.run.num_steps,
            constraints=self.constraints,
        )

    def result(self, statistics: Statistics) -> SearchResult:
        """Put the result together; a start that was not beaten is its own result."""
        run, found = self.task.run, self.task.core.best
        if self.task.core.has_found:
            structure, ktree = self.structure(found), _ktree(found)
        else:
            assert self.start is not None
            structure, ktree = self.start, None
        return SearchResult(
            structure=structure,
            ktree=ktree,
            trace=tuple(Improvement(*entry) for entry in self.task.core.trace),
            steps=run.num_steps,
            seconds=run.elapsed,
            stopped=StopReason[run.reason.name],
            solver=self.solver,
            seed=self.seed,
            statistics={**statistics, **dict(found.statistics)},
            bound=run.bound if math.isfinite(run.bound) else None,
            bound_source=self.bound_source if math.isfinite(run.bound) else None,
        )


def _ktree(found: _core.Found) -> KTree | None:
    if found.ktree is None:
        return None
    order = found.ktree.insertion_order
    rows = found.ktree.separators.reshape(len(order), -1)
    return KTree.from_rows(order.tolist(), rows.tolist())


def start_in_core(start: Structure | None, cache: ParentSetCache, data: Dataset | None) -> _core.SearchStart:
    """Return the structure as solvers read it, with true scores: its own may be rounded or unknown."""
    if start is None:
        return _core.SearchStart()
    scores = [_true_score(cache, data, v, chosen) for v, chosen in enumerate(start.parent_indices)]
    return _core.SearchStart(
        *flat_rows(start.parent_indices),
        np.array(scores, dtype=np.float64),
        np.array(start.elimination_order, dtype=np.uint32),
        np.array(start.insertion_order or (), dtype=np.uint32),
        float("-inf") if start.score is None else start.score,
        start.steps,
    )


def _true_score(
    cache: ParentSetCache, data: Dataset | None, child: int, parents: tuple[int, ...]
) -> float | None:
    known = cache.score_of(child, parents)
    if known is not None or data is None:
        return known
    assert cache.score is not None
    return recount(data, cache.score, child, parents)

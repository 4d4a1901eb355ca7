"""From the numbers of the core to structures with names, scores and a witness, and back."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from treebound import _core
from treebound.data import Dataset
from treebound.scoring.cache import ParentSetCache
from treebound.search._bounds import Bounds
from treebound.search._result import Improvement, SearchResult, StopReason
from treebound.search._solvers import Solver
from treebound.structure import KTree, Structure, TreeDecomposition
from treebound.structure._graph import moral_graph
from treebound.structure._recount import recount


@dataclass(frozen=True)
class Making:
    """What is the same for every structure of a search."""

    cache: ParentSetCache
    bounds: Bounds
    width: int
    solver: Solver
    seed: int
    start: Structure | None

    def structure(self, found: _core.FoundStructure, steps: int) -> Structure:
        """Give the core's numbers their names, scores and witness."""
        before = 0 if self.start is None else int(self.start.provenance.get("steps", 0))
        return Structure(
            self.cache.names,
            score=found.score,
            max_treewidth=self.bounds.max_treewidth,
            max_states=self.bounds.max_states,
            schema=self.cache.schema,
            score_rounding=self.cache.score_rounding,
            provenance={"solver": self.solver.name, "seed": self.seed, "steps": before + steps},
            **(self._in_ktree(found) if self.solver.is_growing_ktrees else _along_elimination(found)),
        )

    def _in_ktree(self, found: _core.FoundStructure) -> dict[str, Any]:
        cache, ktree = self.cache, self.ktree(found)
        parents = [
            tuple(cache.parents[cache.parent_offsets[s] : cache.parent_offsets[s + 1]].tolist())
            for s in found.sets.tolist()
        ]
        return {
            "parents": tuple(parents),
            "witness": ktree.decomposition,
            "local_scores": tuple(cache.scores[found.sets].tolist()),
            "insertion_order": ktree.insertion_order,
        }

    def ktree(self, found: _core.FoundStructure) -> KTree:
        """The k-tree that the structure was grown in."""
        rows = found.separators.reshape(self.cache.num_variables, self.width)
        return KTree.from_rows(found.insertion_order.tolist(), rows.tolist())

    def result(self, outcome: _core.SearchOutcome) -> SearchResult:
        """Put the outcome together; a start that was not beaten is its own result."""
        found = outcome.best
        if len(found.sets) == 0 and len(found.elimination_order) == 0:
            assert self.start is not None
            structure, ktree = self.start, None
        else:
            structure = self.structure(found, outcome.steps)
            ktree = self.ktree(found) if self.solver.is_growing_ktrees else None
        return SearchResult(
            structure=structure,
            ktree=ktree,
            trace=tuple(Improvement(*entry) for entry in outcome.trace),
            steps=outcome.steps,
            seconds=outcome.seconds,
            stopped=StopReason[outcome.reason.name],
            solver=self.solver,
            seed=self.seed,
            is_optimal_for_order=found.is_optimal_for_order,
            num_proved=outcome.num_proved,
            num_skipped=outcome.num_skipped,
        )


def _along_elimination(found: _core.FoundStructure) -> dict[str, Any]:
    flat = found.parents.tolist()
    parents = tuple(
        tuple(sorted(flat[first:last])) for first, last in pairwise(found.parent_offsets.tolist())
    )
    witness = TreeDecomposition.from_elimination_order(moral_graph(parents), found.elimination_order.tolist())
    return {"parents": parents, "witness": witness, "local_scores": tuple(found.local_scores.tolist())}


def start_in_core(start: Structure, cache: ParentSetCache, data: Dataset | None) -> _core.RegrowStart:
    """Return the structure as Regrow reads it, with true scores: its own may be rounded or unknown."""
    sizes = [len(chosen) for chosen in start.parents]
    scores = [_true_score(cache, data, v, chosen) for v, chosen in enumerate(start.parents)]
    return _core.RegrowStart(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array([p for chosen in start.parents for p in chosen], dtype=np.uint32),
        np.array(scores, dtype=np.float64),
        np.array(start.elimination_order, dtype=np.uint32),
    )


def _true_score(
    cache: ParentSetCache, data: Dataset | None, child: int, parents: tuple[int, ...]
) -> float | None:
    known = cache.score_of(child, parents)
    if known is not None or data is None:
        return known
    assert cache.score is not None
    return recount(data, cache.score, child, parents)

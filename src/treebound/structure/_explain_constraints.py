"""What the data say against constraints: the score that each required or forbidden arc costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treebound import _core
from treebound._arguments import check_integer, check_type
from treebound._description import Described
from treebound._visible import visible
from treebound.data import Dataset
from treebound.scoring import DEFAULT_SCORE, SCORE_IN_WORDS, Score
from treebound.structure._score_structure import rows_for
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of

_MOST_SHOWN = 10
# A family of a thousand rows takes about a microsecond.
_MOST_ARCS = 1_000_000


class ConstraintCost(NamedTuple):
    """A required or forbidden arc, the score that it costs, and the constraint behind it."""

    parent: str
    child: str
    kind: str
    cost: float
    reason: str

    def __str__(self) -> str:
        return (
            f"{visible(self.parent)} -> {visible(self.child)} {self.kind}: {self.cost:+.2f}"
            f" ({visible(self.reason)})"
        )


@dataclass(frozen=True)
class ConstraintCosts(Described):
    """The arcs that constraints require or forbid, the costliest first.

    A positive cost is what the score would gain without the constraint on this one arc, all else as it is. A
    negative cost means that the data agree with it. Of forbidden arcs only those with a positive cost are
    listed; ``num_arcs`` were compared, and ``num_skipped`` were too many to be.
    """

    costs: tuple[ConstraintCost, ...]
    num_arcs: int
    num_skipped: int

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[ConstraintCost]:
        return iter(self.costs)

    def describe(self) -> str:
        """Return how many arcs the data are against, and the costliest ones as lines."""
        against = sum(one.cost > 0 for one in self.costs)
        lines = [f"{self.num_arcs:,} constrained arcs compared, the data are against {against:,}"]
        lines += [f"  {one}" for one in self.costs[:_MOST_SHOWN]]
        if len(self.costs) > _MOST_SHOWN:
            lines.append(f"  and {len(self.costs) - _MOST_SHOWN:,} more")
        if self.num_skipped:
            lines.append(f"  {self.num_skipped:,} forbidden arcs were not compared")
        return "\n".join(lines)


def explain_constraints(
    structure: StructureLike, data: Any, *, score: Score | None = None, max_arcs: int = _MOST_ARCS
) -> ConstraintCosts:
    """Return the score that each required or forbidden arc costs.

    A required arc costs what the score of its child would gain without it; a forbidden arc what the score
    would gain with it. Forbidden arcs that would close a cycle are not compared, and the treewidth is not
    looked at: the costs show what the data say about single arcs.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult or BayesianNetwork
        A structure that was learned under constraints.
    data : Dataset or anything that ``load`` takes
        The rows. A table is read with the states and bins of the structure.
    score : Bic or Bdeu, optional
        The score; BIC by default.
    max_arcs : int
        Compare at most this many forbidden arcs.

    Returns
    -------
    ConstraintCosts
        The costliest arcs first.

    Raises
    ------
    ValueError
        If the structure has no constraints, or other variables than the data.

    Examples
    --------
    >>> import treebound as tb
    >>> from treebound.structure import explain_constraints
    >>> data = tb.load({"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9})
    >>> known = tb.Constraints(not_adjacent=["rain - wet"])
    >>> result = tb.learn(data, 1, constraints=known, budget=tb.Budget(steps=9))
    >>> print(explain_constraints(result, data))
    2 constrained arcs compared, the data are against 2
      wet -> rain forbidden: +23.16 ('rain' - 'wet' must not be adjacent)
      rain -> wet forbidden: +23.16 ('rain' - 'wet' must not be adjacent)
    """
    graph = structure_of(structure)
    check_type("score", score, Score | None, f"{SCORE_IN_WORDS}, or None")
    check_integer("max_arcs", max_arcs, 0)
    if graph.constraints is None:
        raise ValueError("The structure was learned without constraints; there is nothing to explain.")
    rows = rows_for(graph, data)
    rows.require_countable("explaining constraints")
    return _Comparison(graph, rows, score or DEFAULT_SCORE, max_arcs).costs()


class _Comparison:
    def __init__(self, graph: Structure, data: Dataset, score: Score, max_arcs: int) -> None:
        assert graph.constraints is not None
        self.graph, self.max_arcs = graph, max_arcs
        self.rules = graph.constraints.compile(graph.names)
        self.reasons = graph.constraints.reasons(graph.names)
        self.scorer = _core.FamilyScorer(data.in_core, score._in_core(data.num_rows))
        self.num_arcs = self.num_skipped = 0

    def costs(self) -> ConstraintCosts:
        found = [cost for child in range(self.graph.num_variables) for cost in self._of(child)]
        found.sort(key=lambda one: -one.cost)
        return ConstraintCosts(tuple(found), self.num_arcs, self.num_skipped)

    def _of(self, child: int) -> Iterator[ConstraintCost]:
        chosen = self.graph.parent_indices[child]
        if child not in self.rules.required and child not in self.rules.forbidden:
            return
        self.scorer.begin(child)
        now = self._score(chosen)
        for parent in self.rules.least(child):
            self.num_arcs += 1
            cost = self._score([p for p in chosen if p != parent]) - now
            yield self._cost(parent, child, "required", cost)
        for parent in self._forbidden(child):
            if self.num_arcs >= self.max_arcs:
                self.num_skipped += 1
                continue
            self.num_arcs += 1
            cost = self._score(sorted((*chosen, parent))) - now
            if cost > 0:
                yield self._cost(parent, child, "forbidden", cost)

    def _score(self, parents: Sequence[int]) -> float:
        return float(self.scorer.score(np.array(parents, dtype=np.uint32)))

    def _forbidden(self, child: int) -> list[int]:
        """The forbidden parents that would not close a cycle."""
        below, waiting = {child}, [child]
        children = self._children
        for v in waiting:
            fresh = children[v] - below
            below |= fresh
            waiting += fresh
        return [p for p in self.rules.forbidden_parents(child) if p not in below]

    @cached_property
    def _children(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.graph.names]
        for parent, child in self.graph.arc_indices:
            found[parent].add(child)
        return found

    def _cost(self, parent: int, child: int, kind: str, cost: float) -> ConstraintCost:
        names = self.graph.names
        if kind == "forbidden":
            reason = self.reasons.why_forbidden(parent, child) or ""
        else:
            reason = self.reasons.why_required(parent, child)
        return ConstraintCost(names[parent], names[child], kind, cost, reason)

"""The outcome of learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treebound._html import curve, facts, section
from treebound._phases import PhaseSeconds
from treebound._visible import counted
from treebound.data import Preparation
from treebound.learning._here import Here
from treebound.network import BayesianNetwork
from treebound.scoring import MemoryEstimate, ParentSetCache, ScoringReport
from treebound.solvers import SearchResult, StopReason
from treebound.structure import Structure, Verdict


@dataclass(frozen=True, eq=False, repr=False)
class LearnResult:
    """The structure with everything that led to it.

    ``scoring`` is None where a cache was given; ``verdict`` is the result of the check of the structure.
    ``phases`` divides the ``seconds``; ``peak_memory_mb`` is the largest memory so far, ``memory`` what had
    been estimated (None if there was nothing to estimate).
    """

    structure: Structure
    cache: ParentSetCache
    scoring: ScoringReport | None
    search: SearchResult
    verdict: Verdict
    phases: PhaseSeconds
    peak_memory_mb: float
    memory: MemoryEstimate | None = None
    rows: Any = None
    place: Here = field(default_factory=Here)

    @cached_property
    def network(self) -> BayesianNetwork:
        """The network: the structure fitted to the rows that it was learned from, with default smoothing.

        It is computed when it is first used. :func:`treebound.fit` takes other rows and other smoothing.
        """
        if self.rows is None:
            raise ValueError(
                "The structure was learned from a cache, which has no rows to fit a network to. "
                "Call treebound.fit(result, table)."
            )
        return self.place.fit(self.structure, self.rows)

    @property
    def preparation(self) -> Preparation:
        """What ``load`` did to the columns and rows of the table."""
        schema = self.structure.schema
        return Preparation() if schema is None else schema.preparation

    @property
    def seconds(self) -> float:
        """Seconds of all phases."""
        return self.phases.total

    @property
    def score(self) -> float:
        """Score of the structure."""
        return self.search.score

    @property
    def was_interrupted(self) -> bool:
        """Whether Ctrl-C cut the work short."""
        return self.search.stopped is StopReason.INTERRUPTED

    @property
    def limits(self) -> str:
        """The limits that the structure keeps, in words."""
        width, cells = self.structure.max_treewidth, self.structure.max_cells
        words = [] if width is None else [f"treewidth {width}"]
        return ", ".join(words + ([] if cells is None else [f"{cells:,} cells per bag"])) or "none"

    def __repr__(self) -> str:
        verdict = "checked" if self.verdict else "rejected by the checker"
        done = f"; {self.preparation.summary}" if self.preparation.summary else ""
        return (
            f"<LearnResult: {self.search.words}; limits: {self.limits}; {verdict}; {self.seconds:.2f} s in "
            f"all{done}>"
        )

    def __str__(self) -> str:
        return "\n".join(["Learned", *(f"  {name:<10} {value}" for name, value in self._facts())])

    def _repr_html_(self) -> str:
        moments = [(entry.seconds, entry.score) for entry in self.search.trace]
        trace = curve(*zip(*moments, strict=True)) if moments else ""
        return section("Learned", facts(self._facts()), trace, self.structure._repr_html_())

    def _facts(self) -> list[tuple[str, str]]:
        found, structure = self.search, self.structure
        ended = "optimal" if found.is_optimal else found.ended
        listed = [
            ("variables", f"{structure.num_variables:,}"),
            ("arcs", f"{structure.num_arcs:,}"),
            ("treewidth", f"{structure.treewidth}"),
            ("limits", self.limits),
            ("score", f"{self.score:,.4f}"),
            ("check", str(self.verdict)),
            ("solver", found.solver.name),
            ("search", f"{counted(found.steps, 'step')}, {ended}"),
            ("seconds", f"{self.seconds:.2f}"),
        ]
        return listed + ([("table", self.preparation.summary)] if self.preparation.summary else [])

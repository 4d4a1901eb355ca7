"""The outcome of learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treebound._description import Curve, Described, Description, Styled
from treebound._phases import PhaseSeconds
from treebound._progress import WIDEST_GAP
from treebound._visible import counted
from treebound.data import Preparation
from treebound.learning._here import Here
from treebound.network import BayesianNetwork
from treebound.scoring import MemoryEstimate, ParentSetCache, ScoringReport
from treebound.solvers import SearchResult, StopReason
from treebound.structure import Structure, Verdict


@dataclass(frozen=True, eq=False, repr=False)
class LearnResult(Described):
    """The structure with everything that led to it.

    ``scoring`` is None where a cache was given; ``verdict`` is the result of the check of the structure.
    ``phases`` divides the ``seconds``; ``peak_memory_mb`` is the largest memory so far, ``memory`` what had
    been estimated (None if there was nothing to estimate). ``fitted`` is the network where learning fitted
    one, from rows with missing values.
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
    fitted: BayesianNetwork | None = None

    @cached_property
    def network(self) -> BayesianNetwork:
        """The network: the structure fitted to the rows that it was learned from, with default smoothing.

        It is computed when it is first used. :func:`treebound.fit` takes other rows and other smoothing.
        """
        if self.fitted is not None:
            return self.fitted
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
        """The limits that the structure keeps, as a string."""
        width, cells = self.structure.max_treewidth, self.structure.max_cells
        limits = [] if width is None else [f"treewidth {width}"]
        return ", ".join(limits + ([] if cells is None else [f"{cells:,} cells per bag"])) or "none"

    def __repr__(self) -> str:
        verdict = "checked" if self.verdict else "rejected by the checker"
        done = f"; {self.preparation.summary}" if self.preparation.summary else ""
        return (
            f"<LearnResult: {self.search.summary}; limits: {self.limits}; {verdict}; {self.seconds:.2f} s in "
            f"all{done}>"
        )

    def describe(self) -> Description:
        """Return the structure, what led to it, and a curve of the scores."""
        moments = [(entry.seconds, entry.score) for entry in self.search.trace]
        curve = [Curve(*zip(*moments, strict=True))] if moments else []
        return Description("Learned", self._facts(), pictures=[*curve, self.structure._repr_html_()])

    def _facts(self) -> list[tuple[str, str | Styled]]:
        found, structure, scoring = self.search, self.structure, self.scoring
        network: BayesianNetwork | None = self.__dict__.get("network")  # where it is computed already
        limit = "" if structure.max_treewidth is None else f" (limit {structure.max_treewidth})"
        facts: list[tuple[str, str | Styled]] = [
            ("variables", f"{structure.num_variables:,}"),
            ("arcs", f"{structure.num_arcs:,}"),
        ]
        if network is not None:
            facts.append(("parameters", f"{network.num_parameters:,}"))
        facts += [
            ("score", Styled(f"{self.score:,.4f}", "bold green")),
            ("treewidth", Styled(f"{structure.treewidth}{limit}", "bold")),
            ("limits", self.limits),
            ("check", str(self.verdict)),
        ]
        if scoring is not None:
            facts.append(("scoring", f"{scoring.sets_scored:,} sets, {scoring.seconds:.1f} s"))
        facts += [
            (f"search ({found.solver.name})", f"{counted(found.steps, 'step')}, {found.seconds:.1f} s"),
            ("improvements", f"{len(found.trace):,}"),
            *self._gap(),
            ("ended", found.ended),
            ("seconds in all", f"{self.seconds:.2f}"),
            ("peak memory", f"{self.peak_memory_mb:,.0f} MB"),
        ]
        return facts + ([("table", self.preparation.summary)] if self.preparation.summary else [])

    def _gap(self) -> list[tuple[str, str | Styled]]:
        """The upper bound, where it is close enough to mean something."""
        found = self.search
        if found.bound is None or found.gap is None or found.gap > WIDEST_GAP:
            return []
        optimal = Styled("none: optimal", "bold green")
        return [
            (f"upper bound ({found.bound_source})", f"{found.bound:,.4f}"),
            ("gap", optimal if found.is_optimal else f"at most {found.gap:.4%}"),
        ]

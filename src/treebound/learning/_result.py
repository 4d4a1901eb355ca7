"""The outcome of learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treebound._description import Curve, Described, Description, Fact
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

        After ``learn(missing="em")`` held-out rows chose the smoothing. Otherwise the network is
        computed when it is first used. :func:`treebound.fit` takes other rows and other smoothing.
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
        return Description(
            "Learned", self._facts(), pictures=[*curve, self.structure._repr_html_()], data=self._data()
        )

    def _facts(self) -> list[Fact]:
        found, structure, scoring = self.search, self.structure, self.scoring
        network: BayesianNetwork | None = self.__dict__.get("network")  # where it is computed already
        limit = "" if structure.max_treewidth is None else f" (limit {structure.max_treewidth})"
        facts = [
            Fact("variables", structure.num_variables, "{:,}", "variables"),
            Fact("arcs", structure.num_arcs, "{:,}", "arcs"),
        ]
        if network is not None:
            facts.append(Fact("parameters", network.num_parameters, "{:,}", "parameters"))
        facts += [
            Fact("score", self.score, "{:,.4f}", "score", "bold green"),
            Fact("treewidth", structure.treewidth, "{}" + limit, "treewidth", "bold"),
            Fact("limits", self.limits),
            Fact("check", str(self.verdict), key="verdict"),
        ]
        if scoring is not None:
            seconds = f"{scoring.seconds:.1f} s"
            facts.append(Fact("scoring", scoring.sets_scored, "{:,} sets, " + seconds, "sets_scored"))
        facts += [
            Fact(f"search ({found.solver.name})", f"{counted(found.steps, 'step')}, {found.seconds:.1f} s"),
            Fact("improvements", len(found.trace), "{:,}"),
            *self._gap(),
            Fact("ended", found.ended),
            Fact("seconds in all", self.seconds, "{:.2f}"),
            Fact("peak memory", self.peak_memory_mb, "{:,.0f} MB", "peak_memory_mb"),
        ]
        return facts + ([Fact("table", self.preparation.summary)] if self.preparation.summary else [])

    def _gap(self) -> list[Fact]:
        """The upper bound, where it is close enough to mean something."""
        found = self.search
        if found.bound is None or found.gap is None or found.gap > WIDEST_GAP:
            return []
        optimal = Fact("gap", "none: optimal", style="bold green")
        return [
            Fact(f"upper bound ({found.bound_source})", found.bound, "{:,.4f}"),
            optimal if found.is_optimal else Fact("gap", found.gap, "at most {:.4%}"),
        ]

    def _data(self) -> dict[str, Any]:
        """What programs read in addition to the facts."""
        structure, found, constraints = self.structure, self.search, self.structure.constraints
        return {
            "parameters": None,
            "max_treewidth": structure.max_treewidth,
            "max_cells": structure.max_cells,
            "solver": found.solver.name,
            "seed": found.seed,
            **self.phases.to_json(),
            **({} if self.memory is None else {"estimated_memory_mb": self.memory.peak_mb}),
            "sets_scored": 0,
            "steps": found.steps,
            "statistics": dict(found.statistics),
            "stopped": str(found.stopped),
            "bound": found.bound,
            "bound_source": found.bound_source,
            "gap": found.gap,
            "is_optimal": found.is_optimal,
            "constraints": None if constraints is None else constraints.to_dict(),
            "checked": self.verdict.is_ok,
            "compared_with": list(self.verdict.compared_with),
            "trace": [improvement._asdict() for improvement in found.trace],
        }

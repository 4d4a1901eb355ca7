"""The runs of a comparison, and what follows from them: medians, W-scores, victories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any, Literal, NamedTuple

from treebound._description import Described, Description
from treebound._json import Json
from treebound.experiments._records import RunRecord
from treebound.experiments._runs import RunSpec
from treebound.experiments._shown import MOST_SHOWN, describe, title
from treebound.experiments._statistics import SignTest, sign_test, w_score


class Summary(NamedTuple):
    """The runs of a solver on one source with one bound, over all seeds.

    ``score`` is the median of those that are ok, as in the tables of the paper, between the ``lowest``
    and the ``highest``; ``w_score`` is that of the median. ``steps`` and ``seconds`` are medians too.
    """

    source: str
    max_treewidth: int | None
    solver: str
    num_runs: int
    num_failed: int
    score: float | None
    lowest: float | None
    highest: float | None
    w_score: float | None
    treewidth: int | None  # the largest
    steps: float | None
    seconds: float | None


class WScore(NamedTuple):
    """How much worse a run with a bound is than the best known structure without one."""

    source: str
    max_treewidth: int
    solver: str
    seed: int
    score: float
    unbounded_score: float
    w_score: float


class Victories(NamedTuple):
    """On how many sources the median of a solver is above, below or equal to that of its baseline."""

    max_treewidth: int | None
    solver: str
    baseline: str
    wins: int
    losses: int
    ties: int
    p_value: float


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Described):
    """All runs of a comparison that are finished, in the order of their specifications.

    ``given_unbounded`` are scores of structures without a bound that were given by hand. ``notes`` say in
    words what was omitted, and ``was_interrupted`` whether Ctrl-C came before the last run.
    """

    runs: tuple[RunRecord, ...]
    given_unbounded: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    was_interrupted: bool = False

    def __repr__(self) -> str:
        return f"<ComparisonResult: {title(self)}>"

    def describe(self, most: int | None = MOST_SHOWN) -> Description:
        """Return the median scores, at most ``most`` rows."""
        return describe(self, most)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources."""
        return tuple(dict.fromkeys(run.spec.source for run in self.runs))

    @cached_property
    def solvers(self) -> tuple[str, ...]:
        """Labels of the solvers."""
        return tuple(dict.fromkeys(run.spec.label for run in self.runs))

    @cached_property
    def max_treewidths(self) -> tuple[int | None, ...]:
        """The bounds; None alone if no run has one."""
        bounds = {run.spec.max_treewidth for run in self.runs} - {None}
        return tuple(sorted(bound for bound in bounds if bound is not None)) or (None,)

    @property
    def failures(self) -> tuple[RunRecord, ...]:
        """The runs without a structure that the checker accepts."""
        return tuple(run for run in self.runs if not run.is_ok)

    @cached_property
    def unbounded_scores(self) -> Mapping[str, float]:
        """The best score known for each source without a bound, the G of the W-score.

        Given by hand, or the best of the solvers that keep no bound; sources with neither have none.
        """
        best: dict[str, float] = {}
        for run in self.runs:
            if run.spec.max_treewidth is None and run.score is not None:
                best[run.spec.source] = max(run.score, best.get(run.spec.source, run.score))
        return {**best, **self.given_unbounded}

    def runs_of(self, source: str, solver: str, max_treewidth: int | None) -> tuple[RunRecord, ...]:
        """The runs of a solver on a source; those without a bound stand next to every bound."""
        return self._by_place.get((source, solver, max_treewidth)) or self._by_place.get(
            (source, solver, None), ()
        )

    def score_of(self, source: str, solver: str, max_treewidth: int | None) -> float | None:
        """The median score over the seeds, None if no run is ok."""
        scores = [run.score for run in self.runs_of(source, solver, max_treewidth) if run.score is not None]
        return median(scores) if scores else None

    def table(self) -> tuple[Summary, ...]:
        """One row per source, bound and solver."""
        return tuple(self._summary(*place, runs) for place, runs in self._by_place.items())

    def w_scores(self) -> tuple[WScore, ...]:
        """One row per run with a bound and with a score, where the source has an unbounded score."""
        rows = []
        for run in self.runs:
            spec, reference = run.spec, self.unbounded_scores.get(run.spec.source)
            if spec.max_treewidth is None or run.score is None or not reference:
                continue
            w = w_score(run.score, reference)
            place = (spec.source, spec.max_treewidth, spec.label, spec.seed)
            rows.append(WScore(*place, run.score, reference, w))
        return tuple(rows)

    def sign_test(self, solver: str, baseline: str) -> dict[int | None, SignTest]:
        """Test per bound whether a solver is better than its baseline: each source is one experiment.

        Seeds of one source are not independent experiments, so their median counts once. Sources on which
        one of the two has no score are dropped.
        """
        for label in (solver, baseline):
            if label not in self.solvers:
                raise ValueError(f"solver must be one of {', '.join(self.solvers)}, got {label!r}.")
        return {bound: sign_test(*self._paired(solver, baseline, bound)) for bound in self.max_treewidths}

    def victories(self) -> tuple[Victories, ...]:
        """One row per bound and pair of solvers, in both directions."""
        tests = {
            (solver, baseline): self.sign_test(solver, baseline)
            for solver in self.solvers
            for baseline in self.solvers
            if solver != baseline
        }
        return tuple(
            Victories(bound, solver, baseline, *test[bound])
            for bound in self.max_treewidths
            for (solver, baseline), test in tests.items()
        )

    def to_dict(self) -> dict[str, list[Json]]:
        """The runs as columns by name, without traces."""
        rows = [_row(run) for run in self.runs]
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """The runs as a data frame of ``"pandas"``, ``"polars"`` or ``"pyarrow"``."""
        import narwhals.stable.v2 as nw

        return nw.from_dict(self.to_dict(), backend=backend).to_native()

    @cached_property
    def _by_place(self) -> dict[tuple[str, str, int | None], tuple[RunRecord, ...]]:
        places: dict[tuple[str, str, int | None], list[RunRecord]] = {}
        for run in self.runs:
            places.setdefault(_place(run.spec), []).append(run)
        order = {name: number for number, name in enumerate(self.sources)}
        ranked = sorted(places, key=lambda place: (order[place[0]], -1 if place[2] is None else place[2]))
        return {place: tuple(places[place]) for place in ranked}

    def _summary(self, source: str, solver: str, bound: int | None, runs: tuple[RunRecord, ...]) -> Summary:
        done = [run for run in runs if run.score is not None]
        scores = [run.score for run in done if run.score is not None]
        reference = self.unbounded_scores.get(source)
        middle = median(scores) if scores else None
        return Summary(
            source,
            bound,
            solver,
            num_runs=len(runs),
            num_failed=len(runs) - len(done),
            score=middle,
            lowest=min(scores, default=None),
            highest=max(scores, default=None),
            w_score=None if middle is None or bound is None or not reference else w_score(middle, reference),
            treewidth=max((run.treewidth for run in done if run.treewidth is not None), default=None),
            steps=_median([run.steps for run in done]),
            seconds=_median([run.seconds for run in done]),
        )

    def _paired(self, solver: str, baseline: str, bound: int | None) -> tuple[list[float], list[float]]:
        ours, theirs = [], []
        for source in self.sources:
            a, b = self.score_of(source, solver, bound), self.score_of(source, baseline, bound)
            if a is not None and b is not None:
                ours.append(a)
                theirs.append(b)
        return ours, theirs


def _place(spec: RunSpec) -> tuple[str, str, int | None]:
    return spec.source, spec.label, spec.max_treewidth


def _row(run: RunRecord) -> dict[str, Json]:
    requested = run.spec.to_json()
    solver, label = requested.pop("solver"), requested.pop("label")
    del requested["options"]
    budget = {"budget_seconds": requested.pop("seconds"), "budget_steps": requested.pop("steps")}
    return {
        "source": requested.pop("source"),
        "solver": label,
        "method": solver,
        **requested,
        **budget,
        **run.figures(),
    }


def _median(values: list[Any]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None

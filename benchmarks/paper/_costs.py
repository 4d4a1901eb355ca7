"""What a run of the experiments will take, without running any: budgets, and what comes beside them.

Budgets are known. What comes beside them is taken from a run on two cores, and differs by machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.paper._data import instances, lacking
from benchmarks.paper._definitions import Experiment, SourceDefinition
from benchmarks.paper._plan import Settings, measurements_of, source_of, specs_of

from treebound import Budget
from treebound.experiments import resolve_jobs

# Seconds: of a process that reads a cache, checks and writes; of reading or drawing a table; of scoring all
# sets of a small table; of one counted set; of a measurement beside its budgets.
_START, _TABLE, _EXHAUSTIVE, _SET = 0.5, 0.5, 0.5, 3e-6
_BESIDE = {"variants": 4.0, "candidates": 40.0, "pruning": 8.0, "density": 1.5, "inference": 1.5}


@dataclass(frozen=True)
class Cost:
    """Wall seconds of one experiment, by what they are spent on."""

    name: str
    runs: int
    searching: float = 0.0
    scoring: float = 0.0
    measuring: float = 0.0
    beside: float = 0.0

    @property
    def seconds(self) -> float:
        """All together."""
        return self.searching + self.scoring + self.measuring + self.beside


def cost_of(experiment: Experiment, settings: Settings) -> Cost:
    """What an experiment will take if nothing of it is done yet."""
    there = [source for source in experiment.sources if lacking(source) is None]
    jobs = resolve_jobs(settings.jobs, 1)
    if experiment.kind != "search":
        return _measured(experiment, there, settings, jobs)
    found = [instance for source in there for instance in instances(source, settings.repeats)]
    specs = specs_of(experiment, found, settings)
    budgets = [
        source_of(experiment, one, settings).scoring.budget for one in found if one.source.cache is None
    ]
    afterwards = sum(spec.seed == 0 for spec in specs) if experiment.then else 0
    at_once = 1 if experiment.then == "inference" else jobs
    return Cost(
        experiment.name,
        len(specs),
        searching=sum(spec.budget.seconds or 0.0 for spec in specs) / jobs,
        scoring=sum(_of_scoring(experiment, budget) for budget in budgets),
        measuring=afterwards * _BESIDE.get(experiment.then or "", 0.0) / at_once,
        beside=len(specs) * _START / jobs + len(found) * _TABLE,
    )


def _of_scoring(experiment: Experiment, budget: Budget | None) -> float:
    if budget is not None and budget.seconds is not None:
        return budget.seconds
    if budget is not None and budget.steps is not None and experiment.scoring.sets_per_variable is not None:
        return _SET * budget.steps
    return _EXHAUSTIVE


def _measured(experiment: Experiment, there: list[SourceDefinition], settings: Settings, jobs: int) -> Cost:
    at_once = 1 if experiment.kind == "pruning" else jobs
    beside, seconds, count = _BESIDE[experiment.kind], 0.0, 0
    for source in there:
        for one in measurements_of(experiment, source, settings):
            count += 1
            seconds += beside + float(one.arguments.get("scoring_seconds", 0.0))
            seconds += max(len(source.methods), 2) * float(one.arguments.get("seconds", 0.0))
    return Cost(experiment.name, count, measuring=seconds / at_once)


def table_of(costs: list[Cost]) -> list[str]:
    """The costs as lines, and their sum."""
    parts = ("searching", "scoring", "measuring", "beside")
    sums = (sum(getattr(cost, part) for cost in costs) for part in parts)
    every = Cost("all", sum(cost.runs for cost in costs), *sums)
    lines = ["".join([f"{'experiment':12}{'runs':>7}", *(f"{part:>11}" for part in (*parts, "seconds"))])]
    for cost in (*costs, every):
        cells = [f"{getattr(cost, part):>11,.0f}" for part in (*parts, "seconds")]
        lines.append("".join([f"{cost.name:12}{cost.runs:>7,}", *cells]))
    return [*lines, f"about {every.seconds / 60:,.0f} minutes"]

"""The one runner: searches through ``treebound.experiments.run_all``, everything else as measurements.

Both leave a file per run, complete or not at all, so that the same command goes on after a kill. Each scale
has a folder of its own, and in it each experiment.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path

from benchmarks._machine import commit
from benchmarks.paper._data import instances, lacking
from benchmarks.paper._definitions import Experiment, SourceDefinition
from benchmarks.paper._measure import Measurement, Row, Say, measure_all
from benchmarks.paper._plan import Settings, after, measurements_of, source_of, specs_of

from treebound.experiments import COMMIT_VARIABLE, RunRecord, Source, Store, resolve_jobs, run_all

TIMED = ("pruning", "inference")


@dataclass(frozen=True)
class Outcome:
    """What came of an experiment: searches, how tables were scored, measurements, and what is missing."""

    experiment: Experiment
    runs: tuple[RunRecord, ...] = ()
    scoring: tuple[Row, ...] = ()
    rows: tuple[Row, ...] = ()
    skipped: tuple[str, ...] = ()
    num_wanted: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing was interrupted."""
        return len(self.runs) == self.num_wanted


def run_experiment(experiment: Experiment, settings: Settings, say: Say = print) -> Outcome:
    """Do what is missing of one experiment."""
    os.environ[COMMIT_VARIABLE] = commit()
    reasons = {source.name: lacking(source) for source in experiment.sources}
    there = [source for source in experiment.sources if reasons[source.name] is None]
    skipped = tuple(reason for reason in reasons.values() if reason is not None)
    for reason in skipped:
        say(f"skipped: {reason}")
    if experiment.kind == "search":
        return dataclasses.replace(searched(experiment, there, settings, say), skipped=skipped)
    asked = [one for source in there for one in measurements_of(experiment, source, settings)]
    return Outcome(experiment, rows=measurements(asked, experiment, settings, say), skipped=skipped)


def searched(experiment: Experiment, there: list[SourceDefinition], settings: Settings, say: Say) -> Outcome:
    """Search, then measure what was found with the first seed, if the experiment asks for that."""
    found = [instance for source in there for instance in instances(source, settings.repeats)]
    specs = specs_of(experiment, found, settings)
    sources = [source_of(experiment, instance, settings) for instance in found]
    folder = settings.folder / experiment.name
    seconds = sum(spec.budget.seconds or 0 for spec in specs)
    say(f"{len(specs):,} runs on {len(sources):,} tables, {seconds:,.0f} s of search")
    options = {"jobs": settings.jobs, "memory_mb": settings.memory_mb}
    runs = run_all(specs, sources, folder, **options, retry=settings.retry, progress=True)
    outcome = Outcome(experiment, tuple(runs), scoring_of(sources, folder), num_wanted=len(specs))
    if experiment.then is None or not outcome.is_complete:
        return outcome
    by_name = {instance.name: instance.source for instance in found}
    asked = [
        after(experiment, by_name[run.spec.source], run, folder)
        for run in runs
        if run.is_ok and run.spec.seed == 0
    ]
    return dataclasses.replace(outcome, rows=measurements(asked, experiment, settings, say))


def scoring_of(sources: list[Source], folder: Path) -> tuple[Row, ...]:
    """How each table was scored, as far as it was."""
    store = Store(folder)
    found = [(source, store.read(store.scoring_path(source.name))) for source in sources]
    return tuple(
        {"source": source.name, "parent_sets": repr(source.scoring.parent_sets), **report}
        for source, report in found
        if report is not None
    )


def measurements(
    asked: list[Measurement], experiment: Experiment, settings: Settings, say: Say
) -> tuple[Row, ...]:
    """All rows. What measures time is done one after the other."""
    jobs = 1 if any(one.kind in TIMED for one in asked) else resolve_jobs(settings.jobs, 1)
    folder = settings.folder / experiment.name
    return tuple(measure_all(asked, folder, jobs=jobs, retry=settings.retry, say=say))

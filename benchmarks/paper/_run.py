"""The one runner: searches through ``treebound.experiments.run_all``, everything else through measurements.

Both leave a file per run, complete or not at all, so that the same command goes on after a kill. Each scale has
a folder of its own, and in it each experiment.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._machine import commit
from benchmarks.paper._data import Instance, instances, lacking
from benchmarks.paper._definitions import Experiment, Method, SourceDefinition, load_methods
from benchmarks.paper._measure import Measurement, Row, measured

from treebound import Bic, Budget, Exhaustive, Independence
from treebound.experiments import RunRecord, RunSpec, Scoring, Source, run_all
from treebound.experiments._store import Store
from treebound.experiments._worker import COMMIT_VARIABLE
from treebound.search import entry_of

Say = Callable[[str], None]
# Reading, scoring, fitting and checking come on top of what a measurement gives to searches.
_ASIDE_SECONDS = 1800.0
_MEMORY_MB = 8192
_LEAST_SCORING = 5.0


@dataclass(frozen=True)
class Settings:
    """What was asked for: the scale of all times, how many seeds, copies and splits at most, and where."""

    scale: float
    out: Path
    repeats: int | None = None
    jobs: int | None = None
    memory_mb: int | None = None
    retry: bool = False

    @property
    def folder(self) -> Path:
        """Where runs of this scale are; runs of other scales cannot be compared with them."""
        return self.out / f"scale-{self.scale:g}"

    def seconds(self, of_paper: float, least: float = 0.0) -> float:
        """The paper's time, scaled."""
        return max(of_paper * self.scale, least)


@dataclass(frozen=True)
class Outcome:
    """What came of an experiment: runs of searches, how tables were scored, rows of measurements, and what is missing."""

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
    if experiment.kind != "search":
        asked = [one for source in there for one in measurements_of(experiment, source, settings)]
        return Outcome(experiment, rows=measure_all(asked, experiment, settings, say), skipped=skipped)
    found = [instance for source in there for instance in instances(source, settings.repeats)]
    specs = specs_of(experiment, found, settings)
    sources = [source_of(experiment, instance, settings) for instance in found]
    folder = settings.folder / experiment.name
    say(
        f"{len(specs):,} runs on {len(sources):,} tables, {sum(s.budget.seconds or 0 for s in specs):,.0f} s of search"
    )
    runs = run_all(
        specs,
        sources,
        folder,
        jobs=settings.jobs,
        memory_mb=settings.memory_mb,
        retry=settings.retry,
        progress=True,
    )
    outcome = Outcome(experiment, tuple(runs), scoring_of(sources, folder), (), skipped, len(specs))
    if experiment.then is None or not outcome.is_complete:
        return outcome
    by_name = {instance.name: instance for instance in found}
    asked = [
        after(experiment, by_name[run.spec.source].source, run, folder)
        for run in runs
        if run.is_ok and run.spec.seed == 0
    ]
    return dataclasses.replace(outcome, rows=measure_all(asked, experiment, settings, say))


def specs_of(experiment: Experiment, found: list[Instance], settings: Settings) -> list[RunSpec]:
    """All runs, those of the first seed first, so that an early end leaves a table without holes."""
    methods = [load_methods()[label] for label in experiment.methods]
    seeds = range(min(experiment.seeds, settings.repeats or experiment.seeds))
    return [
        RunSpec(
            instance.name, method.label, method.record, bound, seed, budget_of(experiment, method, settings)
        )
        for seed in seeds
        for instance in found
        for method in methods
        for bound in bounds_of(experiment, instance.source, method)
        if seed == 0 or not method.once
    ]


def bounds_of(experiment: Experiment, source: SourceDefinition, method: Method) -> tuple[int | None, ...]:
    """The bounds that a method is run with on a source: None for one that keeps none, none at all where it cannot."""
    if method.max_variables is not None and not _is_within(source, method.max_variables):
        return ()
    if not entry_of(method.record).is_bounded:
        return (None,)
    return source.treewidths or experiment.treewidths


def _is_within(source: SourceDefinition, max_variables: int) -> bool:
    found = instances(source)[0].open()
    return found.num_variables <= max_variables


def budget_of(experiment: Experiment, method: Method, settings: Settings) -> Budget:
    """The same time for all, without an early end."""
    return Budget(seconds=settings.seconds(experiment.seconds, method.least_seconds), patience=None)


def source_of(experiment: Experiment, instance: Instance, settings: Settings) -> Source:
    """A table is scored by exact BIC, in one second per variable at full scale."""
    rule = experiment.scoring

    def opened() -> Any:
        return instance.open()

    if instance.source.cache is not None:
        return Source(instance.name, opened, False)
    num_variables = size_of(instance)
    if num_variables <= rule.exhaustive_up_to:
        # Sets of up to four parents of so few variables take seconds: no clock decides which there are.
        scoring = Scoring(Bic(), Exhaustive(rule.max_parents), Budget(steps=2**62))
    else:
        seconds = settings.seconds(rule.seconds_per_variable * num_variables, rule.least_seconds)
        scoring = Scoring(
            Bic(), Independence(rule.max_parents), Budget(seconds=round(seconds, 3), patience=None)
        )
    return Source(instance.name, opened, True, scoring)


def size_of(instance: Instance) -> int:
    """The number of variables, without sampling where it is known before."""
    for made in (instance.source.inverted_tree, instance.source.random_network):
        if made is not None:
            return int(made["variables"])
    return instance.open().num_variables


def scoring_of(sources: list[Source], folder: Path) -> tuple[Row, ...]:
    """How each table was scored, as far as it was."""
    store = Store(folder)
    found = [(source, store.read(store.scoring_path(source.name))) for source in sources]
    return tuple(
        {"source": source.name, "parent_sets": repr(source.scoring.parent_sets), **report}
        for source, report in found
        if report is not None
    )


def measurements_of(
    experiment: Experiment, source: SourceDefinition, settings: Settings
) -> list[Measurement]:
    """What is to be measured on a source."""
    seconds = settings.seconds(experiment.seconds, experiment.least_seconds)
    if experiment.kind == "variants":
        parents = source.max_parents or experiment.max_parents
        return [
            Measurement(
                name,
                "variants",
                {
                    "file": name,
                    "max_parents": parents,
                    "seconds": seconds,
                    "row": {"source": source.name, "variant": name, "printed": source.printed},
                },
                2 * seconds + _ASIDE_SECONDS,
                _MEMORY_MB,
            )  # fmt: skip
            for name in source.variants or ()
        ]
    plain = {name: value for name, value in dataclasses.asdict(source).items() if value is not None}
    asked: Row = {"source": plain, "rules": experiment.rules}
    if experiment.kind == "candidates":
        scoring = settings.seconds(size_of(instances(source)[0]), _LEAST_SCORING)
        asked = {"source": plain, "seconds": seconds, "scoring_seconds": scoring}
    limit = len(source.methods) * seconds + _ASIDE_SECONDS
    return [Measurement(source.name, experiment.kind, asked, limit, _MEMORY_MB)]


def after(experiment: Experiment, source: SourceDefinition, run: RunRecord, folder: Path) -> Measurement:
    """What is to be measured on the network that a search has found."""
    spec = run.spec
    row = {"source": source.name, "method": spec.label, "k": spec.max_treewidth, "score": run.score}
    asked: Row = {"structure": str(Store(folder).structure_path(spec)), "row": row}
    name = spec.name.replace("/", " ")
    if experiment.then == "density":
        asked |= {"file": source.file, "held_out": source.held_out}
        return Measurement(name, "density", asked, _ASIDE_SECONDS, _MEMORY_MB)
    asked |= {"folder": str(folder), "source": spec.source, "max_bytes": experiment.query_memory_mb << 20}
    return Measurement(name, "inference", asked, experiment.query_seconds, experiment.query_memory_mb + 1024)


def measure_all(
    asked: list[Measurement], experiment: Experiment, settings: Settings, say: Say
) -> tuple[Row, ...]:
    """All rows, one measurement after the other."""
    rows: list[Row] = []
    for number, one in enumerate(asked, start=1):
        found = measured(one, settings.folder / experiment.name, settings.retry)
        say(f"  {number}/{len(asked)} {one.name}: {found[0]['status']}")
        rows += found
    return tuple(rows)

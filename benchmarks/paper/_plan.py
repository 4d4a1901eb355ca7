"""What is to be run and measured for an experiment, at a scale: lists, apart from how they are done."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from benchmarks.paper._data import Instance, size_of
from benchmarks.paper._definitions import Experiment, Method, SourceDefinition, load_methods
from benchmarks.paper._measure import Measurement, Row

from treebound import Bic, Budget, Exhaustive, Independence
from treebound.experiments import RunRecord, RunSpec, Scoring, Source, Store
from treebound.solvers import entry_of

# Reading, scoring, fitting and checking come on top of what a measurement gives to searches.
_ASIDE_SECONDS = 1800.0
_MEMORY_MB = 8192
_LEAST_SCORING = 5.0


@dataclass(frozen=True)
class Settings:
    """What was asked for: the scale of all times, how many seeds, copies and splits at most, and where.

    ``share`` is the part of the paper's constructions that each of its methods may make.
    """

    scale: float
    out: Path
    share: float = 1.0
    repeats: int | None = None
    jobs: int | None = None
    memory_mb: int | None = None
    retry: bool = False

    @property
    def folder(self) -> Path:
        """Where runs of this scale are; runs of other scales cannot be compared with them."""
        return self.out / f"scale-{self.scale:g}-share-{self.share:g}"

    def seconds(self, of_paper: float, least: float = 0.0) -> float:
        """The paper's time, scaled."""
        return max(of_paper * self.scale, least)


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
    """The bounds of a method on a source: None for one that keeps none, and none where it cannot work."""
    if method.max_variables is not None and size_of(source) > method.max_variables:
        return ()
    if not entry_of(method.record).is_bounded:
        return (None,)
    return source.treewidths or experiment.treewidths


def budget_of(experiment: Experiment, method: Method, settings: Settings) -> Budget:
    """The same time for all, without an early end, and the same share of the paper's constructions."""
    seconds = settings.seconds(experiment.seconds, max(method.least_seconds, experiment.least_seconds))
    count = experiment.constructions.get(method.counts_as or method.label)
    steps = None if count is None else max(1, round(count * share_of(experiment, settings.share)))
    return Budget(seconds=seconds, steps=steps, patience=None)


def share_of(experiment: Experiment, share: float) -> float:
    """The part of the paper's constructions that a method may make in an experiment."""
    return max(share, experiment.least_share)


def source_of(experiment: Experiment, instance: Instance, settings: Settings) -> Source:
    """A table is scored by exact BIC, in one second per variable at full scale."""
    rule = experiment.scoring
    if instance.source.cache is not None:
        return Source(instance.name, instance.open, False)
    num_variables = size_of(instance.source)
    if num_variables <= rule.exhaustive_up_to:
        # Sets of up to four parents of so few variables take seconds: no clock decides which there are.
        scoring = Scoring(Bic(), Exhaustive(rule.max_parents), Budget(steps=2**62))
    elif rule.sets_per_variable is not None:
        steps = rule.sets_per_variable * num_variables
        scoring = Scoring(Bic(), Independence(rule.max_parents), Budget(steps=steps, patience=None))
    else:
        seconds = settings.seconds(rule.seconds_per_variable * num_variables, rule.least_seconds)
        scoring = Scoring(
            Bic(), Independence(rule.max_parents), Budget(seconds=round(seconds, 3), patience=None)
        )
    return Source(instance.name, instance.open, True, scoring)


def measurements_of(
    experiment: Experiment, source: SourceDefinition, settings: Settings
) -> list[Measurement]:
    """What is to be measured on a source."""
    seconds = settings.seconds(source.seconds or experiment.seconds, experiment.least_seconds)
    if experiment.kind == "variants":
        parents = source.max_parents or experiment.max_parents
        return [_variant(source, name, parents, seconds) for name in source.variants or ()]
    plain = {name: value for name, value in dataclasses.asdict(source).items() if value is not None}
    asked: Row = {"source": plain, "rules": experiment.rules}
    if experiment.kind == "candidates":
        scoring = settings.seconds(size_of(source), _LEAST_SCORING)
        printed = source.seconds or experiment.seconds
        asked = {
            "source": plain,
            "seconds": seconds,
            "printed_seconds": printed,
            "scoring_seconds": scoring,
        }
    limit = len(source.methods) * seconds + _ASIDE_SECONDS
    return [Measurement(source.name, experiment.kind, asked, limit, _MEMORY_MB)]


def _variant(source: SourceDefinition, name: str, max_parents: int | None, seconds: float) -> Measurement:
    row = {"source": source.name, "variant": name, "printed": source.printed}
    asked = {"file": name, "max_parents": max_parents, "seconds": seconds, "row": row}
    return Measurement(name, "variants", asked, 2 * seconds + _ASIDE_SECONDS, _MEMORY_MB)


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

"""Where runs get their candidate parent sets: a table is scored once, and all solvers share the cache."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from treebound._arguments import check_type
from treebound._budget import Budget
from treebound._files import atomic_write, check_exists
from treebound._json import Json
from treebound._progress import ProgressOption
from treebound._run import StopReason
from treebound._where import Local
from treebound.constraints import Constraints, check_constraints, merged
from treebound.data import Dataset
from treebound.experiments._runs import check_name
from treebound.experiments._store import Store
from treebound.formats.cache_files import CACHE_ENDINGS, is_cache_path, load_cache, save_cache
from treebound.learning import SCORED_PER_VARIABLE, open_source
from treebound.scoring import (
    DEFAULT_BUDGET,
    DEFAULT_PARENT_SETS,
    DEFAULT_SCORE,
    PARENT_SETS_IN_WORDS,
    SCORE_IN_WORDS,
    ParentSetCache,
    ParentSetSearch,
    Score,
    ScoringReport,
    ScoringResult,
    score,
)

_PACKED = ".gz"


@dataclass(frozen=True)
class Scoring:
    """How a table is scored. Without a ``budget`` a number of sets per variable is, whatever the machine.

    All solvers obey the ``constraints``, also on caches.
    """

    score: Score = DEFAULT_SCORE
    parent_sets: ParentSetSearch = DEFAULT_PARENT_SETS
    budget: Budget | None = None
    constraints: Constraints | None = None

    def __post_init__(self) -> None:
        check_type("score", self.score, Score, SCORE_IN_WORDS)
        check_type("parent_sets", self.parent_sets, ParentSetSearch, PARENT_SETS_IN_WORDS)
        check_type("budget", self.budget, Budget | None, "a Budget or None")
        check_constraints(self.constraints)

    def with_budget_for(self, of_runs: Budget) -> Scoring:
        """The same with the usual time for scoring, if no budget was given and the runs go by the clock."""
        if self.budget is not None or of_runs.seconds is None:
            return self
        return replace(self, budget=DEFAULT_BUDGET)

    def budget_for(self, num_variables: int) -> Budget:
        """The budget for a table of so many variables."""
        return self.budget or Budget(steps=SCORED_PER_VARIABLE * num_variables)


DEFAULT_SCORING = Scoring()


@dataclass(frozen=True)
class Source:
    """A table or a cache under a name, read when it is needed; ``scoring`` is for tables."""

    name: str
    open: Callable[[], Dataset | ParentSetCache]
    has_rows: bool
    scoring: Scoring = DEFAULT_SCORING

    def __post_init__(self) -> None:
        check_name("name", self.name)

    @classmethod
    def of(
        cls, given: Any, name: str | None = None, *, scoring: Scoring = DEFAULT_SCORING, **options: Any
    ) -> Source:
        """A source from anything that ``learn`` takes; a file's name is that of the source if none is given.

        The options are those of ``load`` or ``load_cache``. What is a source already stays as it is.
        """
        if isinstance(given, Source):
            return given
        if isinstance(given, str | os.PathLike):
            path = Path(given).expanduser()
            check_exists(path)
            return cls(
                name or name_of(path), lambda: open_source(path, **options), not is_cache_path(path), scoring
            )
        if name is None:
            raise ValueError("a source that is not a file needs a name: pass sources as {name: source}.")
        has_rows = not isinstance(given, ParentSetCache | ScoringResult)
        return cls(name, lambda: open_source(given, **options), has_rows, scoring)


def name_of(path: Path) -> str:
    """The name of a file without its endings."""
    plain = path.name.lower()
    for ending in sorted(CACHE_ENDINGS, key=len, reverse=True):
        if plain.endswith(ending):
            return path.name[: -len(ending)]
    return Path(path.name[: -len(_PACKED)] if plain.endswith(_PACKED) else path.name).stem


def prepare(
    source: Source,
    store: Store,
    *,
    threads: int,
    progress: ProgressOption = None,
) -> None:
    """Put the cache of a source, and its rows, into the folder, unless they are there.

    ChangedSettings is raised if what is there is of other rows, sets or scoring. Ctrl-C while scoring leaves
    nothing, and is raised.
    """
    opened = source.open()
    settings = _settings(opened, source.scoring)
    known = store.read(store.settings_path(source.name))
    if known is not None:
        store.reject_changes(f"the source {source.name}", known, settings)
        return
    store.settings_path(source.name).parent.mkdir(parents=True, exist_ok=True)
    if isinstance(opened, Dataset):
        result = score(
            opened,
            parent_sets=source.scoring.parent_sets,
            score=source.scoring.score,
            budget=source.scoring.budget_for(opened.num_variables),
            where=Local(threads),
            progress=progress,
            constraints=source.scoring.constraints,
        )
        if result.report.stopped is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        with atomic_write(store.rows_path(source.name)) as file:
            np.save(file, opened.codes, allow_pickle=False)
        store.write(store.scoring_path(source.name), _report_of(result.report))
        opened = result.cache
    else:
        opened = replace(opened, constraints=merged(opened.constraints, source.scoring.constraints))
    save_cache(opened, store.cache_path(source.name))
    store.write(store.settings_path(source.name), settings)


def _report_of(report: ScoringReport) -> dict[str, Json]:
    """The time of scoring is not that of any run, so it is kept apart."""
    return {
        "variables": report.variables,
        "seconds": report.seconds,
        "sets_scored": report.sets_scored,
        "sets_kept": report.sets_kept,
        "stopped": str(report.stopped),
        "peak_memory_mb": report.peak_memory_mb,
    }


def _settings(opened: Dataset | ParentSetCache, scoring: Scoring) -> dict[str, Json]:
    known: dict[str, Json] = {}
    if scoring.constraints:
        known = {"constraints": scoring.constraints.to_dict()}
    if isinstance(opened, ParentSetCache):
        return {"kind": "cache", "variables": opened.num_variables, "digest": _digest(opened), **known}
    budget = scoring.budget_for(opened.num_variables)
    return {
        **known,
        "kind": "table",
        "variables": opened.num_variables,
        "rows": opened.num_rows,
        "digest": opened.fingerprint.digest,
        "score": repr(scoring.score),
        "parent_sets": repr(scoring.parent_sets),
        "scoring_seconds": budget.seconds,
        "scoring_steps": budget.steps,
    }


def _digest(cache: ParentSetCache) -> str:
    digest = hashlib.blake2b(repr(cache.names).encode(), digest_size=16)
    for array in (cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def stored_cache(store: Store, source: str) -> ParentSetCache:
    """The cache that all runs on a source share."""
    return load_cache(store.cache_path(source))


def stored_rows(store: Store, source: str, cache: ParentSetCache) -> Dataset | None:
    """The rows of which the cache was made, if they are known; pages of the file are shared by all runs."""
    path = store.rows_path(source)
    if not path.exists() or cache.schema is None:
        return None
    return Dataset(cache.schema, np.load(path, mmap_mode="r", allow_pickle=False))

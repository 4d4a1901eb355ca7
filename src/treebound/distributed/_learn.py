"""The whole chain on a cluster: from a table, or a cache, to a structure of bounded treewidth."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from treebound._arguments import check_function, check_seed, check_type
from treebound._budget import Budget
from treebound._learn import DEFAULT_BUDGET, SCORED_PER_VARIABLE, SCORING_SHARE, LearnResult
from treebound._phases import PhaseSeconds, Stopwatch, peak_memory_mb
from treebound._progress import ProgressOption, watched
from treebound.data import Dataset, LoadingOptions
from treebound.distributed._by_rows import RowScoring
from treebound.distributed._by_variable import VariableScoring
from treebound.distributed._client import ClientOption, connected
from treebound.distributed._further import FurtherFamilies
from treebound.distributed._islands import Islands, check_solver
from treebound.distributed._partitioned import PartitionedTable, is_in_parts
from treebound.distributed._row_terms import RowTerms
from treebound.distributed._score import exhaustive_only, opened
from treebound.distributed._tasks import ClusterLost
from treebound.formats.cache_files import is_cache_path, load_cache
from treebound.scoring import (
    DEFAULT_PARENT_SETS,
    DEFAULT_SCORE,
    PARENT_SETS_IN_WORDS,
    SCORE_IN_WORDS,
    CacheError,
    ParentSetCache,
    ParentSetSearch,
    Score,
    ScoringResult,
    check_score,
    resolve_rules,
)
from treebound.search import DEFAULT_SOLVER, Solver, StopReason, Takes, check_arguments, kept_bound
from treebound.structure import Structure, Verdict, cache_for, check, check_tables


def learn(
    source: Any,
    max_treewidth: int | None = None,
    *,
    client: ClientOption = None,
    cluster: int | None = None,
    max_cells: int | None = None,
    budget: Budget = DEFAULT_BUDGET,
    solver: Solver = DEFAULT_SOLVER,
    parent_sets: ParentSetSearch | None = None,
    score: Score | None = None,
    cache: ParentSetCache | None = None,
    seed: int = 0,
    progress: ProgressOption = None,
    on_scored: Callable[[ParentSetCache], None] | None = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
    **loading: Unpack[LoadingOptions],
) -> LearnResult:
    """Learn a structure of bounded treewidth, or with bags of at most ``max_cells``, on a Dask cluster.

    The cluster is ``client``, a ``distributed.Client`` or the address of a scheduler, or ``cluster=N``
    processes on this machine. ``source`` is a cache or the path of one, a table, a Dask frame or a folder of
    Parquet files; tables are scored as by :func:`treebound.distributed.score`. Then islands of the search on
    all workers exchange their best networks. Where the table is here, they also score families that the cache
    lacks. Where it lies in parts, Regrow asks for further families between the rounds of the islands; they
    are counted in all parts, and those that pay join the cache, which the result holds. The families of the
    structure found are counted once more for the checker.

    With a budget of steps the answer is the same for any number of workers and any parts. All other arguments
    are those of :func:`treebound.learn`. Ctrl-C ends the work of all workers and returns the best so far.
    """
    entry = check_arguments(max_treewidth, max_cells, budget, solver)
    max_treewidth = kept_bound(entry, max_treewidth)
    check_solver(solver)
    check_type("score", score, Score | None, f"{SCORE_IN_WORDS}, or None")
    check_type("parent_sets", parent_sets, ParentSetSearch | None, f"{PARENT_SETS_IN_WORDS}, or None")
    check_type("cache", cache, ParentSetCache | None, "a ParentSetCache or None")
    check_type("start", start, Structure | None, "a Structure or None")
    check_function("on_scored", on_scored)
    check_function("on_improvement", on_improvement)
    seed = check_seed(seed)
    wanted = score or DEFAULT_SCORE
    rules = resolve_rules("all", wanted)
    scored: ScoringResult | None = None
    data: Dataset | None = None
    rows: RowTerms | None = None
    with connected(client, cluster) as workers, watched(progress) as callback, ExitStack() as ending:
        watch = Stopwatch()  # starting a cluster is no work on the table
        given = _given_cache(source, score, parent_sets, loading)
        if given is not None:
            cache = given
        elif is_in_parts(source):
            table = PartitionedTable.of(workers, source, loading)
            rows = RowTerms(workers, table, wanted if cache is None else score or cache.score or wanted)
            ending.enter_context(rows.forgotten())
            _check_same_rows(rows, cache)
        else:
            data = opened(source, loading)
            cache = None if cache is None else cache_for(data, cache, score)
        reading = watch.lap()
        if cache is None and rows is not None:
            limit = None
            if budget.seconds is not None:
                limit = Budget(seconds=_left(budget, watch) * SCORING_SHARE * 2)
            by_rows = RowScoring(rows, exhaustive_only(parent_sets), rules)
            scored = by_rows.execute(limit, callback, None, None)
        elif cache is None and data is not None:
            sets = parent_sets or DEFAULT_PARENT_SETS
            by_variable = VariableScoring(workers, data, sets, wanted, rules, None)
            scored = by_variable.execute(_scoring_budget(data, budget), callback, None)
        if scored is not None:
            cache = scored.cache
            if on_scored is not None:
                on_scored(cache)
        assert cache is not None
        if start is not None and start.names != cache.names:
            raise ValueError("The structure to start from is for other variables than the table.")
        scoring = watch.lap()
        is_interrupted = scored is not None and scored.report.stopped is StopReason.INTERRUPTED
        asks = rows is not None and entry.scores_rows and not is_interrupted
        islands = Islands(
            workers,
            cache,
            data if Takes.ROWS in entry.takes else None,
            max_treewidth,
            max_cells,
            solver,
            seed,
            start,
            callback,
            on_improvement,
            FurtherFamilies(rows, cache, max_treewidth, max_cells) if asks and rows is not None else None,
        )
        left = budget if budget.seconds is None else replace(budget, seconds=_left(budget, watch))
        found = islands.run(Budget(steps=1) if is_interrupted else left)
        searching = watch.lap()
        verdict = _verdict(found.structure, islands.cache, max_treewidth, max_cells, data, rows)
    if is_interrupted:
        found = replace(found, stopped=StopReason.INTERRUPTED)
    phases = PhaseSeconds(reading, scoring, searching, checking=watch.lap())
    report = None if scored is None else scored.report
    return LearnResult(found.structure, islands.cache, report, found, verdict, phases, peak_memory_mb())


def _verdict(
    structure: Structure,
    cache: ParentSetCache,
    max_treewidth: int | None,
    max_cells: int | None,
    data: Dataset | None,
    rows: RowTerms | None,
) -> Verdict:
    """What the checker says; rows in parts are counted again for it, unless the cluster is lost."""
    if rows is not None:
        with suppress(ClusterLost):
            tables = rows.tables(structure.parent_indices, lambda: None)
            return check_tables(structure, tables, cache, max_treewidth, max_cells=max_cells)
    return check(structure, cache, max_treewidth, max_cells=max_cells, data=data)


def _check_same_rows(rows: RowTerms, cache: ParentSetCache | None) -> None:
    """Refuse a cache that is not known to be one of the rows by the score."""
    if cache is None:
        return
    check_score(cache, rows.score)
    if cache.fingerprint != rows.fingerprint:
        raise CacheError("The cache was made of other rows than those of the table; score it again.")


def _given_cache(
    source: Any, score: Score | None, parent_sets: ParentSetSearch | None, loading: LoadingOptions
) -> ParentSetCache | None:
    """The cache that the source is, if it is one."""
    if isinstance(source, ScoringResult):
        source = source.cache
    if isinstance(source, str | os.PathLike) and is_cache_path(source):
        source = load_cache(Path(source).expanduser())
    if not isinstance(source, ParentSetCache):
        return None
    given = {"score": score, "parent_sets": parent_sets, **loading}
    if wrong := [name for name, value in given.items() if value is not None]:
        raise ValueError(f"{wrong[0]} is for scoring a table, and the source is a cache; leave it out.")
    return source


def _scoring_budget(data: Dataset, budget: Budget) -> Budget:
    if budget.seconds is None:
        return Budget(steps=SCORED_PER_VARIABLE * data.num_variables)
    return Budget(seconds=SCORING_SHARE * budget.seconds)


def _left(budget: Budget, watch: Stopwatch) -> float:
    assert budget.seconds is not None
    return max(0.0, budget.seconds - watch.elapsed)

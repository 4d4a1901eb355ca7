"""Scoring on a cluster: by variable where a table fits into the memory of a worker, else by rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from treebound._arguments import check_function, check_type
from treebound._budget import Budget
from treebound._progress import ProgressOption, watched
from treebound.data import Dataset, LoadingOptions, load
from treebound.distributed._by_rows import RowScoring
from treebound.distributed._by_variable import VariableScoring
from treebound.distributed._client import ClientOption, connected
from treebound.distributed._partitioned import PartitionedTable, is_in_parts
from treebound.distributed._row_terms import RowTerms
from treebound.scoring import (
    DEFAULT_BUDGET,
    DEFAULT_PARENT_SETS,
    DEFAULT_SCORE,
    PARENT_SETS_IN_WORDS,
    SCORE_IN_WORDS,
    Exhaustive,
    ParentSetCache,
    ParentSetSearch,
    Pruning,
    Score,
    ScoringResult,
    resolve_rules,
)

# Of a table in parts; two parents are what counting all sets of a few hundred columns has time for.
DEFAULT_SETS_BY_ROWS = Exhaustive(max_parents=2)


def score(
    table: Any,
    *,
    client: ClientOption = None,
    cluster: int | None = None,
    parent_sets: ParentSetSearch | None = None,
    score: Score = DEFAULT_SCORE,
    pruning: Pruning = "all",
    budget: Budget | None = DEFAULT_BUDGET,
    progress: ProgressOption = None,
    checkpoint: Callable[[ParentSetCache], None] | None = None,
    resume: ParentSetCache | None = None,
    **loading: Unpack[LoadingOptions],
) -> ScoringResult:
    """Score candidate parent sets of every variable of a table, on a Dask cluster.

    The cluster is ``client``, a ``distributed.Client`` or the address of a scheduler, or ``cluster=N``
    processes on this machine, which are started for this call.

    A table that :func:`treebound.load` takes is sent to all workers, and each scores some of the variables.
    Equal methods and steps give the cache of :func:`treebound.score`, bit for bit. A Dask frame, or the path
    of a folder of Parquet files that all workers see, stays in its parts, and each worker counts families in
    some of them; the cache is again that of all rows in one place. This is for ``Exhaustive`` sets alone, by
    default of up to two parents.

    The other arguments are those of :func:`treebound.score` and of :func:`treebound.load`. A worker that dies
    costs what it was doing; if the scheduler is lost, ``checkpoint`` gets what was scored, and
    ``ClusterLost`` is raised. Ctrl-C ends the work of all workers, and what there is is returned.
    """
    check_type("parent_sets", parent_sets, ParentSetSearch | None, f"{PARENT_SETS_IN_WORDS}, or None")
    check_type("score", score, Score, SCORE_IN_WORDS)
    check_type("budget", budget, Budget | None, "a Budget, such as Budget(seconds=60), or None")
    check_type("resume", resume, ParentSetCache | None, "a ParentSetCache or None")
    check_function("checkpoint", checkpoint)
    rules = resolve_rules(pruning, score)
    with connected(client, cluster) as workers, watched(progress) as callback:
        if is_in_parts(table):
            sets = exhaustive_only(parent_sets)
            rows = RowTerms(workers, PartitionedTable.of(workers, table, loading), score)
            with rows.forgotten():
                return RowScoring(rows, sets, rules).execute(budget, callback, checkpoint, resume)
        data = opened(table, loading)
        sets_of = parent_sets or DEFAULT_PARENT_SETS
        by_variable = VariableScoring(workers, data, sets_of, score, rules, resume)
        return by_variable.execute(budget, callback, checkpoint)


def exhaustive_only(parent_sets: ParentSetSearch | None) -> Exhaustive:
    """Refuse a search that looks at rows set by set."""
    if parent_sets is None:
        return DEFAULT_SETS_BY_ROWS
    if not isinstance(parent_sets, Exhaustive):
        raise ValueError(
            "A table in parts is scored exhaustively, all families of a level at once; give "
            "parent_sets=Exhaustive(max_parents=2) or another number of parents."
        )
    return parent_sets


def opened(table: Any, loading: LoadingOptions) -> Dataset:
    """A table that fits into memory."""
    if isinstance(table, Dataset):
        if loading:
            raise ValueError(f"{next(iter(loading))} is for a table that is yet to be read; leave it out.")
        data = table
    else:
        data = load(table, **loading)
    data.check_rows()
    return data

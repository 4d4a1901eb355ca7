"""A Dask cluster as the place to work: the stages that differ from those of one process."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, Unpack

from treebound._arguments import check_seed
from treebound._budget import Budget, as_budget
from treebound._progress import ProgressOption, watched
from treebound.constraints import Constraints, with_cells
from treebound.data import Dataset, Hidden, schema_with_hidden
from treebound.distributed._by_rows import RowScoring
from treebound.distributed._by_variable import VariableScoring
from treebound.distributed._client import connected
from treebound.distributed._fit import fit_parts
from treebound.distributed._further import FurtherFamilies
from treebound.distributed._incomplete_parts import IncompleteParts
from treebound.distributed._islands import Islands, check_solver
from treebound.distributed._partitioned import PartitionedTable, encoded_parts, is_in_parts
from treebound.distributed._row_terms import RowTerms
from treebound.distributed._tasks import ClusterLost
from treebound.learning import Here, IncompleteRows, Limits, Rows, SearchTask, Source
from treebound.network import (
    DEFAULT_SMOOTHING,
    BayesianNetwork,
    EmRun,
    FitMissing,
    Smoothing,
    structure_to_fit,
)
from treebound.scoring import (
    DEFAULT_PARENT_SETS,
    DEFAULT_SCORE,
    CacheError,
    Exhaustive,
    MemoryEstimate,
    ParentSetCache,
    ParentSetSearch,
    Score,
    ScoringResult,
    ScoringTask,
)
from treebound.solvers import SearchResult, Solver, entry_of
from treebound.structure import Structure, Verdict, check_tables, recount_table
from treebound.tables import LOADING, ColumnOptions, LoadingOptions, with_options

if TYPE_CHECKING:
    from distributed import Client

# Of a table in parts; two parents are what counting all sets of a few hundred columns has time for.
DEFAULT_SETS_BY_ROWS = Exhaustive(max_parents=2)
_COLUMNS = {name: default for name, default in LOADING.items() if name != "missing"}
# Of the time to read rows that lie in parts: counting one family per variable in them.
_COUNTING_SHARE = 0.25


class Cluster(Here):
    """A Dask cluster for ``where=`` of :func:`treebound.learn` and :func:`treebound.score`.

    Parameters
    ----------
    cluster
        A number of processes to start on this machine, a ``distributed.Client``, or the address of a
        scheduler.

    Inside ``with Cluster(4) as cluster:`` the cluster is open for several calls; otherwise each call opens
    and closes it. A table that :func:`treebound.load` takes is sent to all workers, and each scores some of
    the variables. A Dask frame or a folder of Parquet files that all workers see stays in its parts; each
    worker counts in some of them, with ``Exhaustive`` parent sets. Islands of the search on all workers
    exchange their best structures. Rows with missing values are used by EM in the same ways
    (``missing="em"``). A worker that dies costs what it was doing. If the scheduler is lost,
    ``checkpoint`` gets what was scored, and ``ClusterLost`` is raised.
    """

    def __init__(self, cluster: Client | str | int) -> None:
        super().__init__()
        self._cluster = cluster
        self._opened: list[ExitStack] = []
        self._client: Client | None = None
        self._counted: list[tuple[PartitionedTable, RowTerms]] = []

    def __enter__(self) -> Self:
        stack = ExitStack()
        if self._client is None:
            self._client = stack.enter_context(connected(self._cluster))
            stack.callback(setattr, self, "_client", None)
        self._opened.append(stack)
        return self

    def __exit__(self, *_: object) -> None:
        """Free what workers remember; the outermost ``with`` closes the connection."""
        while self._counted:
            self._counted.pop()[1].forget()
        self._opened.pop().close()

    @property
    def client(self) -> Client:
        """The client, inside ``with``."""
        if self._client is None:
            raise RuntimeError("The cluster is not open. Use it inside `with Cluster(...) as cluster:`.")
        return self._client

    @with_options(LOADING)
    def load(self, source: Any, **loading: Unpack[LoadingOptions]) -> PartitionedTable:
        """Read and encode a Dask frame or a folder of Parquet files on the workers, for several calls."""
        return PartitionedTable.of(self.client, source, loading)

    @with_options(LOADING)
    def open(self, source: Any, *, may_miss: bool = False, **loading: Unpack[LoadingOptions]) -> Source:
        """Return the cache or the rows that the source is, or load them, in parts if they lie in parts."""
        if not is_in_parts(source):
            return super().open(source, may_miss=may_miss, **loading)
        if may_miss and isinstance(source, PartitionedTable):
            return source
        table = self.load(source, **loading)
        return table if may_miss else table.require_complete("learning")

    def observed(self, source: Source, hidden: Mapping[str, int]) -> Source | IncompleteRows:
        """Return the source; rows with missing values as structural EM uses them, here or in parts."""
        if not isinstance(source, PartitionedTable):
            return super().observed(source, hidden)
        if source.is_complete and not hidden:
            return source
        schema = schema_with_hidden(source.schema, hidden)
        parts, _ = encoded_parts(self.client, source, {}, schema)
        rows = IncompleteParts(self.client, parts, schema, source)
        rows.check_columns()
        rows.warn_of_empty_rows()
        if rows.num_incomplete or hidden:
            return rows
        # Only empty rows have missing values.
        return PartitionedTable.of(self.client, source.source, {**source.options, "missing": "drop"})

    def sets_for(self, rows: Rows, parent_sets: ParentSetSearch) -> ParentSetSearch:
        """Return the parent sets; rows in parts are counted exhaustively, all families of a level at once."""
        is_possible = isinstance(rows, Dataset) or isinstance(parent_sets, Exhaustive)
        return parent_sets if is_possible else DEFAULT_SETS_BY_ROWS

    def estimate(
        self, rows: Rows, parent_sets: ParentSetSearch | ParentSetCache, solver: Solver, budget: Budget
    ) -> MemoryEstimate | None:
        """Return None: workers check their own memory when the table reaches them."""
        return None

    def score(self, table: Any, task: ScoringTask) -> ScoringResult:
        """Score by variable where the table is here, and by rows where it lies in parts."""
        with self:
            rows = self.open(table)
            if isinstance(rows, PartitionedTable):
                sets = task.parent_sets or DEFAULT_SETS_BY_ROWS
                if not isinstance(sets, Exhaustive):
                    raise ValueError(
                        "A table in parts is scored exhaustively, all families of a level at once. Pass "
                        "parent_sets=Exhaustive(max_parents=2) or another number of parents."
                    )
                by_rows = RowScoring(
                    self._terms(rows, task.score), sets, task.rules, task.constraints or None
                )
                return by_rows.execute(task.budget, task.progress, task.checkpoint, task.resume)
            if not isinstance(rows, Dataset):
                raise TypeError("table must be a table, got a cache.")
            chosen = task.parent_sets or DEFAULT_PARENT_SETS
            by_variable = VariableScoring(self.client, rows, chosen, task)
            return by_variable.execute(task.budget, task.progress, task.checkpoint)

    def matching(self, rows: Rows, cache: ParentSetCache) -> ParentSetCache:
        """Return the cache, or raise ``CacheError`` if it is not one of the rows."""
        if not isinstance(rows, PartitionedTable):
            return super().matching(rows, cache)
        if cache.fingerprint != rows.fingerprint:
            raise CacheError("The cache was made of other rows than those of the table; score it again.")
        return cache

    def scored(self, structure: Structure, rows: Rows, score: Score) -> Structure:
        """Return a structure with its scores on the rows."""
        if not isinstance(rows, PartitionedTable):
            return super().scored(structure, rows, score)
        tables = self._terms(rows, score).tables(structure.parent_indices, lambda: None)
        scores = tuple(recount_table(table, score) for table in tables)
        return replace(structure, local_scores=scores, score=None, score_rounding=0.0)

    def search(self, task: SearchTask) -> tuple[SearchResult, ParentSetCache]:
        """Search on islands; where rows lie in parts, further families are counted between their rounds."""
        check_solver(task.solver)
        if task.start is not None and task.start.names != task.cache.names:
            raise ValueError("The structure to start from is for other variables than the table.")
        further = None
        if isinstance(task.rows, PartitionedTable):
            terms = self._terms(task.rows, task.cache.score or DEFAULT_SCORE)
            width, cells = task.limits.max_treewidth, task.limits.max_cells
            counts = entry_of(task.solver).scores_rows
            further = FurtherFamilies(terms, task.cache, width, cells) if counts else None
        islands = Islands(self.client, task, further)
        return islands.run(), islands.cache

    def check(
        self,
        rows: Any,
        structure: Structure,
        cache: ParentSetCache,
        limits: Limits,
        constraints: Constraints | None,
    ) -> Verdict:
        """Check a structure; rows in parts are counted again, unless the cluster is lost."""
        if not isinstance(rows, PartitionedTable):
            return super().check(rows, structure, cache, limits, constraints)
        with suppress(ClusterLost):
            terms = self._terms(rows, cache.score or DEFAULT_SCORE)
            tables = terms.tables(structure.parent_indices, lambda: None)
            known = with_cells(constraints, limits.max_cells)
            return check_tables(structure, tables, cache, limits.max_treewidth, constraints=known)
        return super().check(None, structure, cache, limits, constraints)

    def check_seconds(self, rows: Any, cache: ParentSetCache, reading: float) -> float:
        """Return about how long the check will take."""
        if isinstance(rows, PartitionedTable):
            return _COUNTING_SHARE * reading
        return super().check_seconds(rows, cache, reading)

    @with_options(_COLUMNS)
    def fit(
        self,
        structure: Any,
        rows: Any,
        *,
        smoothing: Smoothing = DEFAULT_SMOOTHING,
        missing: FitMissing | None = None,
        hidden: Hidden | None = None,
        budget: Budget | float | None = None,
        seed: int = 0,
        progress: ProgressOption = None,
        **loading: Unpack[ColumnOptions],
    ) -> BayesianNetwork:
        """Fit a structure to rows in parts: the network is that of all rows in one place.

        The options are those of :func:`treebound.fit` and :func:`treebound.load`. With ``missing="em"``,
        expected counts add up over the parts as counts do. ``hidden`` takes numbers of states.
        """
        if isinstance(rows, Dataset):
            return super().fit(structure, rows)
        graph, limit = structure_to_fit(structure), as_budget(budget)
        with self, watched(progress) as callback:
            run = EmRun(graph, smoothing, limit, check_seed(seed), progress=callback)
            return fit_parts(self.client, run, rows, missing, hidden, loading)

    def _terms(self, table: PartitionedTable, score: Score) -> RowTerms:
        """What is counted in the parts of a table; kept until the end of the call."""
        for known, terms in self._counted:
            if known is table and terms.score == score:
                return terms
        terms = RowTerms(self.client, table, score)
        self._counted.append((table, terms))
        return terms

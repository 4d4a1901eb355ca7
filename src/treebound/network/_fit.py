"""From a structure and a table to a network: count every family, smooth, divide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound._arguments import check_type
from treebound._budget import resolve_threads
from treebound._core import count_families
from treebound._run import complete, new_run
from treebound.data import Codes, DataError, Dataset, Problem, Schema, not_found
from treebound.inference import MAX_TABLE_CELLS, offsets, table_sizes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._smoothing import SMOOTHING_IN_WORDS, PseudoCount, Smoothing, estimate
from treebound.network._weighted_counts import checked_weights, count_weighted
from treebound.network._worth import num_rows_of, rows_counted
from treebound.structure import Structure, structure_of
from treebound.tables import Rows, Table, encode_opened, load_schema, open_rows, open_table

Missing = Literal["error", "skip"]
_EMPTY = "nothing to count"
DEFAULT_SMOOTHING = PseudoCount()
# Fewer cells are counted in less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 17


class Learned(Protocol):
    """The result of ``learn``: what counts here is the structure that it found."""

    @property
    def structure(self) -> Structure:
        """The structure."""


def fit(
    structure: Structure | BayesianNetwork | Learned | Mapping[str, Iterable[str]],
    table: Any,
    *,
    smoothing: Smoothing = DEFAULT_SMOOTHING,
    missing: Missing = "error",
    weights: ArrayLike | None = None,
    threads: int | None = None,
) -> BayesianNetwork:
    """Estimate the probability tables of a structure from the rows of a table.

    The network keeps the structure with its witness and scores, the number of rows counted or the sum of
    their weights (``num_rows``, one per variable where skipped rows make them differ), and the smoothing
    (``provenance``).

    Parameters
    ----------
    structure : Structure, LearnResult, BayesianNetwork or mapping
        The structure, the result of ``learn``, a network whose tables are replaced, or the names of the
        parents by name of the variable. If it has a schema, the rows are read with its states and bins.
    table : Dataset or anything that ``load`` takes
        The rows. Columns are found by name.
    smoothing : PseudoCount, BdeuPrior, MarginalPrior, BackoffPrior or MaximumLikelihood
        The prior.
    missing : {"error", "skip"}
        What to do with rows that have missing values. With ``"skip"`` a row is not counted for the families
        in which it has a missing value. Rows dropped before learning are dropped here too.
    weights : array-like, optional
        Weight of each row; 1 by default.
    threads : int, optional
        Number of threads; None uses all cores.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    DataError
        If the table has no column for a variable, unknown states or missing values.

    Examples
    --------
    >>> import treebound as tb
    >>> table = {"rain": ["no", "yes", "no", "yes"], "wet": ["no", "yes", "no", "yes"]}
    >>> network = tb.fit({"rain": [], "wet": ["rain"]}, table, smoothing=tb.PseudoCount(1.0))
    >>> print(f"{network.posterior('wet', {'rain': 'yes'})['yes']:.2f}")
    0.75
    """
    check_missing(missing)
    check_type("smoothing", smoothing, Smoothing, SMOOTHING_IN_WORDS)
    graph = structure_to_fit(structure)
    schema = _schema_for(graph, table)
    drops = weights is None and schema.preparation.rows_dropped > 0
    codes = codes_of(table, schema, missing, drops_rows=drops)
    sizes = table_sizes(graph.parent_indices, schema.cardinalities)
    check_sizes(sizes, schema)
    if weights is None:
        tables = count(graph.parent_indices, sizes, schema, codes, resolve_threads(threads))
    else:
        given = checked_weights(weights, codes.shape[1])
        tables = count_weighted(graph.parent_indices, sizes, schema.cardinalities, codes, given)
    return network_of_counts(graph, schema, tables, smoothing)


def network_of_counts(
    structure: Structure, schema: Schema, counts: NDArray[np.float64], smoothing: Smoothing
) -> BayesianNetwork:
    """The network whose tables follow from counts, which become its tables; they lie family by family."""
    cards = schema.cardinalities
    sizes = table_sizes(structure.parent_indices, cards)
    views = np.split(counts, np.cumsum(sizes)[:-1])
    num_rows = num_rows_of(rows_counted(views))
    for view, parents, own in zip(views, structure.parent_indices, cards, strict=True):
        # Parents of one state say nothing, and there may be more of them than arrays have axes.
        estimate(view.reshape(*(cards[p] for p in parents if cards[p] > 1), own), smoothing)
    own_structure = structure if structure.schema == schema else replace(structure, schema=schema)
    return BayesianNetwork(own_structure, tuple(views), num_rows, {"smoothing": repr(smoothing)})


def check_missing(missing: Missing) -> None:
    """Refuse another word than the two."""
    if missing not in get_args(Missing):
        raise ValueError(f"missing must be 'error' or 'skip', got {missing!r}.")


def count(
    parents: Sequence[Sequence[int]],
    sizes: list[int],
    schema: Schema,
    codes: Codes | Rows,
    threads: int,
) -> NDArray[np.float64]:
    """How often each joint state of each family occurs, family by family."""
    run = new_run(None, threads)
    families = (
        np.array(schema.cardinalities, dtype=np.uint32),
        offsets([len(chosen) for chosen in parents]),
        np.array([parent for chosen in parents for parent in chosen], dtype=np.uint32),
        offsets(sizes),
    )
    is_long = codes.size > _MANY_CELLS
    return complete("counting", run, lambda: count_families(*families, codes, run), is_long=is_long)


def structure_to_fit(structure: Any) -> Structure:
    """Return the structure of whatever ``fit`` takes for one."""
    if isinstance(structure, Mapping):
        return Structure.from_parents(structure)
    return structure_of(structure, also=", or a dict of parents by name")


def _schema_for(structure: Structure, table: Any) -> Schema:
    """The schema of the structure, or what the table says about its variables."""
    if structure.schema is not None:
        return structure.schema
    opened = open_table(table)
    absent = not_found("absent", structure.names, opened.names)
    if absent:
        raise DataError(absent, opened.source)
    found = table.schema if isinstance(table, Dataset) else _schema_of(opened, structure.names)
    return Schema(tuple(found[name] for name in structure.names), found.preparation)


def _schema_of(opened: Table, names: tuple[str, ...]) -> Schema:
    """What a table says about some variables; those without any value cannot be left out here."""
    try:
        return load_schema(opened, only=names)
    except DataError as error:
        problems = [replace(p, kind=_EMPTY) if p.kind == "empty column" else p for p in error.problems]
        raise DataError(problems, error.source) from error


def codes_of(table: Any, schema: Schema, missing: Missing, *, drops_rows: bool = False) -> Codes | Rows:
    """The rows of a table that has all columns of a schema; -1 for missing cells, if these may be skipped.

    ``drops_rows``: rows that lack values are left out, not refused.
    """
    if isinstance(table, Dataset):
        table.check_rows()
        if table.schema == schema:
            return table.codes
    opened = open_rows(table, schema)
    absent = not_found("absent", schema.names, opened.names)
    if absent:
        raise DataError(absent, opened.source)
    rows = encode_opened(opened, schema)
    lacking = (rows < 0).sum(axis=1)
    empty = np.flatnonzero(lacking == opened.num_rows)
    if len(empty):
        words = f"all of its {opened.num_rows} rows lack a value"
        raise DataError([Problem(_EMPTY, words, schema[int(v)].name) for v in empty], opened.source)
    is_complete = (rows >= 0).all(axis=0)
    if missing == "error" and drops_rows and is_complete.any():
        return np.ascontiguousarray(rows[:, is_complete])
    if missing == "error" and lacking.any():
        problems = [
            Problem("incomplete", f"{lacking[v]} of {opened.num_rows} rows", schema[int(v)].name)
            for v in np.flatnonzero(lacking)
        ]
        raise DataError(problems, opened.source)
    return rows


def check_sizes(sizes: list[int], schema: Schema) -> None:
    """Refuse tables that no memory has room for."""
    if sum(sizes) > MAX_TABLE_CELLS:
        largest = sizes.index(max(sizes))
        raise ValueError(
            f"The tables would have {sum(sizes):,} cells, {sizes[largest]:,} of them that of "
            f"{schema[largest].name!r}; at most {MAX_TABLE_CELLS:,} are made."
        )

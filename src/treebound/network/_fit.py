"""From a structure and a table to a network: count every family, smooth, divide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound._budget import Budget, as_budget, resolve_threads
from treebound._core import count_families
from treebound._progress import ProgressOption, watched
from treebound._run import complete, new_run
from treebound.data import DataError, Dataset, Missing, Problem, Schema, not_found
from treebound.inference import MAX_TABLE_CELLS, offsets, table_sizes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._em import Fitted, maximise, observed_rows
from treebound.network._smoothing import SMOOTHING_IN_WORDS, PseudoCount, Smoothing, estimate
from treebound.network._worth import num_rows_of, rows_counted
from treebound.structure import Structure, structure_of
from treebound.tables import Table, load, open_table

#: The choices of ``load``, and EM.
FitMissing: TypeAlias = Missing | Literal["em"]
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
    missing: FitMissing | None = None,
    budget: Budget | float | None = None,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> BayesianNetwork:
    """Estimate the probability tables of a structure from the rows of a table.

    The network keeps the structure with its witness and scores, the number of rows counted or the sum of
    their weights (``num_rows``, one per variable where missing cells make them differ), and the smoothing
    (``provenance``).

    Parameters
    ----------
    structure : Structure, LearnResult, BayesianNetwork or mapping
        The structure, the result of ``learn``, a network whose tables are replaced, or the names of the
        parents by name of the variable. If it has a schema, the rows are read with its states and bins.
    table : Dataset or anything that ``load`` takes
        The rows. Columns are found by name. A Dataset may have weights, as in
        ``fit(structure, load(table, weights=weights))``.
    smoothing : PseudoCount, BdeuPrior, MarginalPrior, BackoffPrior or MaximumLikelihood
        The prior.
    missing : {"error", "drop", "keep", "em"}, optional
        What to do with rows that have missing values: raise an error, drop them, keep them and count each
        row in the families in which all its cells are known, or use all observed cells by expectation
        maximisation (EM). By default they are dropped if the table that the structure was learned from was
        read with ``missing="drop"``, and an error otherwise.
    budget : Budget or float, optional
        Limit on EM, in steps or seconds. By default it runs until it converges.
    threads : int, optional
        Number of threads; None uses all cores.
    progress : bool or callable, optional
        Reports the steps of EM: True draws a bar; a function is called after each step.

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
    check_type("smoothing", smoothing, Smoothing, SMOOTHING_IN_WORDS)
    limit = as_budget(budget)
    graph = structure_to_fit(structure)
    data = _rows_for(graph, table, missing)
    sizes = table_sizes(graph.parent_indices, data.schema.cardinalities)
    check_sizes(sizes, data.schema)
    if missing == "em" and not data.is_complete:
        data = observed_rows(data)
    tables = count(graph.parent_indices, sizes, data, resolve_threads(threads))
    if missing != "em" or data.is_complete:
        return network_of_counts(graph, data.schema, tables, smoothing)
    order = None if graph.decomposition is None else graph.decomposition.elimination_order
    with watched(progress) as callback:
        found = maximise(
            graph.parent_indices,
            data,
            tables,
            smoothing,
            elimination_order=order,
            budget=limit,
            progress=callback,
            threads=threads,
        )
    return network_of_em(graph, data, found, smoothing)


def network_of_em(
    structure: Structure, data: Dataset, found: Fitted, smoothing: Smoothing
) -> BayesianNetwork:
    """Return the network of CPTs that EM found."""
    sizes = table_sizes(structure.parent_indices, data.schema.cardinalities)
    own = structure if structure.schema == data.schema else replace(structure, schema=data.schema)
    history = {"smoothing": repr(smoothing), "em": found.facts()}
    tables = tuple(np.split(found.tables, np.cumsum(sizes)[:-1]))
    worth = num_rows_of(np.array([data.total_weight]))
    return BayesianNetwork(own, tables, worth, history)


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


def count(
    parents: Sequence[Sequence[int]], sizes: list[int], data: Dataset, threads: int
) -> NDArray[np.float64]:
    """How often each joint state of each family occurs, or its weight, family by family.

    A row with missing cells counts for the families in which all its cells are known.
    """
    run = new_run(None, threads)
    families = (
        np.array(data.schema.cardinalities, dtype=np.uint32),
        offsets([len(chosen) for chosen in parents]),
        np.array([parent for chosen in parents for parent in chosen], dtype=np.uint32),
        offsets(sizes),
    )
    weights = np.zeros(0) if data.weights is None else data.weights
    is_long = data.codes.size > _MANY_CELLS
    return complete(
        "counting", run, lambda: count_families(*families, data.codes, weights, run), is_long=is_long
    )


def structure_to_fit(structure: Any) -> Structure:
    """Return the structure of whatever ``fit`` takes for one."""
    if isinstance(structure, Mapping):
        return Structure.from_parents(structure)
    return structure_of(structure, also=", or a dict of parents by name")


def _rows_for(structure: Structure, table: Any, missing: FitMissing | None) -> Dataset:
    """The rows in the variables of the structure: those of its schema, or what the table says about them."""
    stage = "fitting a network"
    if structure.schema is not None:
        return rows_to_count(table, structure.schema, missing, stage)
    data = table if isinstance(table, Dataset) else _load(open_table(table), structure.names)
    if absent := not_found("absent", structure.names, data.schema.names):
        raise DataError(absent)
    positions = [data.schema.position(name) for name in structure.names]
    done = data.schema.preparation
    if not isinstance(table, Dataset):
        how: Missing = "keep" if missing == "em" else missing or "error"
        done = replace(done, reading=replace(done.reading, missing=how))
    schema = Schema(tuple(data.schema[v] for v in positions), done)
    return _countable(Dataset(schema, data.codes[positions], data.weights), missing, stage)


def _load(opened: Table, names: tuple[str, ...]) -> Dataset:
    """The columns of some variables; those without any value cannot be dropped here."""
    if absent := not_found("absent", names, opened.names):
        raise DataError(absent, opened.source)
    try:
        return load(opened, only=names, missing="keep")
    except DataError as error:
        problems = [replace(p, kind=_EMPTY) if p.kind == "empty column" else p for p in error.problems]
        raise DataError(problems, error.source) from error


def rows_to_count(table: Any, schema: Schema, missing: FitMissing | None, stage: str) -> Dataset:
    """The rows of a table that has all columns of a schema, as a stage counts them."""
    return _countable(load(table, schema=schema, missing="keep"), missing, stage)


def _countable(data: Dataset, missing: FitMissing | None, stage: str) -> Dataset:
    """Apply the choice for missing values: without one, rows are dropped only if they were before."""
    if missing is None:
        missing = "drop" if data.schema.preparation.reading.missing == "drop" else "error"
    if missing not in (*get_args(Missing), "em"):
        raise ValueError(f"missing must be 'error', 'drop', 'keep' or 'em', got {missing!r}.")
    if not data.is_complete:
        empty = np.flatnonzero((data.codes < 0).all(axis=1))
        if len(empty):
            message = f"all of its {data.num_rows} rows are missing"
            raise DataError([Problem(_EMPTY, message, data.schema[int(v)].name) for v in empty])
    if missing in ("keep", "em") and data.num_rows:
        return data
    return (data.complete() if missing == "drop" else data).require_complete(stage)


def check_sizes(sizes: list[int], schema: Schema) -> None:
    """Refuse tables that no memory has room for."""
    if sum(sizes) > MAX_TABLE_CELLS:
        largest = sizes.index(max(sizes))
        raise ValueError(
            f"The tables would have {sum(sizes):,} cells, {sizes[largest]:,} of them that of "
            f"{schema[largest].name!r}; at most {MAX_TABLE_CELLS:,} are made."
        )

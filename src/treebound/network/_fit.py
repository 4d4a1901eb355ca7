"""From a structure and a table to a network: count every family, smooth, divide."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_seed, check_type
from treebound._budget import Budget, as_budget, resolve_threads
from treebound._core import count_families
from treebound._progress import ProgressCallback, ProgressOption, watched
from treebound._run import complete, new_run
from treebound.data import Dataset, Hidden, Schema, StatesCriterion, check_hidden
from treebound.inference import MAX_TABLE_CELLS, ExpectedCounts, offsets, table_sizes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._em import Counting, Fitted, TableRows, maximise, observed_rows
from treebound.network._hidden_states import choose_states, held_out, states_by_size, with_states
from treebound.network._num_rows import num_rows_of, rows_counted
from treebound.network._rows_to_fit import FitMissing, rows_for
from treebound.network._smoothing import SMOOTHING_IN_WORDS, MarginalPrior, PseudoCount, Smoothing, estimate
from treebound.scoring import Bic
from treebound.structure import Structure, structure_of

DEFAULT_SMOOTHING = PseudoCount()
#: The priors that structural EM chooses from.
EM_PRIORS: tuple[Smoothing, ...] = (DEFAULT_SMOOTHING, *map(MarginalPrior, (25.0, 5.0)))
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
    hidden: Hidden | None = None,
    budget: Budget | float | None = None,
    seed: int = 0,
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
    hidden : mapping, optional
        Hidden variables of the structure, which the table has no column for, with their numbers of states,
        such as ``{"H": 8}``. ``"bic"`` and ``"held-out"`` choose the number by the BIC of the observed cells
        or by the likelihood of held-out rows. They are fitted by EM from several starts.
    budget : Budget or float, optional
        Limit on EM, in steps or seconds. By default it runs until it converges.
    seed : int
        Random seed of the starts of EM with hidden variables.
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

    A hidden variable that two columns depend on:

    >>> table = {"cough": ["no", "yes"] * 20, "fever": ["no", "yes"] * 20}
    >>> flu = tb.fit({"flu": [], "cough": ["flu"], "fever": ["flu"]}, table, hidden={"flu": 2})
    >>> print(f"{flu.posterior('fever', {'cough': 'yes'})['yes']:.2f}")
    0.99
    """
    check_type("smoothing", smoothing, Smoothing, SMOOTHING_IN_WORDS)
    limit = as_budget(budget)
    graph = structure_to_fit(structure)
    numbers = check_hidden(hidden)
    given = {name: states if isinstance(states, int) else 2 for name, states in numbers.items()}
    data = rows_for(graph, table, missing, given)
    if missing != "em" and not data.schema.hidden:
        return _counted(graph, data, smoothing, threads)
    with watched(progress) as callback:
        run = EmRun(graph, smoothing, limit, check_seed(seed), threads, callback)
        if given != numbers:
            return _with_chosen_states(run, observed_rows(data), numbers)
        return run.fitted(data)


@dataclass(frozen=True, eq=False)
class EmRun:
    """How to fit a structure to rows with missing values."""

    structure: Structure
    smoothing: Smoothing = DEFAULT_SMOOTHING
    budget: Budget | None = None
    seed: int = 0
    threads: int | None = None
    progress: ProgressCallback | None = None

    def fitted(self, data: Dataset, start: NDArray[np.float64] | None = None) -> BayesianNetwork:
        """Return the network that EM finds, from given CPTs, laid end to end, if there are any."""
        if data.is_complete:
            return _counted(self.structure, data, self.smoothing, self.threads)
        data = observed_rows(data)
        if data.is_complete:
            return _counted(self.structure, data, self.smoothing, self.threads)
        parents = self.structure.parent_indices
        sizes = table_sizes(parents, data.schema.cardinalities)
        check_sizes(sizes, data.schema)
        available = family_counts(parents, sizes, data, resolve_threads(self.threads))
        order = self.elimination_order
        expected = ExpectedCounts(parents, data, elimination_order=order, threads=self.threads)
        return self.maximised(expected, available, data.schema, data.total_weight, start)

    @property
    def elimination_order(self) -> tuple[int, ...] | None:
        """The order that proves a small treewidth, if the structure has one."""
        tree = self.structure.decomposition
        return None if tree is None else tree.elimination_order

    def maximised(
        self,
        expected: Counting,
        available: NDArray[np.float64],
        schema: Schema,
        total_weight: float,
        start: NDArray[np.float64] | None = None,
    ) -> BayesianNetwork:
        """Return the network that EM finds by any E-step; ``available`` counts complete families."""
        found = maximise(
            expected,
            TableRows(self.structure.parent_indices, schema),
            available,
            self.smoothing,
            start=start,
            seed=self.seed,
            budget=self.budget,
            progress=self.progress,
        )
        return network_of_em(self.structure, schema, total_weight, found, self.smoothing)


def _with_chosen_states(run: EmRun, data: Dataset, hidden: Hidden) -> BayesianNetwork:
    """Fit with numbers of states that the BIC or held-out rows choose; the budget covers all of it."""
    began = time.monotonic()

    def rest() -> EmRun:
        if run.budget is None or run.budget.seconds is None:
            return run
        left = max(0.0, run.budget.seconds - (time.monotonic() - began))
        return replace(run, budget=replace(run.budget, seconds=left))

    def measure(numbers: dict[str, int], criterion: StatesCriterion) -> tuple[float, BayesianNetwork]:
        rows = with_states(data, numbers)
        if criterion == "bic":
            network = rest().fitted(rows)
            likelihood = float(network.provenance["em"]["log_likelihood"])
            return observed_score(network, likelihood, rows.total_weight, Bic()), network
        train, test = held_out(rows, run.seed)
        network = rest().fitted(train)
        logs = network.log_likelihood_rows(test, threads=run.threads)
        return float(np.average(logs, weights=test.weights)), network

    numbers, best = choose_states(hidden, measure)
    # A network that was fitted to all rows is done.
    is_done = all(states != "held-out" for states in hidden.values())
    return best if is_done else rest().fitted(with_states(data, numbers))


def network_of_em(
    structure: Structure, schema: Schema, total_weight: float, found: Fitted, smoothing: Smoothing
) -> BayesianNetwork:
    """Return the network of CPTs that EM found."""
    sizes = table_sizes(structure.parent_indices, schema.cardinalities)
    own = structure if structure.schema == schema else replace(structure, schema=schema)
    history = {"smoothing": repr(smoothing), "em": found.facts()}
    tables = tuple(np.split(found.tables, np.cumsum(sizes)[:-1]))
    worth = num_rows_of(np.array([total_weight]))
    return states_by_size(BayesianNetwork(own, tables, worth, history))


def observed_score(network: BayesianNetwork, log_likelihood: float, num_rows: float, score: Bic) -> float:
    """Return the BIC of the observed cells, given their log-likelihood."""
    return log_likelihood - score.penalty * math.log(num_rows) / 2 * network.num_parameters


def _counted(
    structure: Structure, data: Dataset, smoothing: Smoothing, threads: int | None
) -> BayesianNetwork:
    sizes = table_sizes(structure.parent_indices, data.schema.cardinalities)
    check_sizes(sizes, data.schema)
    tables = family_counts(structure.parent_indices, sizes, data, resolve_threads(threads))
    return network_of_counts(structure, data.schema, tables, smoothing)


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


def family_counts(
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


def check_sizes(sizes: list[int], schema: Schema) -> None:
    """Reject tables that no memory has room for."""
    if sum(sizes) > MAX_TABLE_CELLS:
        largest = sizes.index(max(sizes))
        raise ValueError(
            f"The tables would have {sum(sizes):,} cells, {sizes[largest]:,} of them that of "
            f"{schema[largest].name!r}; at most {MAX_TABLE_CELLS:,} are made."
        )

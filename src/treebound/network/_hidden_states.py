"""States of hidden variables: how many there are, and in which order.

Exchanging two states of a hidden variable changes no distribution of observed variables, so the data do not
determine which state is which. States are put into the order of their probability, which makes networks of
different starts comparable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset, StatesCriterion, with_hidden_states
from treebound.network._bayesian_network import BayesianNetwork

# Further states are not tried after so many numbers in a row that are no better.
_MOST_WORSE = 2
_MOST_STATES = 32
#: Share of the rows that are held out.
HELD_OUT = 0.2

Tried = TypeVar("Tried")


def states_by_size(network: BayesianNetwork) -> BayesianNetwork:
    """Return the network with the most probable state of each hidden variable first."""
    schema = network.schema
    orders = {
        schema.position(name): np.argsort(-network.posterior(name).array, kind="stable")
        for name in schema.hidden
    }
    if not orders:
        return network
    tables = [
        _reordered(network.tables[child], (*family, child), schema.cardinalities, orders)
        for child, family in enumerate(network.parent_indices)
    ]
    return replace(network, tables=tuple(tables))


def _reordered(
    table: NDArray[np.float64],
    family: tuple[int, ...],
    cardinalities: tuple[int, ...],
    orders: Mapping[int, NDArray[np.intp]],
) -> NDArray[np.float64]:
    for place, variable in enumerate(family):
        if variable in orders:
            before = math.prod(cardinalities[v] for v in family[:place])
            table = table.reshape(before, cardinalities[variable], -1)[:, orders[variable]].ravel()
    return table


def with_states(data: Dataset, hidden: Mapping[str, int]) -> Dataset:
    """Return the rows with other numbers of states of hidden variables."""
    return Dataset(with_hidden_states(data.schema, hidden), data.codes, data.weights)


def choose_states(
    hidden: Mapping[str, int | StatesCriterion],
    measure: Callable[[dict[str, int], StatesCriterion], tuple[float, Tried]],
    most_trials: int | None = None,
) -> tuple[dict[str, int], Tried]:
    """Choose the numbers of states that are left open, for one variable after the other.

    ``measure`` returns how good numbers of states are by a criterion, and what it found with them; the best
    of that is returned too. A variable starts with two states and gets more while that is better.
    """
    numbers = {name: states if isinstance(states, int) else 2 for name, states in hidden.items()}
    best: tuple[float, Tried] | None = None
    trials = 0
    for name, criterion in hidden.items():
        if isinstance(criterion, int):
            continue
        best, num_worse = measure(numbers, criterion), 0
        trials += 1
        for states in range(3, _MOST_STATES + 1):
            if num_worse == _MOST_WORSE or (most_trials is not None and trials >= most_trials):
                break
            found = measure(numbers | {name: states}, criterion)
            trials += 1
            num_worse = 0 if found[0] > best[0] else num_worse + 1
            if found[0] > best[0]:
                best, numbers = found, numbers | {name: states}
    assert best is not None
    return numbers, best[1]


def held_out(data: Dataset, seed: int) -> tuple[Dataset, Dataset]:
    """Return the rows to learn from and a fifth of all rows to judge by."""
    if data.num_rows < 2:
        raise ValueError(f"Held-out rows need at least 2 rows, got {data.num_rows}. Use 'bic'.")
    order = np.random.default_rng(seed).permutation(data.num_rows)
    number = max(1, round(HELD_OUT * data.num_rows))
    return data.take(np.sort(order[number:])), data.take(np.sort(order[:number]))

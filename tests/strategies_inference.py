"""Hypothesis generators: small networks, zeros in their tables included, and evidence about them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import treebound
from reference import inference as reference

# Few distinct numbers, so that zeros and ties are common.
WEIGHTS = [0.0, 0.0, 1.0, 1.0, 2.0, 5.0, 1e-3]


@dataclass(frozen=True, eq=False)
class Case:
    """A network, its joint distribution, and evidence in both forms."""

    network: treebound.BayesianNetwork
    joint: np.ndarray
    evidence: dict[str, object]
    likelihoods: dict[int, np.ndarray]

    @property
    def weighted(self) -> np.ndarray:
        """P(all variables, evidence)."""
        return reference.weighted(self.joint, self.likelihoods)

    @property
    def is_possible(self) -> bool:
        """Whether the evidence is."""
        return bool(self.weighted.sum() > 0)


@st.composite
def schemas(draw: st.DrawFn, max_variables: int = 6) -> treebound.Schema:
    """A few variables with one to three states."""
    cards = draw(st.lists(st.integers(1, 3), min_size=1, max_size=max_variables))
    states = [tuple(f"s{state}" for state in range(card)) for card in cards]
    return treebound.Schema([treebound.Variable(f"v{v}", labels) for v, labels in enumerate(states)])


@st.composite
def networks_over(draw: st.DrawFn, schema: treebound.Schema) -> treebound.BayesianNetwork:
    """Any network over a schema, with or without an elimination order."""
    n, cards = len(schema), schema.cardinalities
    position = draw(st.permutations(range(n)))
    parents: list[tuple[int, ...]] = [()] * n
    for i, child in enumerate(position):
        chosen = draw(st.lists(st.sampled_from(position[:i]), max_size=3, unique=True)) if i else []
        parents[child] = tuple(chosen)
    # Drawn from one seed: far quicker than number by number.
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tables = [random_table(rng, cards[v], math.prod(cards[p] for p in parents[v])) for v in range(n)]
    order = draw(st.none() | st.permutations(range(n)))
    return treebound.BayesianNetwork.from_indices(schema, tuple(parents), tuple(tables), order)


def networks(max_variables: int = 6) -> st.SearchStrategy[treebound.BayesianNetwork]:
    """Any network of a few variables."""
    return schemas(max_variables).flatmap(networks_over)


def random_table(rng: np.random.Generator, num_states: int, num_rows: int) -> np.ndarray:
    """Rows of weights scaled to sum to one."""
    table = rng.choice(WEIGHTS, (num_rows, num_states))
    table[table.sum(axis=1) == 0] = 1
    return (table / table.sum(axis=1, keepdims=True)).ravel()


@st.composite
def cases(draw: st.DrawFn, max_variables: int = 6) -> Case:
    """A network with hard and soft findings, possible or not."""
    network = draw(networks(max_variables))
    state = [draw(st.integers(0, card - 1)) for card in network.schema.cardinalities]
    return draw(_cases_that_allow(network, _joint(network), state))


@st.composite
def possible_cases(draw: st.DrawFn, max_variables: int = 6, min_findings: int = 0) -> Case:
    """A network with findings that all allow one possible joint state."""
    network = draw(networks(max_variables))
    joint = _joint(network)
    state = draw(st.sampled_from(np.argwhere(joint > 0).tolist()))
    return draw(_cases_that_allow(network, joint, state, min_findings))


@st.composite
def _cases_that_allow(
    draw: st.DrawFn,
    network: treebound.BayesianNetwork,
    joint: np.ndarray,
    state: list[int],
    min_findings: int = 0,
) -> Case:
    """Findings none of which excludes its variable's state in ``state``."""
    evidence: dict[str, object] = {}
    likelihoods: dict[int, np.ndarray] = {}
    for v, variable in enumerate(network.schema):
        kinds = ["none", "none", "hard", "soft", "by label"]
        kind = draw(st.sampled_from(kinds[2:] if v < min_findings else kinds))
        if kind == "hard":
            evidence[variable.name] = variable.states[state[v]]
            likelihoods[v] = np.eye(variable.cardinality)[state[v]]
        elif kind != "none":
            weights = [draw(st.sampled_from(WEIGHTS)) for _ in variable.states]
            weights[state[v]] = draw(st.sampled_from([weight for weight in WEIGHTS if weight]))
            by_label = dict(zip(variable.states, weights, strict=True))
            evidence[variable.name] = weights if kind == "soft" else by_label
            likelihoods[v] = np.array(weights)
    return Case(network, joint, evidence, likelihoods)


def _joint(network: treebound.BayesianNetwork) -> np.ndarray:
    return reference.joint(network.parent_indices, network.tables, network.schema.cardinalities)


@st.composite
def rows_of(draw: st.DrawFn, network: treebound.BayesianNetwork, max_rows: int = 4) -> np.ndarray:
    """Codes of a few rows, -1 for cells that are not known."""
    num_rows = draw(st.integers(0, max_rows))
    columns = [
        draw(st.lists(st.integers(-1, card - 1), min_size=num_rows, max_size=num_rows))
        for card in network.schema.cardinalities
    ]
    return np.array(columns, dtype=np.int32).reshape(network.num_variables, num_rows)

"""Hypothesis generators: networks and evidence with numbers from one end of the doubles to the other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

import treebound
from strategies_inference import schemas

# From the least double there is to numbers beside which others still count.
TINY = [0.0, 5e-324, 3e-310, 1e-300, 7e-201, 1e-100, 1e-30, 1e-9, 1e-3]
LIKELIHOODS = [*TINY, 1.0, 2.0, 1e100, 3e200, 1.7e308]


@st.composite
def extreme_networks(
    draw: st.DrawFn, max_variables: int = 5, tiny: Sequence[float] = TINY
) -> treebound.BayesianNetwork:
    """Any network of a few variables; in each row of a table all states but one are improbable."""
    schema = draw(schemas(max_variables))
    n, cards = len(schema), schema.cardinalities
    position = draw(st.permutations(range(n)))
    parents: list[tuple[int, ...]] = [()] * n
    for i, child in enumerate(position):
        others = st.lists(st.sampled_from(position[:i]), max_size=3, unique=True) if i else st.just([])
        parents[child] = tuple(draw(others))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tables = [_extreme_table(rng, cards[v], math.prod(cards[p] for p in parents[v]), tiny) for v in range(n)]
    order = draw(st.none() | st.permutations(range(n)))
    return treebound.BayesianNetwork.from_indices(schema, tuple(parents), tuple(tables), order)


def _extreme_table(
    rng: np.random.Generator, num_states: int, num_rows: int, tiny: Sequence[float]
) -> np.ndarray:
    table = rng.choice(tiny, (num_rows, num_states))
    main = rng.integers(num_states, size=num_rows)
    table[np.arange(num_rows), main] = 0
    table[np.arange(num_rows), main] = 1 - table.sum(axis=1)
    return table.ravel()


@st.composite
def extreme_evidence(draw: st.DrawFn, network: treebound.BayesianNetwork) -> dict[int, list[float]]:
    """Likelihoods by variable; a hard finding is a single one among zeros."""
    found: dict[int, list[float]] = {}
    for v, card in enumerate(network.schema.cardinalities):
        kind = draw(st.sampled_from(["none", "hard", "soft"]))
        if kind == "hard":
            found[v] = np.eye(card)[draw(st.integers(0, card - 1))].tolist()
        elif kind == "soft":
            weights = draw(st.lists(st.sampled_from(LIKELIHOODS), min_size=card, max_size=card))
            found[v] = weights if any(weights) else [1.0] * card
    return found


def as_evidence(network: treebound.BayesianNetwork, likelihoods: dict[int, list[float]]) -> dict[str, object]:
    """The likelihoods as evidence by name, hard findings as labels."""
    evidence: dict[str, object] = {}
    for v, weights in likelihoods.items():
        variable = network.schema[v]
        is_hard = sorted(weights)[:-1] == [0.0] * (len(weights) - 1) and max(weights) == 1
        evidence[variable.name] = variable.states[weights.index(1)] if is_hard else weights
    return evidence

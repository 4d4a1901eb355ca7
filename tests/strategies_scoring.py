"""Hypothesis generators of small tables whose columns depend on each other: parents are worth having."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from treebound import Dataset, Schema, Variable


def make_dataset(codes, cards) -> Dataset:
    variables = [
        Variable(f"v{i}", tuple(str(state) for state in range(card))) for i, card in enumerate(cards)
    ]
    return Dataset(Schema(tuple(variables)), np.asarray(codes))


@st.composite
def small_datasets(draw, max_variables=5, min_states=1, max_states=4, max_rows=200):
    """Each column is a noisy function of up to two earlier ones; some rows repeat."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, max_variables))
    num_rows = draw(st.integers(2, max_rows))
    cards = draw(st.lists(st.integers(min_states, max_states), min_size=n, max_size=n))
    noise = draw(st.sampled_from([0.0, 0.1, 0.4, 1.0]))
    codes = np.zeros((n, num_rows), dtype=np.int64)
    for v in range(n):
        sources = rng.permutation(v)[:2]
        codes[v] = codes[sources].sum(axis=0) % cards[v]
        changed = rng.random(num_rows) < (noise if len(sources) else 1.0)
        codes[v, changed] = rng.integers(0, cards[v], num_rows)[changed]
    if draw(st.booleans()):
        codes = codes[:, rng.integers(0, max(1, num_rows // 4), num_rows)]
    return make_dataset(codes, cards)


def rows_of(data: Dataset) -> list[list[int]]:
    return data.codes.T.tolist()


def as_dict(cache) -> dict[int, dict[frozenset[int], float]]:
    """The cache in the form that the slow twins take."""
    return {v: {frozenset(s.parent_indices): s.score for s in cache[v]} for v in range(cache.num_variables)}

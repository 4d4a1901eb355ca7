"""The score that the authors' Java package calls BIC, to find which files the paper's Table 1 is about.

It is not BIC: counts are smoothed, sum n_xp (log(n_xp + 1 / (|X| |P|)) - log(n_p + 1 / |X|)), and the penalty
halves the number of parent states in whole numbers, (|P| // 2) log N (|X| - 1). Without parents it is
exact. The formula agrees with all scores in the published caches that can be recomputed from their rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from treebound import Dataset, ParentSetCache

Codes = NDArray[np.int64]


def smoothed_cache(data: Dataset, max_parents: int) -> ParentSetCache:
    """All parent sets up to a size, without those of which a subset scores as well."""
    codes, states = data.codes.astype(np.int64), data.schema.cardinalities
    kept: dict[str, list[tuple[tuple[int, ...], float]]] = {name: [] for name in data.schema.names}
    best: list[dict[tuple[int, ...], float]] = [{} for _ in states]
    for parents, joint in joint_codes(codes, states, max_parents):
        parent_states = int(np.prod([states[p] for p in parents], dtype=np.int64))
        for child, name in enumerate(data.schema.names):
            if child in parents:
                continue
            counts = np.bincount(
                joint * states[child] + codes[child], minlength=parent_states * states[child]
            )
            score = smoothed_score(counts.reshape(parent_states, states[child]))
            below = max(
                (best[child][tuple(p for p in parents if p != left)] for left in parents), default=-np.inf
            )
            best[child][parents] = max(score, below)
            if score > below:
                kept[name].append((parents, score))
    return ParentSetCache.from_sets(kept)


def joint_codes(
    codes: Codes, states: tuple[int, ...], max_parents: int
) -> Iterator[tuple[tuple[int, ...], Codes]]:
    """Every set of variables up to a size, small ones first, with the joint state of each row."""
    for size in range(max_parents + 1):
        for parents in combinations(range(len(states)), size):
            joint = np.zeros(codes.shape[1], dtype=np.int64)
            for parent in parents:
                joint = joint * states[parent] + codes[parent]
            yield parents, joint


def smoothed_score(counts: NDArray[np.int64]) -> float:
    """The score of a child from the counts of its states, one row per joint state of its parents."""
    parent_states, child_states = counts.shape
    log_rows = float(np.log(counts.sum()))
    if parent_states == 1:
        present = counts[counts > 0]
        return float(
            (present * np.log(present)).sum() - counts.sum() * log_rows - log_rows / 2 * (child_states - 1)
        )
    given = counts.sum(axis=1, keepdims=True)
    logs = np.log(counts + 1 / counts.size) - np.log(given + 1 / child_states)
    return float((counts * logs).sum() - parent_states // 2 * log_rows * (child_states - 1))

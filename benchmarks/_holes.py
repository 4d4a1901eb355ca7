"""Tables with holes: cells removed at random, and what is known about them."""

from __future__ import annotations

import os
import pathlib

import numpy as np

import treebound as tb
from _common import Skip


def published_network(name: str) -> tb.BayesianNetwork | Skip:
    """A network of the folder TREEBOUND_DATA."""
    path = pathlib.Path(os.environ.get("TREEBOUND_DATA", ""), "networks", f"{name}.bif.gz")
    if not path.exists():
        return Skip(f"{name}: TREEBOUND_DATA does not name a folder with networks/{name}.bif.gz.")
    return tb.load_network(path)


def at_random(data: tb.Dataset, share: float, seed: int) -> tb.Dataset:
    """The rows without a share of their cells, missing completely at random."""
    codes = data.codes.astype(np.int32)
    codes[np.random.default_rng(seed).random(codes.shape) < share] = -1
    return tb.Dataset(data.schema, codes)


def by_another(data: tb.Dataset, share: float, seed: int) -> tb.Dataset:
    """Missing at random, but not completely: every second column is complete and decides about the next.

    A cell is three times as likely to be missing where its neighbour has its most frequent state.
    """
    rng = np.random.default_rng(seed)
    codes = data.codes.astype(np.int32)
    for v in range(1, data.num_variables, 2):
        neighbour = data.codes[v - 1]
        is_usual = neighbour == np.bincount(neighbour).argmax()
        odds = np.where(is_usual, 3.0, 1.0)
        codes[v, rng.random(data.num_rows) < 2 * share * odds / odds.mean()] = -1
    return tb.Dataset(data.schema, codes)


def accuracy(filled: np.ndarray, truth: tb.Dataset, holes: tb.Dataset) -> float:
    """Share of missing cells that were filled in correctly."""
    is_missing = holes.codes < 0
    return float((filled[is_missing] == truth.codes[is_missing]).mean())

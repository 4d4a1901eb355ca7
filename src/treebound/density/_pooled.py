"""The tables of one network as logits: where the training of a smooth mixture starts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset
from treebound.inference import table_sizes
from treebound.structure import Structure

# A cell counts at least as often as its state does in this many rows drawn without parents.
_PRIOR_ROWS = 1.0


def pooled_logits(structure: Structure, rows: Dataset, weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return log-odds against the first state, for each joint state of the parents, variable by variable.

    Rows with gaps in a family do not count for it.
    """
    assert structure.schema is not None
    cardinalities = structure.schema.cardinalities
    sizes = table_sizes(structure.parent_indices, cardinalities)
    found = []
    for child, (family, size) in enumerate(zip(structure.parent_indices, sizes, strict=True)):
        places, known = _places(rows.codes, (*family, child), cardinalities)
        counts = np.bincount(places, weights[known], minlength=size).reshape(-1, cardinalities[child])
        marginal = counts.sum(axis=0) + 0.5
        smooth = counts + _PRIOR_ROWS * marginal / marginal.sum()
        found.append((np.log(smooth[:, 1:]) - np.log(smooth[:, :1])).ravel())
    return np.concatenate(found).astype(np.float32)


def _places(
    codes: NDArray[np.integer], family: tuple[int, ...], cardinalities: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return the cell of each row whose family is known, and which these are."""
    known = np.flatnonzero((codes[list(family)] >= 0).all(axis=0))
    place = np.zeros(len(known), dtype=np.int64)
    for v in family:
        place = place * cardinalities[v] + codes[v, known]
    return place, known

"""Structures with as many arcs as a limit on the treewidth allows.

A search stops adding arcs where its score says that rows are too few for them. Tables that back off to fewer
parents (``_backoff``) can use more, at no cost in treewidth: all arcs inside the bags of the witness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound.data import Dataset, Schema
from treebound.density._backoff import log_likelihood
from treebound.structure import Structure, TreeDecomposition

# Cells of all tables of one network; a family has its equal share of them.
_MOST_CELLS = 1 << 18
# All arcs are drawn where all variables together have no more joint states than this, or than rows.
_FEW_STATES = 1 << 17


def saturated(structure: Structure, rows: Dataset) -> Structure:
    """Return a structure within the same bags whose variables have all later neighbours as parents.

    Later is meant in the elimination order of the witness: parents then lie in one bag. Where a table would
    become too large, the parents that say least about the variable are left out.
    """
    most = _MOST_CELLS // len(structure.names)
    later = _later_neighbours(structure.witness)
    parents = [tuple(sorted(_within(child, later[child], rows, most))) for child in range(len(later))]
    return Structure(structure.names, tuple(parents), structure.witness, schema=rows.schema)


def is_small(rows: Dataset) -> bool:
    """Whether a network may have all arcs."""
    return math.prod(rows.schema.cardinalities) <= min(_FEW_STATES, rows.num_rows)


def complete(schema: Schema, order: Sequence[int]) -> Structure:
    """Return the structure in which all earlier variables are parents."""
    place = np.argsort(order)
    parents = [tuple(sorted(order[: place[child]])) for child in range(len(order))]
    bag = TreeDecomposition((tuple(range(len(order))),), ())
    return Structure(schema.names, tuple(parents), bag, schema=schema)


def by_entropy(rows: Dataset) -> list[int]:
    """Return the variables, the least uncertain one first."""
    return sorted(range(len(rows.schema)), key=lambda v: -log_likelihood(_counts(rows, (v,))[None]))


def _later_neighbours(witness: TreeDecomposition) -> list[set[int]]:
    order = witness.elimination_order
    place = {v: number for number, v in enumerate(order)}
    found: list[set[int]] = [set() for _ in order]
    for bag in witness.bags:
        for v in bag:
            found[v].update(other for other in bag if place[other] > place[v])
    return found


def _within(child: int, parents: set[int], rows: Dataset, most_cells: int) -> set[int]:
    """Return the parents that say most about the child, as many as the limit on cells allows."""
    states = rows.schema.cardinalities
    kept, cells = set(parents), math.prod(states[v] for v in (child, *parents))
    if cells <= most_cells:
        return kept
    said = {v: log_likelihood(_counts(rows, (v, child))) for v in sorted(parents)}
    for v in sorted(said, key=said.__getitem__):
        if cells <= most_cells:
            break
        kept.remove(v)
        cells //= states[v]
    return kept


def _counts(rows: Dataset, family: tuple[int, ...]) -> NDArray[np.float64]:
    """Count the joint states of complete rows, with an axis for each variable."""
    states = [rows.schema.cardinalities[v] for v in family]
    places = np.ravel_multi_index([rows.codes[v] for v in family], states)
    return np.bincount(places, rows.weights, math.prod(states)).reshape(states).astype(np.float64)

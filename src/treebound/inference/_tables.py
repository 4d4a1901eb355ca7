"""Parents and tables of a network as flat arrays, checked on the way: the form that the core reads."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound._arguments import check_type
from treebound._ordering import orderable
from treebound.data import Schema
from treebound.structure import find_cycle

# Sums of rows off by no more than this are left alone, so what is written comes back bit by bit.
EXACT = 1e-9
# Rows off by up to this are divided by their sum: three times 0.33 makes 0.99. Anything beyond is rejected.
ROUNDING = 0.01 + EXACT

logger = logging.getLogger(__name__)

# Four gigabytes of probabilities: far beyond the paper's networks, but only a few parents away.
MAX_TABLE_CELLS = 1 << 29


@dataclass(frozen=True, eq=False)
class FlatTables:
    """Variable v has ``parents[parent_offsets[v]:parent_offsets[v + 1]]``; so is its table."""

    cardinalities: NDArray[np.uint32]
    topological_order: NDArray[np.uint32]
    parent_offsets: NDArray[np.int64]
    parents: NDArray[np.uint32]
    table_offsets: NDArray[np.int64]
    tables: NDArray[np.float64]

    def parents_of(self) -> tuple[tuple[int, ...], ...]:
        """Parents of each variable as plain integers."""
        flat, ends = self.parents.tolist(), self.parent_offsets.tolist()
        return tuple(tuple(flat[first:last]) for first, last in pairwise(ends))

    def tables_of(self) -> tuple[NDArray[np.float64], ...]:
        """Table of each variable, as a view."""
        return tuple(np.split(self.tables, self.table_offsets[1:-1]))


class TabledNetwork(Protocol):
    """What junction trees are made of, whoever brings it."""

    @property
    def schema(self) -> Schema:
        """The variables."""

    @property
    def flat_tables(self) -> FlatTables:
        """Parents and tables, checked."""

    @property
    def elimination_order(self) -> tuple[int, ...] | None:
        """The witness of a small treewidth, if there is one."""


def flatten_tables(
    schema: Schema, parents: Sequence[tuple[int, ...]], tables: Sequence[ArrayLike]
) -> FlatTables:
    """Check everything that tables promise; ``ValueError`` names the first variable that breaks it."""
    names, cardinalities = schema.names, schema.cardinalities
    order = orderable(parents)
    if len(order) < len(parents):
        cycle = " -> ".join(repr(names[v]) for v in find_cycle(parents))
        raise ValueError(f"The arcs must not form a cycle, got {cycle}.")
    flat = FlatTables(
        cardinalities=np.array(cardinalities, dtype=np.uint32),
        topological_order=np.array(order, dtype=np.uint32),
        parent_offsets=offsets([len(family) for family in parents]),
        parents=np.array([parent for family in parents for parent in family], dtype=np.uint32),
        table_offsets=offsets(table_sizes(parents, cardinalities)),
        tables=np.concatenate(check_shapes(tables, parents, schema)),
    )
    _check_probabilities(flat, names)
    flat.tables.setflags(write=False)
    return flat


def offsets(sizes: ArrayLike) -> NDArray[np.int64]:
    """Where each of several runs starts when they are laid end to end, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def table_sizes(parents: Sequence[Sequence[int]], cardinalities: Sequence[int]) -> list[int]:
    """How many numbers the table of each variable holds."""
    return [
        cardinalities[child] * math.prod(cardinalities[parent] for parent in family)
        for child, family in enumerate(parents)
    ]


def check_shapes(
    tables: Sequence[ArrayLike], parents: Sequence[tuple[int, ...]], schema: Schema
) -> list[NDArray[np.float64]]:
    """Return the table of each variable as a flat array of the size that its family needs."""
    check_type("tables", tables, Sequence, "a sequence with the table of each variable")
    sizes = table_sizes(parents, schema.cardinalities)
    if len(tables) != len(sizes):
        raise ValueError(f"Expected the tables of {len(sizes)} variables, got {len(tables)}.")
    flat = [np.asarray(table, dtype=np.float64) for table in tables]
    for child, (table, size) in enumerate(zip(flat, sizes, strict=True)):
        if table.shape != (size,):
            states = schema.cardinalities[child]
            raise ValueError(
                f"The table of {schema.names[child]!r} (variable {child}) must be a flat array of {size} "
                f"numbers, {states} states times {size // states} joint states of its "
                f"{len(parents[child])} parents, got an array of shape {table.shape}."
            )
    return flat


def _check_probabilities(flat: FlatTables, names: Sequence[str]) -> None:
    # not (x >= 0) is also true of numbers that are not numbers.
    wrong = np.flatnonzero(~(flat.tables >= 0))
    if wrong.size:
        child = _owner(flat.table_offsets, wrong[0])
        raise ValueError(
            f"The table of {names[child]!r} (variable {child}) must hold probabilities, got "
            f"{flat.tables[wrong[0]]} at position {wrong[0] - flat.table_offsets[child]}."
        )
    sums, lengths = row_sums(flat)
    row_starts = offsets(lengths)[:-1]
    off = np.abs(sums - 1)
    wrong = np.flatnonzero(~(off <= ROUNDING))
    if wrong.size:
        child = _owner(flat.table_offsets, row_starts[wrong[0]])
        joint_state = (row_starts[wrong[0]] - flat.table_offsets[child]) // flat.cardinalities[child]
        raise ValueError(
            f"The probabilities of {names[child]!r} (variable {child}) must sum to 1 for each joint state "
            f"of its parents, got {sums[wrong[0]]:.6g} for joint state {joint_state}."
        )
    rough = off > EXACT
    if rough.any():
        flat.tables[:] /= np.repeat(np.where(rough, sums, 1.0), lengths)
        logger.warning(
            "%d rows of probabilities did not sum to 1 and were rescaled, the worst sum was %.6g",
            np.count_nonzero(rough),
            sums[int(np.argmax(off))],
        )


def row_sums(flat: FlatTables) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """Sum and length of every row of every table."""
    num_rows = np.diff(flat.table_offsets) // flat.cardinalities
    lengths = np.repeat(flat.cardinalities, num_rows)
    return np.add.reduceat(flat.tables, offsets(lengths)[:-1]), lengths


def _owner(table_offsets: NDArray[np.int64], position: np.int64) -> int:
    """The variable whose table holds a position of the flat array."""
    return int(np.searchsorted(table_offsets, position, side="right")) - 1

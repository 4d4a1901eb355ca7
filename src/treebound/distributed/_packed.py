"""Encoded rows in their smallest form, as they travel to workers and stay there.

A code takes 1, 2, 4, 8 or 16 bits, by the number of states of its variable: a table of binary columns takes
an eighth of its codes. Each variable begins with a byte of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.data import Dataset, Schema, code_type, layout_bytes
from treebound.distributed._memory import Sized


@dataclass(frozen=True, eq=False)
class PackedRows(Sized):
    """The codes of some rows of a table, packed."""

    cardinalities: tuple[int, ...]
    num_rows: int
    packed: NDArray[np.uint8]

    @classmethod
    def of(cls, codes: NDArray[Any], cardinalities: Sequence[int]) -> PackedRows:
        """Pack codes of shape (variables, rows)."""
        columns = [_pack(column, _bits(states)) for column, states in zip(codes, cardinalities, strict=True)]
        return cls(tuple(cardinalities), codes.shape[1], np.concatenate(columns))

    @property
    def nbytes(self) -> int:
        """What travels."""
        return self.packed.nbytes

    @property
    def layout_bytes(self) -> int:
        """What the rows take when they are laid out for counting."""
        return layout_bytes(self.cardinalities, self.num_rows)

    def codes(self) -> NDArray[Any]:
        """The codes again."""
        codes = np.empty((len(self.cardinalities), self.num_rows), dtype=code_type(max(self.cardinalities)))
        first = 0
        for v, states in enumerate(self.cardinalities):
            size = packed_bytes(states, self.num_rows)
            codes[v] = _unpack(self.packed[first : first + size], _bits(states), self.num_rows)
            first += size
        return codes

    def in_core(
        self, collapse: _core.Dataset.Collapse = _core.Dataset.Collapse.when_it_pays
    ) -> _core.Dataset:
        """The rows laid out for counting."""
        return _core.Dataset(self.codes(), list(self.cardinalities), collapse)


@dataclass(frozen=True, eq=False)
class PackedDataset:
    """A dataset as it travels."""

    schema: Schema
    rows: PackedRows

    @classmethod
    def of(cls, data: Dataset) -> PackedDataset:
        """Pack complete rows."""
        return cls(data.schema, PackedRows.of(data.codes, data.schema.cardinalities))

    def dataset(self) -> Dataset:
        """The dataset again."""
        codes = self.rows.codes()
        codes.flags.writeable = False
        return Dataset(self.schema, codes)


def packed_bytes(num_states: int, num_rows: int) -> int:
    """Bytes of a packed variable."""
    return -(-num_rows * _bits(num_states) // 8)


def _bits(num_states: int) -> int:
    return next(bits for bits in (1, 2, 4, 8, 16) if num_states <= 1 << bits)


def _pack(column: NDArray[Any], bits: int) -> NDArray[np.uint8]:
    if bits == 16:
        return np.ascontiguousarray(column, dtype="<u2").view(np.uint8)
    column = np.ascontiguousarray(column, dtype=np.uint8)
    if bits == 8:
        return column
    if bits == 1:
        return np.packbits(column, bitorder="little")
    per_byte = 8 // bits
    places = np.zeros((-(-len(column) // per_byte), per_byte), dtype=np.uint8)
    places.reshape(-1)[: len(column)] = column
    places <<= np.arange(0, 8, bits, dtype=np.uint8)
    packed: NDArray[np.uint8] = np.bitwise_or.reduce(places, axis=1)
    return packed


def _unpack(packed: NDArray[np.uint8], bits: int, num_rows: int) -> NDArray[Any]:
    if bits == 16:
        return packed.view("<u2")
    if bits == 8:
        return packed
    if bits == 1:
        return np.unpackbits(packed, count=num_rows, bitorder="little")
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    places = packed[:, None] >> shifts & np.uint8((1 << bits) - 1)
    return places.reshape(-1)[:num_rows]

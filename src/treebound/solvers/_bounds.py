"""What bounds the bags: their number of variables, of joint states, both, or nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.data import Schema
from treebound.scoring.cache import ParentSetCache


@dataclass(frozen=True)
class Bounds:
    """The bounds as requested, and the width that follows from them."""

    max_treewidth: int | None
    max_cells: int | None
    width: int
    cardinalities: NDArray[np.uint32]  # empty if states are not bounded

    @classmethod
    def of(cls, cache: ParentSetCache, max_treewidth: int | None, max_cells: int | None) -> Bounds:
        """Check what was requested against the cache."""
        return cls.within(cache.num_variables, cache.schema, max_treewidth, max_cells)

    @classmethod
    def within(
        cls, num_variables: int, schema: Schema | None, max_treewidth: int | None, max_cells: int | None
    ) -> Bounds:
        """Check what was requested against the variables."""
        width = num_variables - 1 if max_treewidth is None else max_treewidth
        width = min(width, num_variables - 1)
        if max_cells is None:
            return cls(max_treewidth, None, width, np.zeros(0, dtype=np.uint32))
        if schema is None:
            raise ValueError("max_cells needs the numbers of states, and the cache has no schema.")
        cardinalities = np.array(schema.cardinalities, dtype=np.uint32)
        largest = int(cardinalities.max())
        if max_cells < largest:
            name = schema.names[int(cardinalities.argmax())]
            raise ValueError(
                f"max_cells must be at least {largest}, the states of {name!r} alone, got {max_cells}."
            )
        # More than log2 of the states never fit, besides constant columns, which always do.
        most = int(math.log2(max_cells)) + int(np.count_nonzero(cardinalities < 2))
        return cls(max_treewidth, max_cells, min(width, most), cardinalities)

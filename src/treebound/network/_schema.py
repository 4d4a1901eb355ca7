"""Names and states of the variables, as the network needs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Variable:
    """A name and its states."""

    name: str
    states: tuple[str, ...]
    kind: str = "text"


@dataclass(frozen=True)
class Schema:
    """The variables of a table, in the order of its columns."""

    variables: tuple[Variable, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names in column order."""
        return tuple(v.name for v in self.variables)

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each variable."""
        return tuple(len(v.states) for v in self.variables)

    def __len__(self) -> int:
        return len(self.variables)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Encoded rows: one row of ``codes`` per variable."""

    schema: Schema
    codes: NDArray[np.uint8] | NDArray[np.uint16]

"""Distributions as data frames: a row for each joint state, a column for each variable, and probabilities."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import shown
from treebound.data import Variable

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]


def values_of(variable: Variable) -> list[Any]:
    """The states as evidence takes them: integers, floats and booleans as such, all else by its label.

    So is a state for missing cells.
    """
    return [
        label if value is None else value
        for value, label in zip(variable.state_values, variable.states, strict=True)
    ]


def long_frame(variables: Sequence[Variable], array: NDArray[np.float64], backend: Backend) -> Any:
    """A frame with a row for each cell of an array that has an axis for each variable, the last fastest."""
    cells = np.indices(array.shape).reshape(len(variables), -1)
    columns: dict[str, list[Any]] = {
        variable.name: [variable.state_values[code] for code in codes.tolist()]
        for variable, codes in zip(variables, cells, strict=True)
    }
    columns[probability_column(columns)] = array.ravel().tolist()
    return frame_of(columns, backend)


def probability_column(names: Collection[str]) -> str:
    """The name of the column of probabilities, which none of the variables has."""
    name = "probability"
    while name in names:
        name += "_"
    return name


def frame_of(columns: dict[str, list[Any]], backend: Backend) -> Any:
    """Columns as a frame of a library."""
    import narwhals.stable.v2 as nw

    if backend not in get_args(Backend):
        raise ValueError(f"backend must be 'pandas', 'polars' or 'pyarrow', got {shown(backend)}.")
    return nw.from_dict(columns, backend=backend).to_native()

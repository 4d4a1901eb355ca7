"""Encoded rows: one small integer per cell, one contiguous run per variable, with the schema they obey.

This is the one value for rows wherever rows occur: complete or with missing cells, each row counting once or
by its weight. Hidden variables are columns in which every cell is missing; the schema declares their states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_type, shown
from treebound._description import MOST_ROWS, Cell, Described, Description, Histogram, Table
from treebound._visible import counted
from treebound.data._codes import Codes, canonical_codes, code_type, with_gaps
from treebound.data._fingerprint import Fingerprint
from treebound.data._problems import DataError, Problem
from treebound.data._schema import Schema
from treebound.data._variable import Variable

# To which the layout of the core is padded.
_ROWS_PER_BLOCK = 512

#: What stands for the number of a column that was cut.
Bins: TypeAlias = Literal["label", "median", "draw"]

_MOST_STATES = 30


def layout_bytes(cardinalities: Sequence[int], num_rows: int) -> int:
    """What rows take in memory laid out for counting, next to their codes, if none are collapsed.

    A plane of one bit per row for every state but one, and codes of all variables but binary ones.
    """
    words = -(-num_rows // _ROWS_PER_BLOCK) * _ROWS_PER_BLOCK // 64
    planes = sum(r - 1 for r in cardinalities if r <= _core.Dataset.MAX_PLANE_STATES)
    code_bytes = np.dtype(code_type(max(cardinalities))).itemsize
    return words * (8 * planes + 64 * code_bytes * sum(r != 2 for r in cardinalities))


@dataclass(frozen=True, eq=False)
class Dataset(Described):
    """Rows of a table as codes, with missing cells and weights where there are any.

    Parameters
    ----------
    schema : Schema
        The variables with their states.
    codes : array of int, shape (variables, rows)
        The position of each cell's state, -1 for missing cells. Stored C-contiguous and read-only; uint8 or
        uint16 if no cell is missing, else int32.
    weights : array-like of float, optional
        What each row counts: finite, not negative, and not all zero. None if each row counts once.
    drawn_with : int, optional
        The seed of rows that a network drew; their numbers are drawn too (see ``to_dict``).

    Examples
    --------
    >>> import treebound as tb
    >>> data = tb.load({"rain": ["no", "yes", None], "wet": ["no", "yes", "yes"]}, missing="keep")
    >>> data.is_complete, data.codes.tolist()
    (False, [[0, 1, -1], [0, 1, 1]])
    >>> data.complete().num_rows
    2
    """

    schema: Schema
    codes: Codes
    weights: NDArray[np.float64] | None = None
    drawn_with: int | None = None

    def __post_init__(self) -> None:
        check_type("schema", self.schema, Schema, "a Schema")
        object.__setattr__(self, "codes", canonical_codes(self.codes, self.schema))
        if self.weights is not None:
            object.__setattr__(self, "weights", checked_weights(self.weights, self.num_rows))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        if self.schema != other.schema or not np.array_equal(self.codes, other.codes):
            return False
        if self.weights is None or other.weights is None:
            return self.weights is other.weights
        return np.array_equal(self.weights, other.weights)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Dataset], tuple[object, ...]]:
        return Dataset, (self.schema, self.codes, self.weights, self.drawn_with)

    def __repr__(self) -> str:
        rows = "" if self.drawn_with is None else "; to_frame() gives the rows"
        return f"<Dataset: {self.summary}{rows}>"

    __str__ = __repr__

    def describe(self) -> Description:
        """Return the variables with their states and counts."""
        rows: list[list[Cell]] = []
        for v in range(min(self.num_variables, MOST_ROWS)):
            variable = self.schema[v]
            counts = np.bincount(_known(self.codes[v]), minlength=variable.cardinality)[
                :_MOST_STATES
            ].tolist()
            labels = ", ".join(variable.states[:_MOST_STATES])
            rows.append([variable.name, variable.kind, str(variable.cardinality), labels, Histogram(counts)])
        headings = ["variable", "kind", "states", "labels", "counts"]
        table = Table(headings, rows, self.num_variables - len(rows))
        return Description(f"Dataset: {self.summary}", tables=[table])

    @property
    def num_rows(self) -> int:
        """Number of rows of the table."""
        return int(self.codes.shape[1])

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return int(self.codes.shape[0])

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return self.codes.dtype.kind == "u"

    @property
    def total_weight(self) -> float:
        """What all rows count together: their number, or the sum of their weights."""
        return float(self.num_rows) if self.weights is None else float(self.weights.sum())

    def take(self, rows: NDArray[Any]) -> Dataset:
        """Return some of the rows, by their positions or by a mask."""
        chosen = _positions(rows, self.num_rows)
        weights = None if self.weights is None else self.weights[chosen]
        return Dataset(self.schema, self.codes[:, chosen], weights)

    def without_hidden(self) -> Dataset:
        """Return the rows without the columns of hidden variables."""
        if not self.schema.hidden:
            return self
        kept = self.schema.observed
        schema = Schema(tuple(self.schema[int(v)] for v in kept), self.schema.preparation)
        return Dataset(schema, self.codes[kept], self.weights)

    def complete(self) -> Dataset:
        """Return the rows without missing cells; those of hidden variables do not count."""
        if self.is_complete:
            return self
        codes = self.codes[self.schema.observed] if self.schema.hidden else self.codes
        return self.take(np.flatnonzero((codes >= 0).all(axis=0)))

    def column(self, name: str) -> Codes:
        """The codes of one variable."""
        codes: Codes = self.codes[self.schema.position(name)]
        return codes

    @cached_property
    def in_core(self) -> _core.Dataset:
        """The rows laid out for counting: bit planes, identical rows collapsed where that pays."""
        self.require_countable("counting")
        return _core.Dataset(self.codes, list(self.schema.cardinalities))

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of this table; equal tables have equal ones."""
        return Fingerprint.of(self.schema, self.codes)

    def require_complete(self, stage: str) -> Dataset:
        """Return the dataset if a stage can count it: some rows, all of them complete; else raise DataError.

        This is the one place where rows with missing cells are rejected. ``stage`` starts the message.
        """
        if self.num_rows == 0:
            raise DataError([Problem("empty", "at least one row is needed, got none")])
        if not self.is_complete:
            is_missing = self.codes < 0
            num_rows = int(np.count_nonzero(is_missing.any(axis=0)))
            first = self.schema.names[int(np.argmax(is_missing.any(axis=1)))]
            have = "has" if num_rows == 1 else "have"
            message = (
                f"{stage} needs complete rows; {num_rows:,} of {self.num_rows:,} rows {have} missing values, "
                f"e.g. column {first!r}"
            )
            raise DataError([Problem("incomplete", message)])
        return self

    def require_countable(self, stage: str) -> Dataset:
        """Return the dataset if, besides, each row counts once: scores count rows, not weights."""
        if self.weights is not None:
            raise ValueError(f"{stage} counts each row once, but the rows have weights. Drop the weights.")
        return self.require_complete(stage)

    @cached_property
    def constant_columns(self) -> tuple[str, ...]:
        """Names of the variables of which only one state occurs in these rows."""
        if self.num_rows == 0:
            return ()
        codes = self.codes if self.is_complete else np.where(self.codes < 0, 1 << 16, self.codes)
        same = codes.min(axis=1) == self.codes.max(axis=1)
        return tuple(name for name, is_constant in zip(self.schema.names, same, strict=True) if is_constant)

    @cached_property
    def summary(self) -> str:
        """One line on the size of the table."""
        fewest, most = min(self.schema.cardinalities), max(self.schema.cardinalities)
        states = counted(most, "state") if fewest == most else f"{fewest} to {most} states"
        constant = f", {len(self.constant_columns)} constant" if self.constant_columns else ""
        num_missing = int(np.count_nonzero(self.codes < 0))
        gaps = f", {counted(num_missing, 'missing cell')}" if num_missing else ""
        weighted = "" if self.weights is None else f", total weight {self.total_weight:g}"
        rows = f"{self.num_rows} row{'' if self.num_rows == 1 else 's'}"
        variables = f"{self.num_variables} variable{'' if self.num_variables == 1 else 's'}"
        return f"{rows}, {variables} of {states}{constant}{gaps}{weighted}"

    def to_dict(self, bins: Bins | None = None) -> dict[str, NDArray[Any]]:
        """The values of all columns, by name: integers, booleans and floats as such, the rest as labels.

        For a binned column, ``bins`` returns the ``"label"`` of each bin, the ``"median"`` of its numbers, or
        one of its numbers at random (``"draw"``). The default is ``"draw"`` for rows that a network drew and
        ``"label"`` for all others. Missing cells are NaN in a column of numbers and None in any other.
        """
        if bins is not None and bins not in get_args(Bins):
            raise ValueError(f"bins must be 'label', 'median' or 'draw', got {bins!r}.")
        how = bins or ("label" if self.drawn_with is None else "draw")
        rng = np.random.default_rng(self.drawn_with or 0)
        return {v.name: _values(v, codes, how, rng) for v, codes in zip(self.schema, self.codes, strict=True)}

    def to_frame(
        self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas", bins: Bins | None = None
    ) -> Any:
        """The values as a data frame of ``"pandas"``, ``"polars"`` or ``"pyarrow"``; ``bins`` as above."""
        import narwhals.stable.v2 as nw

        check_type("backend", backend, str, "'pandas', 'polars' or 'pyarrow'")
        return nw.from_dict(self.to_dict(bins), backend=backend).to_native()


def checked_weights(weights: Any, num_rows: int) -> NDArray[np.float64]:
    """Return one weight for each row, read-only: finite, none negative, some positive."""
    array = np.asarray(weights)
    if array.shape != (num_rows,) or array.dtype.kind not in "biuf":
        raise ValueError(
            f"weights must hold one number for each of the {num_rows} rows, "
            f"got shape {array.shape} and type {array.dtype}."
        )
    numbers = array.astype(np.float64)
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(f"weights must be finite and not below 0, got {numbers[row]} in row {row + 1}.")
    if num_rows and not numbers.any():
        raise ValueError("weights must have at least one above 0, got none.")
    with np.errstate(over="ignore"):
        total = numbers.sum()
    if not np.isfinite(total):
        raise ValueError(
            f"The sum of weights must be finite, but the largest of {num_rows:,} weights is "
            f"{numbers.max():g}. Divide all weights by the same number."
        )
    numbers.flags.writeable = False
    return numbers


def _known(codes: Codes) -> Codes:
    return codes if codes.dtype.kind == "u" else codes[codes >= 0]


def _values(variable: Variable, codes: Codes, bins: Bins, rng: np.random.Generator) -> NDArray[Any]:
    if codes.dtype.kind == "u" and not variable.has_missing_state:
        return _known_values(variable, codes, bins, rng)
    is_known = (codes >= 0) & (codes != variable.missing_code)
    return with_gaps(_known_values(variable, codes[is_known], bins, rng), is_known)


def _known_values(variable: Variable, codes: Codes, bins: Bins, rng: np.random.Generator) -> NDArray[Any]:
    if variable.edges is None or bins == "label":
        return variable.decode(codes)
    numbers = variable.median(codes) if bins == "median" else variable.draw_inside(codes, rng)
    return numbers.astype(np.int64) if variable.is_whole else numbers


def _positions(rows: NDArray[Any], num_rows: int) -> NDArray[np.intp]:
    chosen = np.asarray(rows)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iub"):
        raise TypeError(f"rows must be an array of positions or a mask, got {shown(rows)}.")
    if chosen.dtype.kind == "b":
        if len(chosen) != num_rows:
            raise ValueError(f"a mask must have {num_rows} entries, one per row, got {len(chosen)}.")
        return np.flatnonzero(chosen)
    if chosen.size and not 0 <= int(chosen.min()) <= int(chosen.max()) < num_rows:
        raise ValueError(f"rows must be positions from 0 to {num_rows - 1}, got {shown(rows)}.")
    return chosen.astype(np.intp)

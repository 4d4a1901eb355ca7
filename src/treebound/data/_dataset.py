"""Encoded rows: one small integer per cell, one contiguous run per variable, beside the schema they obey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_type
from treebound._description import MOST_ROWS, Cell, Described, Description, Histogram, Table
from treebound.data._codes import checked_codes
from treebound.data._fingerprint import Fingerprint
from treebound.data._problems import DataError, Problem
from treebound.data._schema import Schema
from treebound.data._variable import Variable

# To which the layout of the core is padded.
_ROWS_PER_BLOCK = 512

Codes: TypeAlias = NDArray[np.unsignedinteger[Any]]
#: What stands for the number of a column that was cut.
Bins: TypeAlias = Literal["label", "median", "draw"]

_MOST_STATES = 30


def code_type(cardinality: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest type for the codes of a table whose largest cardinality is given."""
    return np.uint8 if cardinality <= 256 else np.uint16


def layout_bytes(cardinalities: Sequence[int], num_rows: int) -> int:
    """What rows take in memory laid out for counting, beside their codes, if none are collapsed.

    A plane of one bit per row for every state but one, and codes of all variables but binary ones.
    """
    words = -(-num_rows // _ROWS_PER_BLOCK) * _ROWS_PER_BLOCK // 64
    planes = sum(r - 1 for r in cardinalities if r <= _core.Dataset.MAX_PLANE_STATES)
    code_bytes = np.dtype(code_type(max(cardinalities))).itemsize
    return words * (8 * planes + 64 * code_bytes * sum(r != 2 for r in cardinalities))


@dataclass(frozen=True, eq=False)
class Dataset(Described):
    """Rows of a table as codes.

    ``codes`` has one row per variable and one column per row of the table, is C-contiguous and read-only, and
    of type uint8 if no variable has more than 256 states, else uint16. ``drawn_with`` is the seed of rows
    that a network drew; their numbers are drawn too (see ``to_dict``).
    """

    schema: Schema
    codes: Codes
    drawn_with: int | None = None

    def __post_init__(self) -> None:
        check_type("schema", self.schema, Schema, "a Schema")
        codes: NDArray[Any] = checked_codes(self.codes, self.schema, may_lack=False)
        wanted = code_type(max(self.schema.cardinalities))
        # Read-only codes are not copied.
        if codes.flags.writeable or not codes.flags.c_contiguous or codes.dtype != wanted:
            codes = np.array(codes, dtype=wanted, order="C")
            codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self.schema == other.schema and np.array_equal(self.codes, other.codes)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Dataset], tuple[Schema, Codes, int | None]]:
        return Dataset, (self.schema, self.codes, self.drawn_with)

    def __repr__(self) -> str:
        rows = "" if self.drawn_with is None else "; to_frame() gives the rows"
        return f"<Dataset: {self.summary}{rows}>"

    __str__ = __repr__

    def describe(self) -> Description:
        """Return the variables with their states and counts."""
        rows: list[list[Cell]] = []
        for v in range(min(self.num_variables, MOST_ROWS)):
            variable = self.schema[v]
            counts = np.bincount(self.codes[v], minlength=variable.cardinality)[:_MOST_STATES].tolist()
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

    def column(self, name: str) -> Codes:
        """The codes of one variable."""
        codes: Codes = self.codes[self.schema.position(name)]
        return codes

    @cached_property
    def in_core(self) -> _core.Dataset:
        """The rows laid out for counting: bit planes, identical rows collapsed where that pays."""
        return _core.Dataset(self.codes, list(self.schema.cardinalities))

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of this table; equal tables have equal ones."""
        return Fingerprint.of(self.schema, self.codes)

    def check_rows(self) -> None:
        """Refuse a table without rows: there is nothing to count."""
        if self.num_rows == 0:
            raise DataError([Problem("empty", "at least one row is needed, got none")])

    @cached_property
    def constant_columns(self) -> tuple[str, ...]:
        """Names of the variables of which only one state occurs in these rows."""
        if self.num_rows == 0:
            return ()
        same = self.codes.min(axis=1) == self.codes.max(axis=1)
        return tuple(name for name, is_constant in zip(self.schema.names, same, strict=True) if is_constant)

    @cached_property
    def summary(self) -> str:
        """One line on the size of the table."""
        fewest, most = min(self.schema.cardinalities), max(self.schema.cardinalities)
        states = f"{most} states" if fewest == most else f"{fewest} to {most} states"
        constant = f", {len(self.constant_columns)} constant" if self.constant_columns else ""
        return f"{self.num_rows} rows, {self.num_variables} variables of {states}{constant}"

    def to_dict(self, bins: Bins | None = None) -> dict[str, NDArray[Any]]:
        """The values of all columns, by name: integers, booleans and floats as such, the rest as labels.

        For a binned column, ``bins`` returns the ``"label"`` of each bin, the ``"median"`` of its numbers, or
        one of its numbers at random (``"draw"``). The default is ``"draw"`` for rows that a network drew and
        ``"label"`` for all others.
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


def _values(variable: Variable, codes: Codes, bins: Bins, rng: np.random.Generator) -> NDArray[Any]:
    if variable.edges is None or bins == "label":
        return variable.decode(codes)
    numbers = variable.median(codes) if bins == "median" else variable.draw_inside(codes, rng)
    return numbers.astype(np.int64) if variable.is_whole else numbers

"""What a table says about the variables of a network, and what it does not, told in notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treebound.cli._asking import UnseenName
from treebound.cli._show import err
from treebound.data import DataError, Problem, Rows, Schema, Table, encode_opened

_MOST_LISTED = 5


@dataclass(frozen=True, eq=False)
class KnownCells:
    """Codes, -1 for what is not known, and what was taken for missing although the table says something.

    ``absent`` are the variables that have no column.
    """

    codes: Rows
    absent: tuple[str, ...]
    num_unseen: int

    @property
    def report(self) -> dict[str, Any]:
        """The same for ``--json``."""
        return {"absent_columns": self.absent, "unseen_values": self.num_unseen}

    def note(self) -> None:
        """Tell what is not known."""
        if self.absent:
            listed = ", ".join(self.absent[:_MOST_LISTED])
            more = f" and {len(self.absent) - _MOST_LISTED:,} more" if len(self.absent) > _MOST_LISTED else ""
            _print(f"note: {len(self.absent):,} of {len(self.codes):,} columns are absent: {listed}{more}.")
        if self.num_unseen:
            _print(f"note: values that the network does not know, taken for missing: {self.num_unseen:,}.")


def known_cells(table: Table, schema: Schema, unseen: UnseenName, target: str | None = None) -> KnownCells:
    """Encode the rows; refuse a table of which nothing is known beside the target."""
    codes = encode_opened(table, schema, unseen=unseen.value)
    others = [v for v, name in enumerate(schema.names) if name != target]
    if others and not (codes[others] >= 0).any():
        words = "none of its cells is known to the network"
        raise DataError([Problem("nothing known", words)], table.source)
    absent = tuple(schema.names[v] for v in others if schema.names[v] not in table.names)
    return KnownCells(codes, absent, _num_unseen(table, schema, codes))


def _num_unseen(table: Table, schema: Schema, codes: Rows) -> int:
    """How many cells have a value that no state stands for."""
    num_unseen = 0
    for index, name in enumerate(table.names):
        if name in schema:
            unknown = int(np.count_nonzero(codes[schema.position(name)] < 0))
            num_unseen += unknown - len(table.read(index).missing_rows()) if unknown else 0
    return num_unseen


def _print(words: str) -> None:
    err().print(words, markup=False, soft_wrap=True)

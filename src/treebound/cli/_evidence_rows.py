"""What a table says about the variables of a network, and notes on what it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treebound.cli._query_options import UnseenName
from treebound.cli._show import note
from treebound.data import Codes, Dataset, Schema
from treebound.tables import Table, absent_columns, absent_message, encode


@dataclass(frozen=True, eq=False)
class EvidenceRows:
    """Rows, and what was taken for missing although the table says something.

    ``absent`` are the variables that have no column, and ``notes`` is what to print about all this.
    """

    rows: Dataset
    absent: tuple[str, ...]
    num_unseen: int
    notes: tuple[str, ...]

    @property
    def report(self) -> dict[str, Any]:
        """The same for ``--json``."""
        return {"absent_columns": self.absent, "unseen_values": self.num_unseen}

    def print_notes(self) -> None:
        """Print what is not known."""
        for message in self.notes:
            note(f"{message}.")


def evidence_rows(
    table: Table, schema: Schema, unseen: UnseenName, target: str | None = None
) -> EvidenceRows:
    """Encode the rows."""
    rows = encode(table, schema, missing="keep", unseen=unseen.value, on_absent="ignore")
    codes = rows.codes
    others = [v for v, name in enumerate(schema.names) if name != target]
    num_unseen = _num_unseen(table, schema, codes)
    notes = absent_notes(table, schema, target)
    if num_unseen:
        notes.append(f"values that the network does not know, taken for missing: {num_unseen:,}")
    if others and not (codes[others] >= 0).any():
        notes.append("no cell is known, so every row has the result of a row without evidence")
    return EvidenceRows(rows, absent_columns(table.names, schema, target), num_unseen, tuple(notes))


def absent_notes(table: Table, schema: Schema, target: str | None = None) -> list[str]:
    """A note on the variables that have no column, if there are any."""
    absent = absent_columns(table.names, schema, target)
    return [absent_message(absent, table.names, schema)] if absent else []


def _num_unseen(table: Table, schema: Schema, codes: Codes) -> int:
    """How many cells have a value that no state stands for."""
    num_unseen = 0
    for index, name in enumerate(table.names):
        if name in schema:
            unknown = int(np.count_nonzero(codes[schema.position(name)] < 0))
            num_unseen += unknown - len(table.read(index).missing_rows()) if unknown else 0
    return num_unseen

"""Rows that a long benchmark has measured before: a second run resumes from them."""

from __future__ import annotations

import json
import os
import pathlib

from _common import Row


class Done:
    """Measured rows in the file that an environment variable names; it is added to after each."""

    def __init__(self, variable: str) -> None:
        name = os.environ.get(variable)
        self.path = pathlib.Path(name) if name else None
        self.rows: dict[str, Row] = {}
        if self.path is not None and self.path.exists():
            self.rows = dict(map(json.loads, self.path.read_text().splitlines()))

    def add(self, key: str, row: Row) -> None:
        """Keep a row."""
        self.rows[key] = row
        if self.path is not None:
            with self.path.open("a") as file:
                print(json.dumps([key, row]), file=file)

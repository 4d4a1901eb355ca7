"""Two graphs can be compared if their variables have the same names."""

from __future__ import annotations

from collections.abc import Sequence

from treebound.data import DataError, not_found


def check_same_names(first: Sequence[str], second: Sequence[str]) -> None:
    """Refuse two graphs that are not about the same variables."""
    for one, other, which in ((first, second, "second"), (second, first, "first")):
        if absent := not_found("no such variable", one, other):
            raise DataError(absent, f"the {which} graph")

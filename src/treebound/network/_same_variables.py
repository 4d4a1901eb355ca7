"""Two networks can be compared if their variables have the same names."""

from __future__ import annotations

from treebound.data import DataError, Schema, not_found


def check_same_variables(first: Schema, second: Schema) -> None:
    """Reject two networks that are not about variables of the same names."""
    absent = not_found("no such variable", first.names, second.names)
    if absent:
        raise DataError(absent, "the other network")
    extra = not_found("no such variable", second.names, first.names)
    if extra:
        raise DataError(extra, "this network")

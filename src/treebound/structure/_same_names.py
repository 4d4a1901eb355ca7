"""Two graphs can be compared if their variables have the same names."""

from __future__ import annotations

from collections.abc import Sequence

from treebound.data import DataError, Problem

_MOST_NAMED = 5


def check_same_names(first: Sequence[str], second: Sequence[str]) -> None:
    """Reject two graphs with different variables, and name those that only one of them has."""
    unmatched = {"first": _missing_from(second, first), "second": _missing_from(first, second)}
    if any(unmatched.values()):
        parts = [f"only the {which} has {_listed(names)}" for which, names in unmatched.items() if names]
        message = f"the variables must be the same, but {' and '.join(parts)}"
        raise DataError([Problem("no such variable", message)], "the two graphs")


def _missing_from(names: Sequence[str], others: Sequence[str]) -> list[str]:
    among = set(names)
    return [name for name in others if name not in among]


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - _MOST_NAMED:,} more"] if len(names) > _MOST_NAMED else []
    return ", ".join([*map(repr, names[:_MOST_NAMED]), *more])

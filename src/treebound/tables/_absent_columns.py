"""Variables that a table has no column for: reported with the nearest name among its other columns."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Literal, get_args

from treebound.data import Problem, Schema, closest, not_found

OnAbsent = Literal["warn", "error", "ignore"]

_MOST_LISTED = 5
# Comparing more names would take longer than the query.
_MOST_COMPARED = 1000


class AbsentColumnWarning(UserWarning):
    """A table has no column for some variables of a network; they are treated as missing."""


def check_on_absent(on_absent: OnAbsent) -> None:
    """Reject anything but the three choices."""
    if on_absent not in get_args(OnAbsent):
        raise ValueError(f"on_absent must be 'warn', 'error' or 'ignore', got {on_absent!r}.")


def check_absent(
    names: Sequence[str],
    schema: Schema,
    on_absent: OnAbsent,
    target: str | None = None,
    source: str = "the table",
) -> list[Problem]:
    """Return the variables that no column is named after as problems, or warn; the target needs none."""
    if on_absent == "ignore" or not (absent := absent_columns(names, schema, target)):
        return []
    if on_absent == "error":
        return not_found("absent", absent, _others(names, schema))
    fix = "Rename or add them, or pass on_absent='ignore'."
    warnings.warn(
        f"{source}: {absent_message(absent, names, schema)}. {fix}",
        AbsentColumnWarning,
        stacklevel=_stack_level(),
    )
    return []


def absent_columns(names: Sequence[str], schema: Schema, target: str | None = None) -> tuple[str, ...]:
    """The variables that have no column, without the target and hidden ones."""
    if names == schema.names:
        return ()
    known = {*names, *schema.hidden, target}
    return tuple(name for name in schema.names if name not in known)


def absent_message(absent: Sequence[str], names: Sequence[str], schema: Schema) -> str:
    """How many columns are absent, and the first of them with the columns that may be meant."""
    others = _others(names, schema)
    found = {name: closest(name, others) for name in absent[:_MOST_LISTED]}
    hints = {name: "" if near is None else f" (did you mean {near!r}?)" for name, near in found.items()}
    listed = ", ".join(f"{name!r}{hint}" for name, hint in hints.items())
    more = f" and {len(absent) - _MOST_LISTED:,} more" if len(absent) > _MOST_LISTED else ""
    noun, verb = "column" if len(schema) == 1 else "columns", "is" if len(absent) == 1 else "are"
    return f"{len(absent):,} of {len(schema):,} {noun} {verb} absent: {listed}{more}"


def _others(names: Sequence[str], schema: Schema) -> list[str]:
    """Columns that are no variables, and may be meant by one."""
    return [name for name in names if name not in schema][:_MOST_COMPARED]


def _stack_level() -> int:
    """How many calls up the caller of the package is, as ``warnings.warn`` counts them in the caller here."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    return level

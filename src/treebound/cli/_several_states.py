"""Evidence that leaves several states possible, as it is typed: a list of states, or a range of numbers."""

from __future__ import annotations

import re

import typer

from treebound.cli._said_numbers import as_meant
from treebound.data import Schema, Variable, parse_number, with_point

_RANGE = re.compile(r"(.*?)\.\.(.*)", re.DOTALL)


def range_of(value: str, variable: Variable, schema: Schema) -> tuple[float | None, float | None] | None:
    """The limits of a range such as 24..32, 24.. or ..32 of a binned variable; None for other values."""
    found = _RANGE.fullmatch(value)
    if variable.edges is None or found is None or value == "..":
        return None
    ends = [parse_number(as_meant(end, variable, schema)) if end else None for end in found.groups()]
    if any(number is None and end for number, end in zip(ends, found.groups(), strict=True)):
        return None
    return ends[0], ends[1]


def states_listed(value: str, variable: Variable, schema: Schema) -> list[str] | None:
    """The states of a list such as P,S; None for a value that is no list.

    Known states come first, since their labels may hold commas. Where numbers have decimal commas, the list
    has semicolons.
    """
    has_commas = schema.preparation.reading.get("decimal") == ","
    is_real = variable.kind in ("float", "binned")
    separator = ";" if has_commas and is_real else ","
    if separator not in value or ":" in value:
        return None
    if separator == "," and is_real and with_point(value) != value:
        raise typer.BadParameter(
            f"{value!r} may be a number or a list; write {with_point(value)} for the number, or "
            f"{value.replace(',', '..')} for a range."
        )
    known = "|".join(map(re.escape, sorted(variable.states, key=len, reverse=True)))
    one = re.compile(f"({known}|[^{separator}]*)(?:{separator}|$)", re.DOTALL)
    labels, at = [], 0
    while at < len(value):
        found = one.match(value, at)
        if found is None or not found[1]:
            raise typer.BadParameter(f"a list of states must read STATE{separator}STATE, got {value!r}.")
        labels.append(as_meant(found[1], variable, schema))
        at = found.end()
    return labels

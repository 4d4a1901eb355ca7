"""Numbers in evidence: with the decimal comma of the table, and told with the bin that they fall into."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import typer

from treebound.data import Schema, Variable, label_of, parse_number, with_point

_POINT_OR_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")


def as_meant(value: str, variable: Variable, schema: Schema) -> str:
    """A value as the network reads it, where it was learned from a table with decimal commas."""
    is_number = variable.kind in ("integer", "float", "binned")
    if schema.preparation.reading.get("decimal") != "," or not is_number or value in variable.states:
        return value
    if _POINT_OR_THOUSANDS.fullmatch(value):
        raise typer.BadParameter(
            f"the network was learned with a decimal comma, and {value!r} has a point; "
            f"write {value.replace('.', '')} or {value.replace('.', ',', 1)}."
        )
    return with_point(value)


def conditions(evidence: Mapping[str, Any], words: Mapping[str, str], schema: Schema) -> list[str]:
    """What is known in words, with the bins of numbers."""
    return [f"{words[name]}{_bin_of(value, schema[name])}" for name, value in evidence.items()]


def _bin_of(value: Any, variable: Variable) -> str:
    if not isinstance(value, str) or value in variable.states or parse_number(value) is None:
        return ""
    label = variable.states[variable.code(value)]
    return "" if parse_number(label) is not None else f" (in {label})"


def outside_range(evidence: Mapping[str, Any], schema: Schema) -> list[str]:
    """A sentence for each number that is smaller or larger than all that were seen."""
    notes = []
    for name, value in evidence.items():
        edges = schema[name].edges
        number = parse_number(value) if isinstance(value, str) else None
        if edges is not None and number is not None and not edges[0] <= number <= edges[-1]:
            limits = f"{label_of(edges[0])} to {label_of(edges[-1])}"
            notes.append(f"{name} = {value} is beyond the numbers seen, {limits}")
    return notes

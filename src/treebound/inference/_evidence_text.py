"""Evidence as a person types it: a state, a number, a list of states, a range of numbers, or likelihoods.

Labels come first: a text that is a state is that state, with any commas, colons and dots in it. Where the
network was learned from a table with decimal commas, numbers are typed with commas too, and lists of numbers
are separated by semicolons.
"""

from __future__ import annotations

import re
from typing import Any

from treebound.data import Schema, Variable, date_in_order, label_of, parse_number
from treebound.inference._errors import InferenceError
from treebound.inference._evidence import Finding
from treebound.tables import formatted_number, unified, with_point

_RANGE = re.compile(r"(.*?)\.\.(.*)", re.DOTALL)
_POINT_OR_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")


def parse_evidence(text: str, name: str, schema: Schema) -> Finding:
    """Parse evidence on one variable as a person types it.

    ``light``, ``light,heavy``, ``24..32``, ``65..`` or ``yes:0.9,no:0.2``. Text that is none of these is
    returned as it is; whether it is a state is checked with the evidence.

    Parameters
    ----------
    text : str
        What was typed.
    name : str
        The variable.
    schema : Schema
        The variables with their states.

    Returns
    -------
    str, list, tuple or dict
        A state, several states, a range or likelihoods, for the evidence of a query.
    """
    variable = schema[name]
    state = parse_state(text, name, schema)
    if variable.find_all([state])[0] >= 0:
        return state
    limits = _range_of(text, variable, schema)
    if limits is not None:
        return limits
    listed = _states_listed(text, variable, schema)
    return _likelihoods(state, variable) if listed is None else listed


def parse_state(text: str, name: str, schema: Schema) -> str:
    """Return one typed value as the reader of the table reads its cells."""
    variable = schema[name]
    if text in variable.states:
        return text
    is_number = variable.kind in ("integer", "float", "binned")
    reading = schema.preparation.reading
    if variable.has_missing_state and (not text or text in (reading.na_values or ())):
        return variable.states[-1]
    if name in reading.unify:
        return unified(text, reading.unify[name])
    if is_number and name in reading.as_numbers:
        number = formatted_number(text, reading.decimal)
        if number is not None:
            return label_of(number)
    if variable.kind == "date" and reading.date_order:
        return date_in_order(text, reading.date_order) or text
    if not (is_number and _has_decimal_commas(schema)):
        return text
    if _POINT_OR_THOUSANDS.fullmatch(text):
        raise InferenceError(
            f"The network was learned with a decimal comma, and {text!r} has a point. "
            f"Write {text.replace('.', '')} or {text.replace('.', ',', 1)}."
        )
    return with_point(text)


def bin_of(finding: Any, variable: Variable) -> str | None:
    """Return the label of the bin that a typed number falls into; None for other findings."""
    if not isinstance(finding, str) or finding in variable.states or parse_number(finding) is None:
        return None
    label = variable.states[variable.code(finding)]
    return None if parse_number(label) is not None else label


def beyond_range(finding: Any, variable: Variable) -> str | None:
    """Return a note on a typed number outside the range of the training data; None for other findings."""
    number = parse_number(finding) if isinstance(finding, str) else None
    edges = variable.edges
    if edges is None or number is None or edges[0] <= number <= edges[-1]:
        return None
    limits = f"{label_of(edges[0])} to {label_of(edges[-1])}"
    return f"{variable.name} = {finding} is outside the range of the training data, {limits}"


def _has_decimal_commas(schema: Schema) -> bool:
    return schema.preparation.reading.decimal == ","


def _range_of(text: str, variable: Variable, schema: Schema) -> tuple[float | None, float | None] | None:
    """Limits of a range such as 24..32, 24.. or ..32 of a binned variable; None for other texts."""
    found = _RANGE.fullmatch(text)
    if variable.edges is None or found is None or text == "..":
        return None
    low, high = found.groups()
    ends = [parse_number(parse_state(end, variable.name, schema)) if end else None for end in (low, high)]
    is_range = (ends[0] is not None or not low) and (ends[1] is not None or not high)
    return (ends[0], ends[1]) if is_range else None


def _states_listed(text: str, variable: Variable, schema: Schema) -> list[str] | None:
    """States of a list such as P,S; None for a text that is not a list."""
    is_real = variable.kind in ("float", "binned")
    separator = ";" if is_real and _has_decimal_commas(schema) else ","
    if separator not in text or ":" in text:
        return None
    if separator == "," and is_real and with_point(text) != text:
        raise InferenceError(
            f"{text!r} may be a number or a list. Write {with_point(text)} for the number, or "
            f"{text.replace(',', '..')} for a range."
        )
    one = re.compile(f"({_known_states(variable)}|[^{separator}]*)(?:{separator}|$)", re.DOTALL)
    labels, at = [], 0
    while at < len(text):
        found = one.match(text, at)
        if found is None or not found[1]:
            raise InferenceError(f"A list of states must read STATE{separator}STATE, got {text!r}.")
        labels.append(parse_state(found[1], variable.name, schema))
        at = found.end()
    return labels


def _likelihoods(text: str, variable: Variable) -> str | dict[str, float]:
    """Likelihoods by state, or the text as it is if it has none."""
    if ":" not in text:
        return text
    pair = re.compile(f"({_known_states(variable)}|[^,]*?):([^:,]*)(?:,(?=.)|$)", re.DOTALL)
    weights, at = {}, 0
    while at < len(text):
        found = pair.match(text, at)
        if found is None or (weight := parse_number(found[2])) is None:
            raise InferenceError(
                f"Likelihoods of {variable.name!r} must read STATE:NUMBER,STATE:NUMBER, got {text[at:]!r}."
            )
        weights[found[1]] = weight
        at = found.end()
    return weights


def _known_states(variable: Variable) -> str:
    """A pattern for any state, the longest first."""
    return "|".join(map(re.escape, sorted(variable.states, key=len, reverse=True)))

"""What a request says, checked: evidence and interventions by name, with states by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treebound.data import Schema, Variable
from treebound.explorer._model import Model
from treebound.explorer._rows import RowTable


class BadRequest(ValueError):
    """A request that does not make sense."""


@dataclass(frozen=True)
class Case:
    """Evidence and interventions, by name and label, as every method of a network takes them."""

    evidence: dict[str, Any]
    settings: dict[str, str]


def case_of(model: Model, body: Mapping[str, Any]) -> Case:
    """What is set on the page: evidence, interventions, and a row whose cells are known, less the targets."""
    schema = model.network.schema
    settings = {name: _label(code, _variable(schema, name)) for name, code in _mapping(body, "do").items()}
    evidence = _of_row(model, body)
    for name, finding in _mapping(body, "evidence").items():
        variable = _variable(schema, name)
        evidence[name] = (_likelihoods if isinstance(finding, list) else _label)(finding, variable)
    return Case({name: what for name, what in evidence.items() if name not in settings}, settings)


def _of_row(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    if body.get("row") is None:
        return {}
    row, schema = row_of(model, body), model.network.schema
    hidden = set(names_in(model, body, "targets"))
    codes = table_of(model).data.codes[:, row].tolist()
    return {
        variable.name: variable.states[code]
        for variable, code in zip(schema, codes, strict=True)
        if code >= 0 and variable.name not in hidden
    }


def table_of(model: Model) -> RowTable:
    """The rows that the explorer was started with."""
    if model.rows is None:
        raise BadRequest("There is no table. Start the explorer with --table rows.csv.")
    return model.rows


def row_of(model: Model, body: Mapping[str, Any]) -> int:
    """The number of a row of the table."""
    return integer_in(body, "row", 0, table_of(model).data.num_rows - 1)


def integer_in(body: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number of a request."""
    value = body.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise BadRequest(f"{key} must be an integer from {low} to {high}, got {str(value)[:40]!r}.")
    return value


def text_in(body: Mapping[str, Any], key: str) -> str:
    """A string of a request."""
    value = body.get(key)
    if not isinstance(value, str):
        raise BadRequest(f"{key} must be a string, got {str(value)[:40]!r}.")
    return value


def name_in(model: Model, body: Mapping[str, Any], key: str) -> str:
    """The name of a variable."""
    return _variable(model.network.schema, text_in(body, key)).name


def names_in(model: Model, body: Mapping[str, Any], key: str) -> list[str]:
    """Names of variables, none if there are none."""
    value = body.get(key, [])
    if not isinstance(value, list):
        raise BadRequest(f"{key} must be a list of names, got {str(value)[:40]!r}.")
    return [_variable(model.network.schema, name).name for name in value]


def _mapping(body: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = body.get(key, {})
    if not isinstance(value, dict):
        raise BadRequest(f"{key} must map names to states, got {str(value)[:40]!r}.")
    return value


def _variable(schema: Schema, name: Any) -> Variable:
    if not isinstance(name, str) or name not in schema:
        raise BadRequest(f"There is no variable {str(name)[:80]!r} in this network.")
    return schema[name]


def _label(code: Any, variable: Variable) -> str:
    if type(code) is not int or not 0 <= code < variable.cardinality:
        raise BadRequest(
            f"A state of {variable.name!r} must be a number from 0 to {variable.cardinality - 1}, "
            f"got {str(code)[:40]!r}."
        )
    return variable.states[code]


def _likelihoods(weights: list[Any], variable: Variable) -> dict[str, float]:
    """Likelihoods by label; whether the numbers make sense is checked with the evidence."""
    if len(weights) != variable.cardinality or not all(type(weight) in (int, float) for weight in weights):
        raise BadRequest(f"The likelihoods of {variable.name!r} must be {variable.cardinality} numbers.")
    return dict(zip(variable.states, map(float, weights), strict=True))

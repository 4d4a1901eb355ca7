"""Networks written by hand: a table for each variable, as nested dicts, nested arrays or a data frame.

All of them become nested dicts and sequences with a level for each parent and one for the variable. A level
is read by label if it is a mapping, and in the order of the states if it is a sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type, shown
from treebound.data import Schema, Variable, domain_of, nearest
from treebound.inference import ROUNDING, by_code
from treebound.network._bayesian_network import BayesianNetwork
from treebound.tables import frame_library, plain_value


def network_from_tables(
    tables: Mapping[str, Any],
    parents: Mapping[str, Iterable[str]] | None,
    states: Mapping[str, Iterable[Any]] | None,
) -> BayesianNetwork:
    """Make a network of its tables; the classmethod ``from_tables`` says how."""
    check_type("tables", tables, Mapping, "a mapping from names to tables")
    families = _families(tables, parents)
    known = _known("states", states, tables)
    levels = {name: _levels(name, tables[name], families[name]) for name in tables}
    schema = Schema(
        tuple(
            _variable(name, known[name] if name in known else _own_labels(name, levels[name], families[name]))
            for name in tables
        )
    )
    arrays = [_filled(name, levels[name], [*families[name], name], schema) for name in tables]
    indices = tuple(tuple(map(schema.position, families[name])) for name in tables)
    return BayesianNetwork.from_indices(schema, indices, tuple(array.ravel() for array in arrays))


def _families(
    tables: Mapping[str, Any], parents: Mapping[str, Iterable[str]] | None
) -> dict[str, tuple[str, ...]]:
    """The names of the parents of each variable: those given, and those that a frame has columns for."""
    given = _known("parents", parents, tables)
    families = {}
    for name, table in tables.items():
        family = tuple(given.get(name, ()))
        if frame_library(table) is not None:
            columns = [column for column in _columns(table) if column in tables and column != name]
            if name in given and set(family) != set(columns):
                raise ValueError(
                    f"The frame of {name!r} has columns for {columns}, "
                    f"but its parents are given as {[*family]}."
                )
            family = family if name in given else tuple(columns)
        for parent in family:
            if parent not in tables:
                raise ValueError(
                    f"The parents of {name!r} must have tables, got {parent!r}{nearest(str(parent), tables)}."
                )
        families[name] = family
    return families


def _known(argument: str, given: Mapping[str, Any] | None, tables: Mapping[str, Any]) -> Mapping[str, Any]:
    check_type(argument, given, Mapping | None, "a mapping from names, or None")
    for name, listed in (given or {}).items():
        if name not in tables:
            raise ValueError(f"{argument} must be about variables with a table, got {name!r}.")
        if isinstance(listed, str) or not isinstance(listed, Iterable):
            raise TypeError(f"{argument} of {name!r} must be a sequence, got {shown(listed)}.")
    return {name: list(listed) for name, listed in (given or {}).items()}


def _columns(frame: Any) -> list[str]:
    import narwhals.stable.v2 as nw

    return list(map(str, nw.from_native(frame, eager_only=True).columns))


def _levels(name: str, table: Any, family: tuple[str, ...]) -> Any:
    """The table as nested mappings and sequences."""
    if frame_library(table) is None:
        return table
    import narwhals.stable.v2 as nw

    frame = nw.from_native(table, eager_only=True)
    axes = [*family, name]
    weights = [column for column in frame.columns if column not in axes]
    if name not in frame.columns or len(weights) != 1:
        raise ValueError(
            f"The frame of {name!r} must have columns for its parents, for itself and one for probabilities, "
            f"got {list(frame.columns)}."
        )
    nested: dict[Any, Any] = {}
    for row in zip(*(frame[column].to_list() for column in (*axes, weights[0])), strict=True):
        *above, own, weight = row
        inner = nested
        for label in above:
            inner = inner.setdefault(label, {})
        if own in inner:
            raise ValueError(f"The frame of {name!r} must hold each joint state once, got {row[:-1]} twice.")
        inner[own] = weight
    return nested


def _own_labels(name: str, level: Any, family: tuple[str, ...]) -> list[Any]:
    """The states of a variable as its own table lists them; a sequence has whole numbers from 0."""
    labels: dict[Any, None] = {}
    for innermost in _at_depth(name, level, len(family)):
        _check_level(name, innermost)
        labels |= dict.fromkeys(innermost if isinstance(innermost, Mapping) else range(len(innermost)))
    return list(labels)


def _at_depth(name: str, level: Any, depth: int) -> Iterator[Any]:
    if depth == 0:
        yield level
        return
    _check_level(name, level)
    for inner in level.values() if isinstance(level, Mapping) else level:
        yield from _at_depth(name, inner, depth - 1)


def _check_level(name: str, level: Any) -> None:
    is_array = isinstance(level, np.ndarray) and level.ndim > 0
    if not is_array and (isinstance(level, str) or not isinstance(level, Mapping | Sequence)):
        raise ValueError(
            f"The table of {name!r} must have a level for each of its parents and one for itself, "
            f"got {shown(level)} where a level was expected."
        )


def _variable(name: str, labels: Sequence[Any]) -> Variable:
    values = [value for value in map(plain_value, labels) if value is not None]
    if len(values) < len(labels):
        raise ValueError(f"The states of {name!r} must not be missing values, got {list(labels)}.")
    domain = domain_of(values, is_text=False)
    return Variable(name, domain.labels, domain.kind, ordered=domain.kind != "text")


def _filled(name: str, level: Any, axes: Sequence[str], schema: Schema) -> NDArray[np.float64]:
    """P(variable | parents), with an axis for each of them."""
    variables = [schema[axis] for axis in axes]
    array = np.zeros([variable.cardinality for variable in variables])
    _fill(name, array, level, variables)
    sums = array.sum(axis=-1)
    for states in product(*(range(variable.cardinality) for variable in variables[:-1])):
        if not abs(sums[states] - 1) <= ROUNDING:
            pairs = zip(variables[:-1], states, strict=True)
            given = ", ".join(f"{variable.name} = {variable.states[code]}" for variable, code in pairs)
            raise ValueError(
                f"The probabilities of {name!r}{f' given {given}' if given else ''} must sum to 1, "
                f"got {sums[states]:.6g}."
            )
    return array


def _fill(name: str, array: NDArray[np.float64], level: Any, variables: Sequence[Variable]) -> None:
    variable = variables[0]
    _check_level(name, level)
    if isinstance(level, Mapping):
        inner = by_code(level, variable)
    elif len(level) == variable.cardinality:
        inner = dict(enumerate(level))
    else:
        raise ValueError(
            f"The table of {name!r} must have {variable.cardinality} entries for the states of "
            f"{variable.name!r}, got {len(level)}."
        )
    for code, below in inner.items():
        if len(variables) > 1:
            _fill(name, array[code], below, variables[1:])
        else:
            array[code] = _probability(name, below)


def _probability(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        hint = f"; name its parents, as in parents={{{name!r}: [...]}}" if isinstance(value, Mapping) else ""
        raise ValueError(
            f"The table of {name!r} must hold probabilities, got {shown(value)}{hint}."
        ) from None
    if not 0 <= number <= 1 + ROUNDING:
        raise ValueError(f"The table of {name!r} must hold probabilities, got {value!r}.")
    return number

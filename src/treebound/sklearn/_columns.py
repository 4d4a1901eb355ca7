"""The columns of X as variables: those requested, binned by the rules of ``load``, with missing values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast, get_args

from treebound._arguments import check_integer, check_type
from treebound.data import KEEP, BinMethod, DataError, Discretise, Rule, Rules, Schema, nearest
from treebound.sklearn._target import Target
from treebound.tables import Choices, Column, Table, infer_schema


@dataclass(frozen=True)
class Cutting:
    """How columns of numbers are cut: any rule of ``load``; ``bins`` is for methods that name no number.

    Missing cells of the columns in ``missing_state`` are a state, True for all columns that have some.
    For a classifier ``"supervised"`` alone means bins that are made for its target.
    """

    rules: Rules
    bins: int
    max_states: int
    missing_state: Collection[str] | bool = ()

    def rules_for(self, target: str | None) -> Rules:
        """The rules, with the number of bins and the target where they have none."""
        if isinstance(self.rules, Mapping):
            return {name: self._rule(rule, target) for name, rule in self.rules.items()}
        return self._rule(self.rules, target)

    def is_for_class(self, name: str, target: str) -> bool:
        """Whether the bins of a column are made for the class."""
        rules = self.rules_for(target)
        rule = rules.get(name, rules.get(None)) if isinstance(rules, Mapping) else rules  # type: ignore[call-overload]
        if rule is None or (isinstance(rule, str) and rule == KEEP):
            return False
        return Discretise.of(rule).target == target

    def missing_state_in(self, table: Table) -> Collection[str] | bool:
        """The columns of a table in which a missing cell is a state."""
        if isinstance(self.missing_state, bool):
            return self.missing_state
        return [name for name in self.missing_state if name in table.names]

    def _rule(self, rule: Rule | None, target: str | None) -> Rule | None:
        if isinstance(rule, str) and rule == "supervised":
            if target is None:
                raise ValueError("discretise='supervised' needs a target, which only a classifier has.")
            return Discretise("supervised", target=target)
        is_method = isinstance(rule, str) and rule in get_args(BinMethod)
        return Discretise(cast(BinMethod, rule), self.bins) if is_method else rule


def positions_of(columns: Collection[Any] | None, names: tuple[str, ...]) -> list[int]:
    """The positions of columns that are given by name or by position; all of them for None."""
    if columns is None:
        return list(range(len(names)))
    check_collection("columns", columns)
    positions = [position_of("columns", column, names) for column in columns]
    if not positions or len(set(positions)) < len(positions):
        raise ValueError(f"columns must name at least one column, each once, got {list(columns)}.")
    return positions


def check_collection(parameter: str, columns: Any) -> None:
    """Reject what is not a collection of names or positions."""
    if isinstance(columns, str):
        raise TypeError(f"{parameter} must be a collection, such as [{columns!r}], got the text {columns!r}.")
    check_type(parameter, columns, Collection, "a collection of names or positions")


def position_of(parameter: str, column: Any, names: tuple[str, ...]) -> int:
    """The position of a column that is given by name or by position."""
    if isinstance(column, str):
        if column not in names:
            raise ValueError(f"{parameter}: X has no column {column!r}{nearest(column, names) or '.'}")
        return names.index(column)
    return check_integer("a column given by position", column, 0, len(names) - 1)


def schema_of(table: Table, cutting: Cutting, target: Target | None = None) -> Schema:
    """Names, states and bins of a table of features."""
    num_features = len(table.names)
    if target is not None:
        table = _with_target(table, target)
    # All columns are features, also those that look like the written index of a frame.
    rules = cutting.rules_for(None if target is None else target.variable.name)
    choices = Choices(
        discretise=rules,
        only=table.names,
        max_states=cutting.max_states,
        missing_state=cutting.missing_state_in(table),
    )
    try:
        found = infer_schema(table, choices)
    except DataError as error:
        raise DataError(error.problems, "X", in_estimator=True) from error
    features = found.variables[:num_features]
    names = {variable.name for variable in features}
    notes = tuple(note for note in found.preparation.columns if note.name in names)
    return Schema(features, replace(found.preparation, columns=notes))


def _with_target(table: Table, target: Target) -> Table:
    """The table with the target as a last column, for bins that are made for it."""
    place = len(table.names)
    column = Column(target.codes, list(range(target.variable.cardinality)))
    return replace(
        table,
        names=(*table.names, target.variable.name),
        column=lambda index: column if index == place else table.column(index),
        frame=None,
        cells=None,
    )

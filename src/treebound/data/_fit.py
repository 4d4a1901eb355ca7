"""Learn the schema of a table and encode its rows: from a Table to a Dataset, or to all that is wrong."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treebound.data._dataset import Codes, Dataset, code_type
from treebound.data._discretise import Discretise, Plan, Rules, bin_edges, bin_labels
from treebound.data._domain import domain_of
from treebound.data._problems import MAX_LISTED, DataError, Problem
from treebound.data._schema import Schema
from treebound.data._table import Column, ColumnError, Table, missing_problem
from treebound.data._variable import MAX_STATES, Variable

logger = logging.getLogger(__name__)

MIN_ROWS = 2
# A text column in which no value occurs twice is a name or a key, however short the table, but not if the
# table is so short that this happens by chance.
MIN_ROWS_OF_KEYS = 20


@dataclass(frozen=True)
class _Fitted:
    variable: Variable
    recode: Codes  # code in the column -> code of the state


def fit(table: Table, *, discretise: Rules, max_states: int) -> Dataset:
    """The schema and the codes of a table."""
    if not 2 <= max_states <= MAX_STATES:
        raise ValueError(f"max_states must be 2 to {MAX_STATES}, got {max_states}.")
    table.check(MIN_ROWS)
    plan = Plan.of(discretise, table.names, table.source)
    codes: Codes = np.empty((len(table.names), table.num_rows), dtype=np.uint8)
    variables: list[Variable] = []
    problems: list[Problem] = []
    for index, name in enumerate(table.names):
        try:
            column = table.read(index)
        except ColumnError as error:
            problems.append(Problem(error.kind, error.message, name))
            continue
        fitted = _ColumnFit(table, name, column, plan, max_states).run(problems)
        if fitted is None or problems:
            continue
        codes = codes.astype(
            code_type(max(fitted.variable.cardinality, np.iinfo(codes.dtype).max)), copy=False
        )
        codes[index] = fitted.recode[column.codes]
        variables.append(fitted.variable)
    if problems:
        raise DataError(problems, table.source)
    codes.flags.writeable = False
    dataset = Dataset(Schema(tuple(variables)), codes)
    _report_constant_columns(dataset, table.source)
    return dataset


def _report_constant_columns(dataset: Dataset, source: str) -> None:
    names = dataset.constant_columns
    if names:
        listed = ", ".join(map(repr, names[:MAX_LISTED]))
        more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
        logger.warning("%s: only one state occurs in column %s%s", source, listed, more)


class _ColumnFit:
    """The decisions about one column."""

    def __init__(self, table: Table, name: str, column: Column, plan: Plan, max_states: int) -> None:
        self.table = table
        self.name = name
        self.column = column
        self.plan = plan
        self.max_states = max_states
        self.present = [code for code, value in enumerate(column.values) if value is not None]
        present_values = [value for value in column.values if value is not None]
        self.domain = domain_of(present_values, is_text=table.is_text)

    def run(self, problems: list[Problem]) -> _Fitted | None:
        """The variable, or None after adding what is wrong to ``problems``."""
        found = len(problems)
        missing = missing_problem(self.table, self.name, self.column)
        if missing:
            problems.append(missing)
        if self.present:
            fitted = self._fit()
            if isinstance(fitted, _Fitted):
                return fitted if len(problems) == found else None
            problems.append(fitted)
        return None

    def _fit(self) -> _Fitted | Problem:
        rule = self._rule()
        if isinstance(rule, Problem):
            return rule
        infinite = self._first_infinite()
        if infinite is not None:
            return self._problem("infinite", f"first in {self._place_of(infinite)}")
        return self._categories() if rule is None else self._bins(rule)

    def _rule(self) -> Discretise | Problem | None:
        """How to bin the column, None to take its values as states."""
        domain = self.domain
        if self.name in self.plan.by_column:
            rule = self.plan.by_column[self.name]
            if rule is not None and not domain.is_numeric:
                return self._problem("not numeric", f"holds values such as {domain.labels[0]!r}")
            return rule
        if self.column.is_declared or not domain.is_numeric:
            return None
        if not domain.is_real:
            return self.plan.default if len(domain.labels) > self.max_states else None
        if self.plan.default is None:
            first = next(i for i, key in enumerate(domain.keys) if not float(key).is_integer())
            return self._problem("float", f"holds {domain.labels[first]}, first in {self._place_of(first)}")
        return self.plan.default

    def _categories(self) -> _Fitted | Problem:
        domain = self.domain
        clash = domain.find_clash()
        if clash:
            first, second = (self.column.values[self.present[position]] for position in clash)
            return self._problem("same label", f"{first!r} and {second!r}, in {self._place_of(clash[1])}")
        if len(domain.labels) > self.max_states:
            return self._problem(
                "identifier", f"{len(domain.labels)} distinct values, more than max_states={self.max_states}"
            )
        if self._is_key():
            return self._problem(
                "identifier", f"each of the {self.table.num_rows} rows has a value of its own"
            )
        order = range(len(domain.labels)) if self.column.is_declared else domain.order
        ordered = self.column.ordered if self.column.is_declared else domain.kind != "text"
        states = tuple(domain.labels[position] for position in order)
        return _Fitted(Variable(self.name, states, domain.kind, ordered), self._recode(order))

    def _is_key(self) -> bool:
        num_rows = self.table.num_rows
        is_text = self.domain.kind == "text" and not self.column.is_declared
        return is_text and len(self.domain.labels) == num_rows >= MIN_ROWS_OF_KEYS

    def _bins(self, rule: Discretise) -> _Fitted:
        numbers = np.array(self.domain.keys, dtype=np.float64)
        occurrences = np.bincount(self.column.codes, minlength=len(self.column.values))[self.present]
        values, position = np.unique(numbers, return_inverse=True)
        counts = np.bincount(position, weights=occurrences).astype(np.int64)
        seen = counts > 0
        is_whole = not self.domain.is_real
        edges = bin_edges(values[seen], counts[seen], rule, is_whole=is_whole)
        variable = Variable(self.name, bin_labels(edges), "binned", True, edges, is_whole)
        recode = np.zeros(len(self.column.values), dtype=code_type(variable.cardinality))
        recode[self.present] = variable.bin(numbers)
        return _Fitted(variable, recode)

    def _recode(self, order: Sequence[int]) -> Codes:
        recode = np.zeros(len(self.column.values), dtype=code_type(len(order)))
        for state, position in enumerate(order):
            recode[self.present[position]] = state
        return recode

    def _first_infinite(self) -> int | None:
        if self.domain.kind != "float":
            return None
        return next((i for i, key in enumerate(self.domain.keys) if math.isinf(float(key))), None)

    def _place_of(self, position: int) -> str:
        """Where a distinct value first occurs."""
        rows = np.flatnonzero(self.column.codes == self.present[position])
        return self.table.place(int(rows[0])) if len(rows) else "the declared categories"

    def _problem(self, kind: str, message: str) -> Problem:
        return Problem(kind, message, self.name)

"""One column of a table: decide whether its values are states or are cut into bins, and encode it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.data._dataset import Codes, code_type
from treebound.data._discretise import Discretise, Plan, bin_edges, bin_labels
from treebound.data._domain import domain_of
from treebound.data._problems import Problem
from treebound.data._table import Column, ColumnError, Table, missing_problem
from treebound.data._variable import Variable

# A text column in which no value occurs twice is a name or a key, unless the table is so short that this
# happens by chance.
MIN_ROWS_OF_KEYS = 20


@dataclass(frozen=True)
class InferredColumn:
    """A variable and the codes of its column."""

    variable: Variable
    codes: Codes


def infer_column(
    table: Table, index: int, plan: Plan, max_states: int, *, allow_missing: bool = False
) -> InferredColumn | list[Problem]:
    """The variable in a column, or everything that is wrong with it.

    Where missing values are allowed, their codes mean nothing, and only a column without any value is wrong.
    """
    name = table.names[index]
    try:
        column = table.read(index)
    except ColumnError as error:
        return [Problem(error.kind, error.message, name)]
    missing = column.missing_rows()
    is_empty = len(missing) == table.num_rows
    is_wrong = is_empty or (len(missing) > 0 and not allow_missing)
    problems = [missing_problem(table, name, missing)] if is_wrong else []
    if is_empty:
        return problems
    inferred = _ColumnInference(table, name, column, max_states).run(plan)
    return [*problems, inferred] if isinstance(inferred, Problem) else problems or inferred


class _ColumnInference:
    """The values of one column that are not missing, and the decisions about them."""

    def __init__(self, table: Table, name: str, column: Column, max_states: int) -> None:
        self.table = table
        self.name = name
        self.column = column
        self.max_states = max_states
        present, values = column.present()
        self.present = np.asarray(present)
        self.domain = domain_of(values, is_text=table.is_text)

    def run(self, plan: Plan) -> InferredColumn | Problem:
        """Bin the column if the plan or its values ask for it, else take its values as states."""
        infinite, real = self.domain.first_infinite(), self.domain.first_real()
        if infinite is not None:
            return self._problem("infinite", f"first in {self._place_of(infinite)}")
        rule = None
        if self.name in plan.by_column:
            rule = plan.by_column[self.name]
            if rule and not self.domain.is_numeric:
                return self._problem("not numeric", f"holds values such as {self.domain.labels[0]!r}")
        elif real is not None and not self.column.is_declared:
            rule = plan.default
            if rule is None:
                message = f"holds {self.domain.labels[real]}, first in {self._place_of(real)}"
                return self._problem("float", message)
        elif self._has_too_many_numbers():
            rule = plan.default
        return self._bins(rule, is_whole=real is None) if rule else self._categories()

    def _has_too_many_numbers(self) -> bool:
        is_open = self.domain.is_numeric and not self.column.is_declared
        return is_open and len(self.domain.values) > self.max_states

    def _bins(self, rule: Discretise, *, is_whole: bool) -> InferredColumn:
        numbers = self.domain.numbers
        occurrences = np.bincount(self.column.codes, minlength=len(self.column.values))
        values, position = np.unique(numbers, return_inverse=True)
        counts = np.bincount(position, weights=occurrences[self.present]).astype(np.int64)
        occurs = counts > 0
        edges = bin_edges(values[occurs], counts[occurs], rule, is_whole=is_whole)
        variable = Variable(self.name, bin_labels(edges), "binned", True, edges, is_whole)
        return self._encode(variable, variable.bin(numbers))

    def _categories(self) -> InferredColumn | Problem:
        problem = self._clash() or self._identifier()
        if problem:
            return problem
        domain, is_declared = self.domain, self.column.is_declared
        order = range(len(domain.labels)) if is_declared else domain.order
        ordered = self.column.ordered if is_declared else domain.kind != "text"
        states = tuple(domain.labels[position] for position in order)
        codes = [0] * len(order)
        for code, position in enumerate(order):
            codes[position] = code
        return self._encode(Variable(self.name, states, domain.kind, ordered), codes)

    def _encode(
        self, variable: Variable, codes_of_present: Sequence[int] | NDArray[np.intp]
    ) -> InferredColumn:
        recode = np.zeros(len(self.column.values), dtype=code_type(variable.cardinality))
        recode[self.present] = codes_of_present
        return InferredColumn(variable, recode[self.column.codes])

    def _clash(self) -> Problem | None:
        clash = self.domain.find_clash()
        if clash is None:
            return None
        first, second = (self.column.values[self.present[position]] for position in clash)
        return self._problem("same label", f"{first!r} and {second!r}, in {self._place_of(clash[1])}")

    def _identifier(self) -> Problem | None:
        num_states, num_rows = len(self.domain.values), self.table.num_rows
        if num_states > self.max_states:
            return self._problem(
                "identifier", f"{num_states} distinct values, more than max_states={self.max_states}"
            )
        is_text = self.domain.kind == "text" and not self.column.is_declared
        if is_text and num_states == num_rows >= MIN_ROWS_OF_KEYS:
            return self._problem("identifier", f"each of the {num_rows} rows has a value of its own")
        return None

    def _place_of(self, position: int) -> str:
        """Where a distinct value first occurs."""
        rows = np.flatnonzero(self.column.codes == self.present[position])
        return self.table.place(int(rows[0])) if len(rows) else "the declared categories"

    def _problem(self, kind: str, message: str) -> Problem:
        return Problem(kind, message, self.name)

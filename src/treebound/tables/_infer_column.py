"""One column of a table: decide whether its values are states or are cut into bins, and encode it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treebound.data import (
    MAX_STATES,
    MISSING,
    MISSING_STATE,
    Codes,
    DataError,
    Discretise,
    Domain,
    Plan,
    Problem,
    Variable,
    bin_values,
    code_type,
    domain_of,
    label_of,
)
from treebound.tables._bin_edges import bin_edges, bin_labels
from treebound.tables._clean_text import is_decimal_comma
from treebound.tables._table import Column, ColumnError, Table, missing_problem

# A text column in which no value occurs twice is a name or a key, unless the table is so short that this
# happens by chance.
MIN_ROWS_OF_KEYS = 20


@dataclass(frozen=True)
class InferredColumn:
    """A variable, the codes of its column (-1 for missing cells), and by which rule it was cut, if it was.

    ``is_declared`` says that the source lists the states.
    """

    variable: Variable
    codes: Codes
    rule: Discretise | None = None
    is_declared: bool = False

    @property
    def num_numbers(self) -> int:
        """How many numbers are states, each of them one."""
        is_numeric = self.variable.kind in ("integer", "float") and not self.is_declared
        return len(self.variable.known_states) if is_numeric else 0


#: The codes of the values of another column, and how many there are, for bins that are made for it.
Classes = Callable[[str], tuple[NDArray[np.integer], int]]


def classes_of(table: Table, max_states: int) -> Classes:
    """Look up targets of supervised bins in a table; missing values have a code of -1."""

    @lru_cache(maxsize=4)
    def find(name: str) -> tuple[NDArray[np.integer], int]:
        column = table.read(table.names.index(name))
        present, values = column.present()
        if len(values) > max_states:
            message = f"{len(values)} distinct values, more than {max_states}"
            raise DataError([Problem("target", message, name)], table.source)
        recode = np.full(len(column.values), -1)
        recode[np.asarray(present, dtype=np.intp)] = np.arange(len(values))
        return recode[column.codes], len(values)

    return find


def infer_column(
    table: Table,
    index: int,
    plan: Plan,
    max_states: int,
    classes: Classes,
    domain: Domain | None = None,
    *,
    allow_missing: bool = False,
) -> InferredColumn | list[Problem]:
    """The variable in a column, or everything that is wrong with it.

    Where missing values are allowed, only a column without any value is wrong. ``domain`` is that of its
    values, if it is known.
    """
    name = table.names[index]
    try:
        column = table.read(index)
    except ColumnError as error:
        return [Problem(error.kind, error.message, name)]
    missing = column.missing_rows()
    if len(missing) == table.num_rows:
        return [Problem("empty column", f"all of its {table.num_rows} rows are missing", name)]
    problems = [missing_problem(table, name, missing)] if len(missing) and not allow_missing else []
    inferred = _ColumnInference(table, name, column, max_states, classes, domain).run(plan)
    return [*problems, inferred] if isinstance(inferred, Problem) else problems or inferred


def with_missing_state(inferred: InferredColumn) -> InferredColumn | list[Problem]:
    """The column with a last state that stands for its missing cells."""
    variable, codes = inferred.variable, inferred.codes
    if MISSING_STATE in variable.states:
        return [Problem("missing state", f"holds the value {MISSING_STATE!r}", variable.name)]
    if variable.cardinality == MAX_STATES:
        return [Problem("identifier", f"{MAX_STATES} distinct values, and missing ones", variable.name)]
    states = (*variable.states, MISSING_STATE)
    variable = replace(variable, states=states, has_missing_state=True)
    codes = np.where(codes < 0, variable.missing_code, codes).astype(code_type(len(states)))
    return replace(inferred, variable=variable, codes=codes)


class _ColumnInference:
    """The values of one column that are not missing, and the decisions about them."""

    def __init__(
        self,
        table: Table,
        name: str,
        column: Column,
        max_states: int,
        classes: Classes,
        domain: Domain | None,
    ) -> None:
        self.table = table
        self.name = name
        self.column = column
        self.max_states = max_states
        self.classes = classes
        present, values = column.present()
        self.present = np.asarray(present)
        self.domain = domain or domain_of(values, is_text=table.is_text)

    def run(self, plan: Plan) -> InferredColumn | Problem:
        """Bin the column if the plan has a rule for it, else take its values as states."""
        requested = plan.by_column.get(self.name)
        is_named = self.name in plan.by_column
        domain = self._numbers_in_text() if plan.reads_text or requested else self.domain
        if len(infinite := domain.infinite()):
            return self._problem("infinite", f"first in {self._place_of(infinite)}")
        if not domain.is_numeric or (self.column.is_declared and not is_named):
            if requested and self._has_decimal_commas():
                return self._decimal_comma()
            if requested:
                return self._problem("not numeric", f"holds values such as {domain.labels[0]!r}")
            return self._categories()
        rule = plan.rule_of(self.name, len(np.unique(domain.numbers)) if plan.default else 0)
        real = domain.real()
        if rule is not None:
            self.domain = domain
            return self._bins(rule, is_whole=len(real) == 0)
        if len(real) and plan.default is None and not is_named:
            row = self._first_row(real)
            value = label_of(self.column.values[int(self.column.codes[row])])  # type: ignore[arg-type]
            return self._problem("float", f"holds {value}, first in {self.table.place(row)}")
        return self._categories()

    def _numbers_in_text(self) -> Domain:
        """The numbers that texts of a frame spell, if all of them do."""
        if self.domain.kind == "text" and all(isinstance(value, str) for value in self.domain.values):
            spelt = domain_of(self.domain.values, is_text=True)
            return spelt if spelt.is_numeric else self.domain
        return self.domain

    def _bins(self, rule: Discretise, *, is_whole: bool) -> InferredColumn:
        numbers = self.domain.numbers
        values, position = np.unique(numbers, return_inverse=True)
        place = np.full(len(self.column.values), -1)
        place[self.present] = position
        places = place[self.column.codes]
        is_known = places >= 0
        weights = self.column.weights
        known_weights = None if weights is None else weights[is_known]
        counts = np.bincount(places[is_known], known_weights, minlength=len(values)).astype(np.int64)
        occurs = counts > 0
        crossed = None
        if rule.target is not None:
            classes, num_classes = self.classes(rule.target)
            is_known &= classes >= 0
            joint = places[is_known] * num_classes + classes[is_known]
            crossed = np.bincount(joint, minlength=len(values) * num_classes).reshape(len(values), -1)[occurs]
        values, counts = values[occurs], counts[occurs]
        edges = bin_edges(values, counts, rule, is_whole=is_whole, classes=crossed)
        variable = Variable(self.name, bin_labels(edges), "binned", True, edges, is_whole)
        kept = bin_values(values, counts, variable.bin(values), variable.cardinality)
        variable = replace(variable, bins=kept)
        return self._encode(variable, variable.bin(numbers), rule)

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
        self,
        variable: Variable,
        codes_of_present: Sequence[int] | NDArray[np.intp],
        rule: Discretise | None = None,
    ) -> InferredColumn:
        has_missing = len(self.present) < len(self.column.values)
        kind = np.int32 if has_missing else code_type(variable.cardinality)
        recode: Codes = np.full(len(self.column.values), MISSING if has_missing else 0, dtype=kind)
        recode[self.present] = codes_of_present
        return InferredColumn(variable, recode[self.column.codes], rule, self.column.is_declared)

    def _clash(self) -> Problem | None:
        clash = self.domain.find_clash()
        if clash is None:
            return None
        first, second = (self.column.values[self.present[position]] for position in clash)
        return self._problem("same label", f"{first!r} and {second!r}, in {self._place_of([clash[1]])}")

    def _identifier(self) -> Problem | None:
        num_states, num_known = len(self.domain.values), self._num_known()
        is_text = self.domain.kind == "text" and not self.column.is_declared
        is_many = num_states > self.max_states
        is_key = is_text and num_states == num_known >= MIN_ROWS_OF_KEYS
        if (is_many or is_key) and self._has_decimal_commas():
            return self._decimal_comma()
        if is_many:
            return self._problem("identifier", f"{num_states} distinct values, more than {self.max_states}")
        if is_key:
            return self._problem("key", f"each of the {num_known} rows has a value of its own")
        return None

    def _num_known(self) -> int:
        """Rows that have a value."""
        weights = self.column.weights
        return (
            len(self.column.codes) - len(self.column.missing_rows())
            if weights is None
            else int(weights.sum())
        )

    def _has_decimal_commas(self) -> bool:
        return self.table.decimal == "." and is_decimal_comma(self.domain.values)

    def _decimal_comma(self) -> Problem:
        return self._problem("decimal comma", f"holds values such as {self.domain.labels[0]!r}")

    def _first_row(self, positions: Sequence[int] | NDArray[np.intp]) -> int:
        """The first row that holds one of some distinct values; -1 if none does."""
        rows = np.flatnonzero(np.isin(self.column.codes, self.present[np.asarray(positions)]))
        return int(rows[0]) if len(rows) else -1

    def _place_of(self, positions: Sequence[int] | NDArray[np.intp]) -> str:
        """Where one of some distinct values first occurs."""
        row = self._first_row(positions)
        return self.table.place(row) if row >= 0 else "the declared categories"

    def _problem(self, kind: str, message: str) -> Problem:
        return Problem(kind, message, self.name)

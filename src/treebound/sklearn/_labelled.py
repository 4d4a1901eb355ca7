"""Rows with their classes, divided into rows to learn from and held-out rows.

Whatever looks at the class sees only the rows to learn from; otherwise bins would reveal the classes of the
held-out rows, and noise would look like knowledge. So bins made for the class are made again in each fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound.data import Codes, Dataset, Schema, label_of
from treebound.sklearn._columns import Cutting, schema_of
from treebound.sklearn._ordered_rows import OrderedRows
from treebound.sklearn._target import Target
from treebound.sklearn._weights import Copies
from treebound.tables import Column, Table, read_rows


@dataclass(frozen=True, eq=False)
class Labelled:
    """Rows of features and, last, of the class, in an order that depends only on what they hold.

    ``columns`` are the positions of the features whose bins are made for the class, and ``table`` holds their
    values.
    """

    training: OrderedRows
    target: Target
    cutting: Cutting
    columns: NDArray[np.intp]
    table: Table

    @classmethod
    def of(cls, table: Table, target: Target, cutting: Cutting, copies: Copies) -> Labelled:
        """Bin and encode the copies, all of them together."""
        features = schema_of(table, cutting, target)
        schema = Schema((*features, target.variable), features.preparation)
        known = read_rows(table, features, missing="keep").codes
        rows = Dataset(schema, np.vstack([known, target.codes]))
        order = copies.sorted_by(_by_value(table, features, rows.codes))
        name = target.variable.name
        is_made = [v.edges is not None and cutting.is_for_class(v.name, name) for v in features]
        columns = np.flatnonzero(is_made)
        return cls(
            OrderedRows.of(rows, copies, order),
            target.take(order),
            cutting,
            columns,
            _held(table.select(columns.tolist()).take(order)),
        )

    @property
    def weights(self) -> NDArray[np.float64]:
        """What each row counts."""
        given = self.training.rows.weights
        return np.ones(len(self.target.codes)) if given is None else given

    @property
    def has_bins(self) -> bool:
        """Whether numbers were cut into bins."""
        return any(variable.edges is not None for variable in self.training.rows.schema.variables[:-1])

    def split(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> tuple[OrderedRows, OrderedRows]:
        """The rows to learn from and the held-out rows; bins for the class are those of the former."""
        is_known = (self.training.rows.codes[np.ix_(self.columns, train)] >= 0).any(axis=1)
        columns = self.columns[is_known]
        if not len(columns):
            return self.training.part(train), self.training.part(test)
        table = self.table.select(np.flatnonzero(is_known).tolist())
        target = self.target.take(train)
        cutting = replace(self.cutting, rules=dict.fromkeys(table.names, "supervised"))
        bins = schema_of(table.take(train), cutting, target)
        variables = list(self.training.rows.schema)
        for column, variable in zip(columns.tolist(), bins, strict=True):
            variables[column] = variable
        codes = self.training.rows.codes.astype(np.int32)
        codes[columns] = read_rows(table, bins, missing="keep").codes
        rows = Dataset(Schema(tuple(variables)), codes, self.training.rows.weights)
        whole = replace(self.training, rows=rows)
        return whole.part(train), whole.part(test)


def _by_value(table: Table, features: Schema, codes: Codes) -> Codes:
    """The codes with the rank of each value in place of its bin."""
    ranked: Codes = codes.astype(np.int32)
    for index, variable in enumerate(features):
        if variable.edges is not None:
            column = table.read(index)
            labels = ["" if value is None else label_of(value) for value in column.values]
            ranked[index] = np.unique(labels, return_inverse=True)[1][column.codes]
    return ranked


def _held(table: Table) -> Table:
    """The table with its columns made once; each fold asks for them."""
    columns: list[Column] = [table.column(index) for index in range(len(table.names))]
    return replace(table, column=columns.__getitem__)

"""A structure with its tables: the joint distribution of all variables as one conditional table for each."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_seed
from treebound._budget import resolve_threads
from treebound._core import sample_rows
from treebound._json import plain_json
from treebound.data import Dataset, Schema
from treebound.data._dataset import code_type
from treebound.network._graph_questions import GraphQuestions
from treebound.network._packed import PackedNetwork, pack
from treebound.network._table_questions import TableQuestions

if TYPE_CHECKING:
    from treebound.inference._evidence import Evidence

# Cells sampled between two looks for Ctrl-C: a fraction of a second.
CELLS_PER_CALL = 1 << 25
# More rows than this fit into no memory, and their bytes into no index.
MAX_ROWS = 2**40


@dataclass(frozen=True, eq=False, repr=False)
class BayesianNetwork(GraphQuestions, TableQuestions):
    """A joint distribution over the variables of a schema: parents and a table of probabilities for each.

    ``parents`` holds, per variable, the indices of its parents. ``tables`` holds, per variable, a flat array:
    for each joint state of the parents, in row-major order with the last parent running fastest, one
    contiguous run of the probabilities of the variable's own states. Reshaped to the numbers of states of
    (first parent, ..., last parent, variable) it reads as P(variable | parents).

    ``elimination_order`` may hold an order of the variables that bears witness to a small treewidth, and
    ``provenance`` plain JSON data on where the network comes from, which equality does not look at.

    Everything is checked at construction (``ValueError`` otherwise) and cannot change afterwards.
    """

    schema: Schema
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[NDArray[np.float64], ...]
    elimination_order: tuple[int, ...] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    _packed: PackedNetwork = field(init=False)

    def __post_init__(self) -> None:
        packed = pack(self.schema, self.parents, self.tables)
        object.__setattr__(self, "parents", packed.parents_of())
        object.__setattr__(self, "tables", packed.tables_of())
        object.__setattr__(self, "_packed", packed)
        if self.elimination_order is not None:
            order = tuple(map(operator.index, self.elimination_order))
            if sorted(order) != list(range(self.num_variables)):
                raise ValueError(
                    f"elimination_order must hold each index from 0 to {self.num_variables - 1} once, "
                    f"got {len(order)} indices that start with {order[:10]}."
                )
            object.__setattr__(self, "elimination_order", order)
        object.__setattr__(self, "provenance", plain_json("provenance", dict(self.provenance), ValueError))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        mine = (self.schema, self.parents, self.elimination_order)
        theirs = (other.schema, other.parents, other.elimination_order)
        return mine == theirs and np.array_equal(self._packed.tables, other._packed.tables)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[BayesianNetwork], tuple[object, ...]]:
        return BayesianNetwork, (
            self.schema,
            self.parents,
            self.tables,
            self.elimination_order,
            self.provenance,
        )

    def __repr__(self) -> str:
        size = f"{self.num_variables} variables, {self.num_arcs} arcs, {self.num_parameters} parameters"
        return f"<BayesianNetwork: {size}>"

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.parents)

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """All arcs as (parent, child), by child."""
        return tuple((parent, child) for child, family in enumerate(self.parents) for parent in family)

    @property
    def num_arcs(self) -> int:
        """Number of arcs."""
        return len(self._packed.parents)

    @property
    def num_parameters(self) -> int:
        """Number of free parameters: in every row of a table, one probability follows from the others."""
        num_rows = np.diff(self._packed.table_offsets) // self._packed.cardinalities
        return int(np.sum(num_rows * (self._packed.cardinalities - 1)))

    def sample(
        self,
        num_rows: int,
        seed: int = 0,
        *,
        evidence: Evidence | None = None,
        num_threads: int | None = None,
    ) -> Dataset:
        """Draw rows independently: each variable given its parents, or given ``evidence`` if there is some.

        Same seed, same rows, whatever the number of threads (``None``: all that this process may use); the
        first rows do not depend on how many follow.
        """
        num_rows = check_integer("num_rows", num_rows, 0, MAX_ROWS)
        threads = resolve_threads(num_threads, "num_threads")
        seed = check_seed(seed)
        if evidence is not None:
            from treebound.inference._evidence import as_mapping

            if known := as_mapping(evidence):
                return self.junction_tree.sample(num_rows, evidence=known, seed=seed)
        p = self._packed
        codes = np.empty((self.num_variables, num_rows), dtype=code_type(max(self.schema.cardinalities)))
        rows_per_call = max(1, CELLS_PER_CALL // self.num_variables)
        for first in range(0, num_rows, rows_per_call):
            sample_rows(
                p.cardinalities,
                p.topological_order,
                p.parent_offsets,
                p.parents,
                p.table_offsets,
                p.tables,
                seed=seed,
                first_row=first,
                last_row=min(num_rows, first + rows_per_call),
                num_threads=threads,
                codes=codes,
            )
        codes.setflags(write=False)
        return Dataset(self.schema, codes)

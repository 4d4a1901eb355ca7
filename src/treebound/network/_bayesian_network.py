"""A structure with its tables: the joint distribution of all variables as one conditional table for each."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_seed, check_type
from treebound._budget import resolve_threads
from treebound._core import sample_rows
from treebound._html import facts, section
from treebound._json import plain_json
from treebound._run import complete, new_run
from treebound.data import Dataset, Schema, code_type
from treebound.inference import (
    MAX_ROWS,
    Backend,
    Evidence,
    FlatTables,
    as_mapping,
    flatten_tables,
    long_frame,
)
from treebound.network._graph_questions import GraphQuestions
from treebound.network._names import position_of
from treebound.network._table_questions import TableQuestions
from treebound.structure import Structure, arcs_of, named_arcs, named_parents, picture

if TYPE_CHECKING:
    from treebound.network._fit import Missing

# Fewer cells are drawn in less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 15


@dataclass(frozen=True, eq=False, repr=False)
class BayesianNetwork(GraphQuestions, TableQuestions):
    """A joint distribution over the variables of a schema: parents and a table of probabilities for each.

    ``parent_indices`` holds, per variable, the indices of its parents; ``parents`` and ``arcs`` are by name.
    ``tables`` holds, per variable, a flat array: for each joint state of the parents, in row-major order with
    the last parent running fastest, one contiguous run of the probabilities of the variable's own states.
    Reshaped to the numbers of states of (first parent, ..., last parent, variable) it reads as P(variable |
    parents).

    ``elimination_order`` may hold an order of the variables that proves a small treewidth, ``provenance``
    plain JSON data on where the network comes from, and ``fitted_to`` the structure whose tables these are,
    with its witness and scores. Equality does not look at the last two.

    Everything is checked at construction (``ValueError`` otherwise) and cannot change afterwards.
    """

    schema: Schema
    parent_indices: tuple[tuple[int, ...], ...]
    tables: tuple[NDArray[np.float64], ...]
    elimination_order: tuple[int, ...] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    fitted_to: Structure | None = None
    flat_tables: FlatTables = field(init=False)

    def __post_init__(self) -> None:
        check_type("schema", self.schema, Schema, "a Schema")
        flat = flatten_tables(self.schema, self.parent_indices, self.tables)
        object.__setattr__(self, "parent_indices", flat.parents_of())
        object.__setattr__(self, "tables", flat.tables_of())
        object.__setattr__(self, "flat_tables", flat)
        if self.fitted_to is not None:
            object.__setattr__(self, "fitted_to", self._checked(self.fitted_to))
        if self.elimination_order is not None:
            order = tuple(map(operator.index, self.elimination_order))
            if sorted(order) != list(range(self.num_variables)):
                raise ValueError(
                    f"elimination_order must hold each index from 0 to {self.num_variables - 1} once, "
                    f"got {len(order)} indices that start with {order[:10]}."
                )
            object.__setattr__(self, "elimination_order", order)
        object.__setattr__(self, "provenance", plain_json("provenance", dict(self.provenance), ValueError))

    def _checked(self, structure: Structure) -> Structure:
        """The structure that the tables belong to, with the network's schema."""
        check_type("fitted_to", structure, Structure, "a Structure or None")
        own = tuple(tuple(sorted(row)) for row in self.parent_indices)
        if (structure.names, structure.parent_indices) != (self.schema.names, own):
            raise ValueError("fitted_to must have the variables and parents of the network, got others.")
        return structure if structure.schema == self.schema else replace(structure, schema=self.schema)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        mine = (self.schema, self.parent_indices, self.elimination_order)
        theirs = (other.schema, other.parent_indices, other.elimination_order)
        return mine == theirs and np.array_equal(self.flat_tables.tables, other.flat_tables.tables)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[BayesianNetwork], tuple[object, ...]]:
        return BayesianNetwork, (
            self.schema,
            self.parent_indices,
            self.tables,
            self.elimination_order,
            self.provenance,
            self.fitted_to,
        )

    def __repr__(self) -> str:
        size = f"{self.num_variables} variables, {self.num_arcs} arcs, {self.num_parameters} parameters"
        return f"<BayesianNetwork: {size}>"

    def _repr_html_(self) -> str:
        rows = [("variables", f"{self.num_variables:,}"), ("arcs", f"{self.num_arcs:,}")]
        rows.append(("parameters", f"{self.num_parameters:,}"))
        return section("Bayesian network", facts(rows), picture(self.parent_indices, self.schema.names))

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.parent_indices)

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """The names of the parents of each variable, by its name."""
        return named_parents(self.parent_indices, self.schema.names)

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names (parent, child), by child."""
        return named_arcs(self.parent_indices, self.schema.names)

    @property
    def arc_indices(self) -> tuple[tuple[int, int], ...]:
        """Pairs of indices (parent, child), by child."""
        return arcs_of(self.parent_indices)

    @cached_property
    def structure(self) -> Structure:
        """What the network was fitted to; else the arcs, with the witness of an elimination order."""
        if self.fitted_to is not None:
            return self.fitted_to
        return Structure.from_parents(
            self.parent_indices,
            names=self.schema.names,
            elimination_order=self.elimination_order,
            schema=self.schema,
            provenance=self.provenance,
        )

    @classmethod
    def from_tables(
        cls,
        tables: Mapping[str, Any],
        *,
        parents: Mapping[str, Iterable[str]] | None = None,
        states: Mapping[str, Iterable[Any]] | None = None,
    ) -> BayesianNetwork:
        """Make a network of a table for each variable, by name.

        A table is nested: a level for each of ``parents[name]``, in that order, and a last one for the
        variable itself. A level is a mapping from states, or a sequence (a list or an array) in the order of
        the states. A state that a last level leaves out has probability zero. A table may also be a data
        frame as ``network.table(name)`` returns it: a column for each parent and for the variable, and one
        for the probabilities; then it names its parents itself.

        ``states`` lists the states of variables whose own table does not name them, or names them in
        another order than wanted; sequences without it have the states 0, 1, ...

        >>> network = BayesianNetwork.from_tables(
        ...     {
        ...         "rain": {"no": 0.8, "yes": 0.2},
        ...         "wet": {"no": {"no": 0.9, "yes": 0.1}, "yes": {"no": 0.05, "yes": 0.95}},
        ...     },
        ...     parents={"wet": ["rain"]},
        ... )
        >>> round(network.posterior("rain", {"wet": "yes"})["yes"], 4)
        0.7037
        """
        from treebound.network._by_hand import network_from_tables

        return network_from_tables(tables, parents, states)

    def update(
        self,
        table: Any,
        *,
        weight: float | None = None,
        missing: Missing = "error",
        threads: int | None = None,
    ) -> BayesianNetwork:
        """Return the network with tables that also know the rows of ``table``.

        What the network knows already counts like ``weight`` rows, by default as many as it was fitted to.
        The rows are read with its states and bins; those that lack values are refused or, with
        ``missing="skip"``, left out of the families in which they lack one.
        """
        from treebound.network._update import updated

        return updated(self, table, weight, missing, threads)

    def do(self, settings: Mapping[str, Any]) -> BayesianNetwork:
        """Return the network after an intervention that sets variables to states.

        A variable that is set no longer depends on its parents, so that seeing its state says nothing about
        them; arcs are taken for causes. Every question works on the network returned, also with evidence.
        Rows do not tell the direction of every arc: ``uncertain_arcs`` names those that decide the answer.
        """
        from treebound.network._do import mutilated

        return mutilated(self, settings)

    def table(self, variable: str, backend: Backend = "pandas") -> Any:
        """P(variable | parents) as a frame with a row for each joint state of the family.

        There is a column for each parent, one for the variable, and ``probability``.
        """
        own = position_of(variable, self.schema)
        family = [self.schema[v] for v in (*self.parent_indices[own], own)]
        return long_frame(family, self.tables[own].reshape([one.cardinality for one in family]), backend)

    @property
    def num_arcs(self) -> int:
        """Number of arcs."""
        return len(self.flat_tables.parents)

    @property
    def num_parameters(self) -> int:
        """Number of free parameters: in every row of a table, one probability follows from the others."""
        num_rows = np.diff(self.flat_tables.table_offsets) // self.flat_tables.cardinalities
        return int(np.sum(num_rows * (self.flat_tables.cardinalities - 1)))

    def sample(
        self, num_rows: int, seed: int = 0, evidence: Evidence | None = None, *, threads: int | None = None
    ) -> Dataset:
        """Draw rows independently: each variable given its parents, or given ``evidence`` if there is some.

        Equal seeds give equal rows, for any number of threads (``None``: all that this process may use); the
        first rows do not depend on how many follow. In frames (``to_frame``), a column that was cut holds
        numbers drawn inside its bins.
        """
        num_rows, seed = check_integer("num_rows", num_rows, 0, MAX_ROWS), check_seed(seed)
        if known := as_mapping(evidence):
            return self.junction_tree.sample(num_rows, seed, known, threads=threads)
        flat, run = self.flat_tables, new_run(None, resolve_threads(threads))
        codes = np.empty((self.num_variables, num_rows), dtype=code_type(max(self.schema.cardinalities)))

        def draw() -> None:
            sample_rows(
                flat.cardinalities,
                flat.topological_order,
                flat.parent_offsets,
                flat.parents,
                flat.table_offsets,
                flat.tables,
                seed=seed,
                run=run,
                codes=codes,
            )

        complete("drawing rows", run, draw, is_long=codes.size > _MANY_CELLS)
        codes.setflags(write=False)
        return Dataset(self.schema, codes, seed)

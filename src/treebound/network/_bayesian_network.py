"""A structure with its tables: the joint distribution of all variables as one conditional table for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound._arguments import check_integer, check_seed, check_type
from treebound._budget import resolve_threads
from treebound._core import sample_rows
from treebound._description import Described, Description, Fact
from treebound._json import plain_json
from treebound._run import complete, new_run
from treebound._visible import counted
from treebound.data import Dataset, Schema, code_type
from treebound.inference import (
    MAX_ROWS,
    Backend,
    Evidence,
    FlatTables,
    Impossible,
    InformationValue,
    JunctionTree,
    Marginals,
    MostProbable,
    ParameterSensitivity,
    Posterior,
    as_mapping,
    check_rows,
    flatten_tables,
    long_frame,
)
from treebound.network._anomaly import surprises
from treebound.network._graph_queries import GraphQueries, positions_of_names
from treebound.network._intervention import Intervention
from treebound.network._model import Model
from treebound.network._names import position_of
from treebound.network._num_rows import NumRows, checked_num_rows
from treebound.structure import Structure, picture

if TYPE_CHECKING:
    from treebound.network._comparison import Comparison
    from treebound.network._rows_to_fit import FitMissing

# Fewer cells are drawn in less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 15


@dataclass(frozen=True, eq=False, repr=False)
class BayesianNetwork(Described, GraphQueries, Model):
    """A joint distribution over the variables of a structure: a table of probabilities for each.

    ``structure`` holds the variables with their states (its schema), the parents of each, ascending, and the
    proof of a small treewidth if there is one. ``tables`` holds, per variable, a flat array: for each joint
    state of the parents, in row-major order with the last parent running fastest, one contiguous run of the
    probabilities of the variable's own states. Reshaped to the numbers of states of (first parent, ..., last
    parent, variable) it reads as P(variable | parents).

    ``num_rows`` is the number of rows the tables were counted from, or the sum of their weights; one for each
    variable where these differ, and None if unknown. ``provenance`` is plain JSON data on where the network
    comes from. ``observed`` is the network before an intervention. Equality compares the schema, the parents,
    the tables and ``num_rows``.

    Everything is checked at construction (``ValueError`` otherwise) and cannot change afterwards.
    """

    structure: Structure
    tables: tuple[NDArray[np.float64], ...]
    num_rows: NumRows | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    observed: BayesianNetwork | None = None
    flat_tables: FlatTables = field(init=False)

    def __post_init__(self) -> None:
        check_type("structure", self.structure, Structure, "a Structure")
        if self.structure.schema is None:
            raise ValueError("structure must have a schema, which holds the states of its variables.")
        flat = flatten_tables(self.structure.schema, self.structure.parent_indices, self.tables)
        object.__setattr__(self, "tables", flat.tables_of())
        object.__setattr__(self, "flat_tables", flat)
        order = self.elimination_order
        if order is not None and sorted(order) != [*range(self.num_variables)]:
            raise ValueError(
                f"The bags of the tree decomposition must hold each of {self.num_variables} variables "
                "and no others."
            )
        if self.num_rows is not None:
            object.__setattr__(self, "num_rows", checked_num_rows(self.num_rows, self.num_variables))
        check_type("provenance", self.provenance, Mapping, "a dict")
        object.__setattr__(self, "provenance", plain_json("provenance", dict(self.provenance), ValueError))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        mine = (self.schema, self.parent_indices, self.num_rows)
        theirs = (other.schema, other.parent_indices, other.num_rows)
        return mine == theirs and np.array_equal(self.flat_tables.tables, other.flat_tables.tables)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[BayesianNetwork], tuple[object, ...]]:
        fields = (self.structure, self.tables, self.num_rows, self.provenance, self.observed)
        return BayesianNetwork, fields

    def __repr__(self) -> str:
        sizes = (self.num_variables, "variable"), (self.num_arcs, "arc"), (self.num_parameters, "parameter")
        return f"<BayesianNetwork: {', '.join(counted(*size) for size in sizes)}>"

    __str__ = __repr__

    def describe(self) -> Description:
        """Return sizes, and a picture if the network is small."""
        facts = [
            Fact("variables", self.num_variables, "{:,}", "variables"),
            Fact("arcs", self.num_arcs, "{:,}", "arcs"),
            Fact("parameters", self.num_parameters, "{:,}", "parameters"),
        ]
        drawn = picture(self.parent_indices, self.schema.names)
        return Description("Bayesian network", facts, pictures=[drawn])

    @property
    def schema(self) -> Schema:
        """The variables with their states."""
        schema = self.structure.schema
        assert schema is not None
        return schema

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return self.structure.num_variables

    @property
    def parent_indices(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the parents of each variable, ascending."""
        return self.structure.parent_indices

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """The names of the parents of each variable, by its name."""
        return self.structure.parents

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names (parent, child), by child."""
        return self.structure.arcs

    @property
    def arc_indices(self) -> tuple[tuple[int, int], ...]:
        """Pairs of indices (parent, child), by child."""
        return self.structure.arc_indices

    @property
    def elimination_order(self) -> tuple[int, ...] | None:
        """The order of the proof of a small treewidth, if the structure came with one."""
        proof = self.structure.decomposition
        return None if proof is None else proof.elimination_order

    @classmethod
    def from_indices(
        cls,
        schema: Schema,
        parents: Iterable[Iterable[int]],
        tables: Sequence[ArrayLike],
        elimination_order: Iterable[int] | None = None,
        provenance: Mapping[str, Any] | None = None,
    ) -> BayesianNetwork:
        """Make a network of parents by index, in any order, and tables whose axes follow that order."""
        from treebound.network._from_indices import network_from_indices

        return network_from_indices(schema, parents, tables, elimination_order, provenance or {})

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
        the states. A state that a last level omits has probability zero. A table may also be a data
        frame as ``network.table(name)`` returns it: a column for each parent and for the variable, and one
        for the probabilities; then it names its parents itself.

        ``states`` lists the states of variables whose own table does not name them, or names them in
        another order than wanted; sequences without it have the states 0, 1, ...

        >>> from treebound import BayesianNetwork
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
        from treebound.network._from_tables import network_from_tables

        return network_from_tables(tables, parents, states)

    def update(
        self,
        table: Any,
        *,
        weight: float | None = None,
        missing: FitMissing | None = None,
        threads: int | None = None,
    ) -> BayesianNetwork:
        """Return the network updated with the rows of ``table``.

        Its previous knowledge counts as ``weight`` rows, by default as many as it was fitted to.
        The rows are read with its states and bins. ``missing`` and weights of rows work as in ``fit``.
        """
        from treebound.network._update import updated

        return updated(self, table, weight, missing, threads)

    def do(self, settings: Mapping[str, Any]) -> BayesianNetwork:
        """Return the network after an intervention that sets variables to states.

        A variable that is set no longer depends on its parents, so seeing its state says nothing about
        them; arcs are read as causal. Every query works on the network returned, also with evidence.
        Rows do not determine the direction of every arc: ``uncertain_arcs`` names those that matter.
        """
        from treebound.network._do import mutilated

        return mutilated(self, settings)

    def explore(self, table: Any = None, *, port: int = 0, open_browser: bool | None = None) -> Any:
        """Open this network in the browser, or in a frame of the notebook; see ``treebound.explore``."""
        # By name: the explorer stands above this layer, and only this door leads up to it.
        return import_module("treebound.explorer").explore(self, table, port=port, open_browser=open_browser)

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

    def settled_arcs(
        self, done: str | Iterable[str], targets: str | Iterable[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """The arcs that ``uncertain_arcs`` would list if the constraints had not settled their direction."""
        from treebound.network._directions import settled_arcs

        names = self.schema.names if targets is None else targets
        left, right = positions_of_names(self.schema, done), positions_of_names(self.schema, names)
        return settled_arcs(self, left, right)

    def uncertain_arcs(
        self, done: str | Iterable[str], targets: str | Iterable[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """The arcs that decide what setting variables does to the targets, and that rows cannot direct.

        ``done`` and ``targets`` are names, one or several; None is for all variables. Each arc (parent,
        child) could point the other way with the same score, and would change what ``do`` returns. If there
        are none, results hold for every network of the equivalence class that obeys the constraints. For a
        query with evidence, name its variables among the targets.
        """
        from treebound.network._directions import uncertain_arcs

        names = self.schema.names if targets is None else targets
        left, right = positions_of_names(self.schema, done), positions_of_names(self.schema, names)
        return uncertain_arcs(self, left, right)

    def compare(self, other: BayesianNetwork) -> Comparison:
        """How another network over the same variables differs from this one, in arcs and in distribution."""
        from treebound.network._comparison import compare

        return compare(self, other)

    @cached_property
    def junction_tree(self) -> JunctionTree:
        """The junction tree for all queries, built by the first one and kept.

        Make one yourself to set its limit of memory.
        """
        return JunctionTree(self)

    def marginals(self, evidence: Evidence | None = None) -> Marginals:
        """Return the distribution of every variable given the evidence, by name."""
        found = self.junction_tree.marginals(evidence)
        return replace(found, intervention=self._intervention(evidence))

    def posterior(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Posterior:
        """Return the distribution of one variable, or the joint one of several, given the evidence."""
        found = self.junction_tree.posterior(variables, evidence)
        return replace(found, intervention=self._intervention(evidence))

    def log_probability(self, evidence: Evidence) -> float:
        """Return the natural logarithm of the probability of the evidence."""
        return self.junction_tree.log_probability(evidence)

    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """Return the most probable state of all variables together, given the evidence."""
        found = self.junction_tree.most_probable(evidence)
        return replace(found, intervention=self._intervention(evidence))

    def value_of_information(
        self, target: str, evidence: Evidence | None = None, *, most: int | None = 20
    ) -> list[InformationValue]:
        """What to observe next to learn about a variable: exact mutual information, the largest first."""
        return self.junction_tree.value_of_information(target, evidence, most=most)

    def parameter_sensitivity(
        self, target: str, state: Any, evidence: Evidence | None = None, *, most: int | None = 20
    ) -> list[ParameterSensitivity]:
        """Return how the posterior of a state depends on entries of CPTs, the most influential first."""
        return self.junction_tree.parameter_sensitivity(target, state, evidence, most=most)

    def log_likelihood_rows(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the logarithm of the probability of the observed cells of each row."""
        return self.junction_tree.log_likelihood_rows(rows, threads=threads)

    def posterior_rows(
        self, target: int, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return the distribution of a variable, by index, given the other cells of each row."""
        return self.junction_tree.posterior_rows(target, rows, impossible=impossible, threads=threads)

    def most_probable_rows(
        self, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with their most probable joint completion."""
        return self.junction_tree.most_probable_rows(rows, impossible=impossible, threads=threads)

    def sample_rows_given(
        self, rows: Dataset, seed: int = 0, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with missing cells drawn given the known ones."""
        return self.junction_tree.sample_rows_given(rows, seed, impossible=impossible, threads=threads)

    def cell_surprises(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the negative log-probabilities of cells given the parents' cells."""
        check_rows(rows, self.schema)
        return surprises(self, rows, threads)

    def _intervention(self, evidence: Evidence | None) -> Intervention | None:
        """Return what ``do`` has set; None if nothing is set."""
        settings = self.provenance.get("do")
        if not isinstance(settings, dict) or not settings:
            return None
        return Intervention(settings, self.observed, tuple(as_mapping(evidence)))

    def sample(
        self, num_rows: int, seed: int = 0, evidence: Evidence | None = None, *, threads: int | None = None
    ) -> Dataset:
        """Draw rows independently: each variable given its parents, or given ``evidence`` if there is some.

        Equal seeds give equal rows, for any number of threads (``None``: all that this process may use); the
        first rows do not depend on how many follow. In frames (``to_frame``), a binned column
        holds numbers of the data, drawn from its bins.
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
        return Dataset(self.schema, codes, drawn_with=seed)

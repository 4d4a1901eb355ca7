"""Many networks that share a structure: one junction tree serves all of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound import _core
from treebound._arguments import check_integer, check_type
from treebound._budget import resolve_threads
from treebound._json import plain_json
from treebound._run import complete, new_run
from treebound._visible import counted
from treebound.data import MISSING, Codes, Dataset, Schema
from treebound.inference import (
    Evidence,
    Impossible,
    Marginals,
    MostProbable,
    Posterior,
    check_impossible,
    check_rows,
    check_rows_possible,
    findings_of,
    names_of,
    offsets,
    positions_of,
    table_sizes,
)
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._model import Model
from treebound.network.mixture._approximate import approximate
from treebound.network.mixture._class_network import class_network
from treebound.network.mixture._weights import checked_weights, logs_of, shares_of
from treebound.structure import Structure

# Fewer cells take less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 15


@dataclass(frozen=True, eq=False, repr=False)
class SharedMixture(Model):
    """A mixture of networks over the same structure.

    All queries are exact except ``most_probable``, which returns the state that is most probable together
    with a component.

    Parameters
    ----------
    structure : Structure
        The structure of all components, with its schema.
    weights : array of shape (components,)
        They sum to one.
    tables : sequence of arrays of shape (components, cells)
        One for each variable. Row ``c`` is the flat table of component ``c``, as in ``BayesianNetwork``.
    provenance : dict, optional
        Plain JSON data on where the mixture comes from.

    Examples
    --------
    >>> import treebound as tb
    >>> network = tb.random_network(3, seed=1)
    >>> tables = [[table, table] for table in network.tables]
    >>> mixture = tb.network.SharedMixture(network.structure, [0.3, 0.7], tables)
    >>> import numpy as np
    >>> bool(np.isclose(mixture.log_probability({"X0": 0}), network.log_probability({"X0": 0})))
    True
    """

    structure: Structure
    weights: NDArray[np.float64]
    tables: tuple[NDArray[np.float64], ...]
    provenance: dict[str, Any] = field(default_factory=dict)
    _network: BayesianNetwork = field(init=False)

    def __post_init__(self) -> None:
        check_type("structure", self.structure, Structure, "a Structure")
        if self.structure.schema is None:
            raise ValueError("structure must have a schema, which holds the states of its variables.")
        check_type("provenance", self.provenance, Mapping, "a dict")
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "provenance", plain_json("provenance", dict(self.provenance), ValueError))
        put(self, "weights", checked_weights(self.weights, np.size(self.weights)))
        shaped = _checked_tables(self.tables, self.structure, len(self.weights))
        joint = class_network(self.structure.schema, self.structure, self.weights, shaped)
        put(self, "_network", joint)
        put(self, "tables", tuple(table.reshape(len(self.weights), -1) for table in joint.tables[1:]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SharedMixture):
            return NotImplemented
        return self._network == other._network

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[SharedMixture], tuple[object, ...]]:
        return SharedMixture, (self.structure, self.weights, self.tables, self.provenance)

    def __repr__(self) -> str:
        size = f"{counted(self.num_components, 'component')}, {counted(len(self.schema), 'variable')}"
        return f"<SharedMixture: {size}, treewidth {self.structure.treewidth}>"

    @property
    def schema(self) -> Schema:
        """The variables with their states."""
        schema = self.structure.schema
        assert schema is not None
        return schema

    @property
    def num_components(self) -> int:
        """Number of components."""
        return len(self.weights)

    def to_network(self) -> BayesianNetwork:
        """Return one network over a hidden class and the variables: the class comes first."""
        return self._network

    def component(self, index: int) -> BayesianNetwork:
        """Return one component as a network."""
        index = check_integer("index", index, 0, self.num_components - 1)
        return BayesianNetwork(self.structure, tuple(table[index] for table in self.tables))

    def marginals(self, evidence: Evidence | None = None) -> Marginals:
        """Return the distribution of every variable given the evidence, by name."""
        self._check_evidence(evidence)
        found = self._network.marginals(evidence)
        starts = tuple(offsets(self.schema.cardinalities).tolist())
        return Marginals(self.schema, starts, found.flat[self.num_components :], found.given)

    def posterior(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Posterior:
        """Return the distribution of one variable, or the joint one of several, given the evidence."""
        names = names_of(variables)
        positions_of(names, self.schema)
        self._check_evidence(evidence)
        return self._network.posterior(names, evidence)

    def log_probability(self, evidence: Evidence) -> float:
        """Return the natural logarithm of the probability of the evidence."""
        self._check_evidence(evidence)
        return self._network.log_probability(evidence)

    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """Return the state of all variables that is most probable together with a component.

        Another state may be more probable when all components are counted; to find the best one is
        intractable. The probabilities returned are those in the whole mixture.
        """
        self._check_evidence(evidence)
        found = self._network.most_probable(evidence)
        own = {name: found.assignment[name] for name in self.schema.names}
        return approximate(self, own, evidence)

    def sample(
        self, num_rows: int, seed: int = 0, evidence: Evidence | None = None, *, threads: int | None = None
    ) -> Dataset:
        """Draw rows independently, given the evidence; equal seeds give equal rows."""
        self._check_evidence(evidence)
        drawn = self._network.sample(num_rows, seed, evidence, threads=threads)
        return Dataset(self.schema, drawn.codes[1:], drawn_with=seed)

    def log_likelihood_rows(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the logarithm of the probability of the observed cells of each row."""
        codes = self._checked(rows)
        is_complete = (codes >= 0).all(axis=0)
        logs = np.empty(codes.shape[1])
        logs[is_complete] = self._complete_logs(codes[:, is_complete], threads)
        if not is_complete.all():
            incomplete = self._with_class(codes[:, ~is_complete])
            logs[~is_complete] = self._network.log_likelihood_rows(incomplete, threads=threads)
        return logs

    def posterior_rows(
        self, target: int, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return the distribution of a variable, by index, given the other cells of each row."""
        target = check_integer("target", target, 0, len(self.schema) - 1)
        check_impossible(impossible)
        codes = self._checked(rows)
        is_complete = (np.delete(codes, target, axis=0) >= 0).all(axis=0)
        shares = np.empty((codes.shape[1], self.schema.cardinalities[target]))
        shares[is_complete] = self._posterior_of_complete(target, codes[:, is_complete], threads)
        if not is_complete.all():
            incomplete = self._with_class(codes[:, ~is_complete])
            shares[~is_complete] = self._network.posterior_rows(
                target + 1, incomplete, impossible="nan", threads=threads
            )
        if impossible == "raise":
            check_rows_possible(~np.isnan(shares[:, 0]))
        return shares

    def most_probable_rows(
        self, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with the completion that is most probable together with a component."""
        found = self._network.most_probable_rows(
            self._with_class(self._checked(rows)), impossible=impossible, threads=threads
        )
        return Dataset(rows.schema, found.codes[1:], rows.weights)

    def sample_rows_given(
        self, rows: Dataset, seed: int = 0, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with missing cells drawn given the known ones."""
        found = self._network.sample_rows_given(
            self._with_class(self._checked(rows)), seed, impossible=impossible, threads=threads
        )
        return Dataset(rows.schema, found.codes[1:], rows.weights)

    def cell_surprises(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the mean over components of the negative log-probability of each cell given its parents.

        Components count by their posterior given the row. Their sum in a complete row is the negative
        log-likelihood less the divergence of that posterior from the weights, which no single cell causes.
        """
        codes = self._checked(rows)
        is_missing = codes < 0
        if is_missing.any():
            codes = self.most_probable_rows(rows, impossible="nan", threads=threads).codes
        result = np.full(codes.shape, np.nan)
        is_possible = (codes >= 0).all(axis=0)
        result[:, is_possible] = -self._family_logs(codes[:, is_possible], threads)
        result[is_missing & is_possible] = 0
        return result

    def _complete_logs(self, codes: Codes, threads: int | None) -> NDArray[np.float64]:
        return self._in_lanes(codes, threads, self._core_mixture.log_likelihood_rows)

    def _family_logs(self, codes: Codes, threads: int | None) -> NDArray[np.float64]:
        return self._in_lanes(codes, threads, self._core_mixture.family_logs).reshape(codes.shape)

    def _in_lanes(
        self,
        codes: Codes,
        threads: int | None,
        query: Callable[[Codes, _core.Run], NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        contiguous, run = np.ascontiguousarray(codes), new_run(None, resolve_threads(threads))
        is_long = codes.size * self.num_components > _MANY_CELLS
        return complete("results for rows", run, lambda: query(contiguous, run), is_long=is_long)

    def _posterior_of_complete(self, target: int, codes: Codes, threads: int | None) -> NDArray[np.float64]:
        """Return the posterior as the share of each state in the probability of the row."""
        states = self.schema.cardinalities[target]
        logs = np.empty((codes.shape[1], states))
        tried = codes.copy()
        for state in range(states):
            tried[target] = state
            logs[:, state] = self._complete_logs(tried, threads)
        return shares_of(logs)

    def _with_class(self, codes: Codes) -> Dataset:
        unknown = np.full((1, codes.shape[1]), MISSING, dtype=np.int32)
        return Dataset(self._network.schema, np.concatenate([unknown, codes]))

    def _checked(self, rows: Dataset) -> Codes:
        check_rows(rows, self.schema)
        return rows.codes.astype(np.int32)

    def _check_evidence(self, evidence: Evidence | None) -> None:
        """Reject evidence about the class, which is not a variable of the mixture."""
        findings_of(evidence, self.schema)

    @cached_property
    def _core_mixture(self) -> _core.Mixture:
        """The tables as the core reads them for complete rows: the numbers of one cell side by side."""
        parents = self.structure.parent_indices
        sizes = table_sizes(parents, self.schema.cardinalities)
        return _core.Mixture(
            np.array(self.schema.cardinalities, dtype=np.uint32),
            offsets([len(family) for family in parents]),
            np.array([parent for family in parents for parent in family], dtype=np.uint32),
            offsets(sizes),
            np.ascontiguousarray(logs_of(np.concatenate(self.tables, axis=1)).T),
            logs_of(self.weights),
        )


def _checked_tables(
    tables: Sequence[ArrayLike], structure: Structure, num_components: int
) -> list[NDArray[np.float64]]:
    check_type("tables", tables, Sequence, "a sequence with the tables of each variable")
    assert structure.schema is not None
    sizes = table_sizes(structure.parent_indices, structure.schema.cardinalities)
    if len(tables) != len(sizes):
        raise ValueError(f"Expected the tables of {len(sizes)} variables, got {len(tables)}.")
    arrays = [np.asarray(table, dtype=np.float64) for table in tables]
    for name, array, size in zip(structure.names, arrays, sizes, strict=True):
        if array.shape != (num_components, size):
            raise ValueError(
                f"The tables of {name!r} must have shape {(num_components, size)}, components by cells, "
                f"got {array.shape}."
            )
    return arrays

"""Weighted models that are queried together: the posterior of each component weights its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treebound._arguments import MAX_SEED, check_integer, check_seed, check_type
from treebound._json import plain_json
from treebound._visible import counted
from treebound.data import MISSING, Dataset, Schema, code_type
from treebound.inference import (
    MAX_ROWS,
    Evidence,
    Impossible,
    Marginals,
    MostProbable,
    Posterior,
    as_mapping,
    check_impossible,
    check_rows,
    check_rows_possible,
    contradiction,
    findings_of,
)
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._model import Model
from treebound.network.mixture._approximate import approximate
from treebound.network.mixture._shared import SharedMixture
from treebound.network.mixture._union import united
from treebound.network.mixture._weights import checked_weights, log_sums, logs_of, shares_of, weighted_sum

_Result = TypeVar("_Result")


class Mixture(Model):
    """A mixture of models over the same variables, itself a model.

    All queries are exact except ``most_probable``, which returns the best of the states that the components
    propose. Components may be networks, shared mixtures or mixtures; it cannot change once it is made.

    Parameters
    ----------
    components : sequence of Model
        Models with equal schemas.
    weights : array of shape (components,), optional
        They sum to one. By default all are equal.
    provenance : dict, optional
        Plain JSON data on where the mixture comes from.

    Examples
    --------
    >>> import treebound as tb
    >>> a, b = (tb.BayesianNetwork.from_tables({"rain": {"no": p, "yes": 1 - p}}) for p in (0.8, 0.4))
    >>> round(tb.network.Mixture([a, b]).posterior("rain")["yes"], 4)
    0.4
    """

    def __init__(
        self,
        components: Iterable[Model],
        weights: ArrayLike | None = None,
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        check_type("components", components, Iterable, "a sequence of models")
        self._components = tuple(components)
        for one in self._components:
            check_type("a component", one, Model, "a model")
        self._weights = checked_weights(weights, len(self._components))
        for one in self._components[1:]:
            if one.schema != self.schema:
                raise ValueError("The components of a mixture must have equal variables and states.")
        check_type("provenance", provenance, Mapping | None, "a dict or None")
        self._provenance: dict[str, Any] = plain_json("provenance", dict(provenance or {}), ValueError)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mixture):
            return NotImplemented
        return self._components == other._components and np.array_equal(self._weights, other._weights)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        size = f"{counted(len(self._components), 'component')}, {counted(len(self.schema), 'variable')}"
        return f"<Mixture: {size}>"

    @property
    def schema(self) -> Schema:
        """The variables with their states."""
        return self._components[0].schema

    @property
    def components(self) -> tuple[Model, ...]:
        """The models."""
        return self._components

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each component."""
        return self._weights

    @property
    def provenance(self) -> dict[str, Any]:
        """Plain JSON data on where the mixture comes from."""
        return self._provenance

    def to_network(self) -> BayesianNetwork:
        """Return one network over a hidden class and the variables: the class comes first.

        The parents of a variable are those of all components together, so this is for components whose
        arcs have the same direction, and for tables that fit.

        Raises
        ------
        ValueError
            If the arcs of the components form a cycle together, or the tables would be too large.
        """
        return united(list(self._leaves()))

    def _leaves(self) -> Iterator[tuple[float, BayesianNetwork | SharedMixture]]:
        """Yield networks and shared mixtures with their weights, those of mixtures inside this one too."""
        for weight, one in zip(self._weights.tolist(), self._components, strict=True):
            if isinstance(one, Mixture):
                yield from ((weight * inner, leaf) for inner, leaf in one._leaves())
            elif isinstance(one, BayesianNetwork | SharedMixture):
                yield weight, one
            else:
                raise TypeError(f"A {type(one).__name__} cannot be written as a network.")

    def marginals(self, evidence: Evidence | None = None) -> Marginals:
        """Return the distribution of every variable given the evidence, by name."""
        shares, results = self._answers(evidence, lambda one: one.marginals(evidence))
        flat = np.tensordot(shares, np.array([result.flat for result in results]), axes=1)
        return Marginals(self.schema, results[0].starts, flat, results[0].given)

    def posterior(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Posterior:
        """Return the distribution of one variable, or the joint one of several, given the evidence."""
        shares, results = self._answers(evidence, lambda one: one.posterior(variables, evidence))
        array = np.tensordot(shares, np.array([result.array for result in results]), axes=1)
        return Posterior(results[0].variables, array, results[0].given)

    def log_probability(self, evidence: Evidence) -> float:
        """Return the natural logarithm of the probability of the evidence."""
        return float(log_sums(self._logs_given(evidence)))

    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """Return the best of the states of all variables that the components find most probable.

        Another state may be more probable; to find the best one is intractable. The probabilities returned
        are those in the whole mixture.
        """
        _, results = self._answers(evidence, lambda one: one.most_probable(evidence))
        found = [approximate(self, result.assignment, evidence) for result in results]
        return max(found, key=lambda one: one.log_joint)

    def sample(
        self, num_rows: int, seed: int = 0, evidence: Evidence | None = None, *, threads: int | None = None
    ) -> Dataset:
        """Draw rows independently, given the evidence; equal seeds give equal rows.

        The first rows do not depend on how many follow.
        """
        num_rows, seed = check_integer("num_rows", num_rows, 0, MAX_ROWS), check_seed(seed)
        shares = self._shares_given(evidence)
        owners = _drawn(np.broadcast_to(shares, (num_rows, len(shares))), seed)
        codes = np.empty((len(self.schema), num_rows), dtype=code_type(max(self.schema.cardinalities)))
        for number, one in enumerate(self._components):
            own = owners == number
            if own.any():
                drawn = one.sample(int(own.sum()), _seed_of(seed, number), evidence, threads=threads)
                codes[:, own] = drawn.codes
        codes.setflags(write=False)
        return Dataset(self.schema, codes, drawn_with=seed)

    def log_likelihood_rows(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the logarithm of the probability of the observed cells of each row."""
        return log_sums(self._logs_of_rows(rows, threads))

    def posterior_rows(
        self, target: int, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return the distribution of a variable, by index, given the other cells of each row."""
        target = check_integer("target", target, 0, len(self.schema) - 1)
        codes = self._checked(rows).codes.astype(np.int32)
        codes[target] = MISSING
        others = Dataset(self.schema, codes)
        shares = self._shares_of_rows(others, impossible, threads)
        results = [
            one.posterior_rows(target, others, impossible="nan", threads=threads) for one in self._components
        ]
        return weighted_sum(shares.T[:, :, None], np.array(results))

    def most_probable_rows(
        self, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with the best of the completions that the components find most probable."""
        self._shares_of_rows(self._checked(rows), impossible, threads)
        best, highest = rows.codes.copy(), np.full(rows.num_rows, -np.inf)
        for one in self._components:
            found = one.most_probable_rows(rows, impossible="nan", threads=threads)
            logs = self.log_likelihood_rows(found, threads=threads)
            is_better = (found.codes >= 0).all(axis=0) & (logs > highest)
            best[:, is_better], highest[is_better] = found.codes[:, is_better], logs[is_better]
        return Dataset(rows.schema, best, rows.weights)

    def sample_rows_given(
        self, rows: Dataset, seed: int = 0, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """Return the rows with missing cells drawn given the known ones."""
        seed = check_seed(seed)
        shares = self._shares_of_rows(self._checked(rows), impossible, threads)
        owners = np.where(np.isnan(shares[:, 0]), -1, _drawn(shares, seed))
        drawn = rows.codes.copy()
        for number, one in enumerate(self._components):
            own = owners == number
            if own.any():
                found = one.sample_rows_given(rows.take(own), _seed_of(seed, number), threads=threads)
                drawn[:, own] = found.codes
        return Dataset(rows.schema, drawn, rows.weights)

    def cell_surprises(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the mean over components of what each cell adds to the negative log-likelihood of its row.

        Components count by their posterior given the row. Their sum in a complete row is the negative
        log-likelihood less the divergence of that posterior from the weights, which no single cell causes.
        """
        shares = self._shares_of_rows(self._checked(rows), "nan", threads)
        parts = [one.cell_surprises(rows, threads=threads) for one in self._components]
        return weighted_sum(shares.T[:, None, :], np.array(parts))

    def _answers(
        self, evidence: Evidence | None, query: Callable[[Model], _Result]
    ) -> tuple[NDArray[np.float64], list[_Result]]:
        """Return the results of the components that the evidence leaves possible, and their shares."""
        shares = self._shares_given(evidence)
        possible = np.flatnonzero(shares).tolist()
        return shares[possible], [query(self._components[number]) for number in possible]

    def _shares_given(self, evidence: Evidence | None) -> NDArray[np.float64]:
        """Return the posterior of the components given evidence; an error if that is impossible."""
        logs = self._logs_given(evidence)
        if np.isneginf(logs).all():
            raise contradiction(findings_of(evidence, self.schema), self.schema, self._are_possible(evidence))
        return shares_of(logs)

    def _logs_given(self, evidence: Evidence | None) -> NDArray[np.float64]:
        known = as_mapping(evidence)
        return np.array([one.log_probability(known) for one in self._components]) + logs_of(self._weights)

    def _are_possible(self, evidence: Evidence | None) -> Callable[[Sequence[int]], bool]:
        known, names = as_mapping(evidence), self.schema.names

        def are_possible(variables: Sequence[int]) -> bool:
            some = {names[v]: known[names[v]] for v in variables}
            return not bool(np.isneginf(self._logs_given(some)).all())

        return are_possible

    def _shares_of_rows(
        self, rows: Dataset, impossible: Impossible, threads: int | None
    ) -> NDArray[np.float64]:
        """Return the posterior of the components given each row: (rows, components); NaN if impossible."""
        check_impossible(impossible)
        shares = shares_of(self._logs_of_rows(rows, threads))
        if impossible == "raise":
            check_rows_possible(~np.isnan(shares[:, 0]))
        return shares

    def _logs_of_rows(self, rows: Dataset, threads: int | None) -> NDArray[np.float64]:
        """Return the logarithm of weight times probability of the observed cells: (rows, components)."""
        self._checked(rows)
        logs = [one.log_likelihood_rows(rows, threads=threads) for one in self._components]
        return np.array(logs).T + logs_of(self._weights)

    def _checked(self, rows: Dataset) -> Dataset:
        check_rows(rows, self.schema)
        return rows


def _drawn(shares: NDArray[np.float64], seed: int) -> NDArray[np.intp]:
    """Draw a component for each row, from shares of shape (rows, components)."""
    uniform = np.random.default_rng(seed).random(len(shares))
    passed = uniform[:, None] >= np.cumsum(shares, axis=1)[:, :-1]
    owners: NDArray[np.intp] = passed.sum(axis=1)
    return owners


def _seed_of(seed: int, component: int) -> int:
    """Return a seed of its own for each component."""
    state = np.random.SeedSequence([seed, component]).generate_state(1, np.uint64)[0]
    return int(state) % (MAX_SEED + 1)

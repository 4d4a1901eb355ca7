"""How two networks over the same variables differ: arc by arc, and as distributions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from treebound.data import DataError
from treebound.data._problems import not_found

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork

Arcs: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Comparison:
    """A network seen from another one. Arcs are pairs of names (parent, child), in order of the child.

    ``common`` are in both, ``turned`` are in both but point the other way in the second network (and are
    listed as they point in the first), ``missing`` are in the first alone, ``extra`` in the second alone.
    """

    common: Arcs
    turned: Arcs
    missing: Arcs
    extra: Arcs
    _first: BayesianNetwork = field(repr=False)
    _second: BayesianNetwork = field(repr=False)

    @property
    def distance(self) -> int:
        """Structural Hamming distance of the graphs: arcs to add, to take away or to turn around."""
        return len(self.turned) + len(self.missing) + len(self.extra)

    @property
    def has_same_skeleton(self) -> bool:
        """Whether the same pairs are joined, in whatever direction."""
        return not self.missing and not self.extra

    @cached_property
    def divergence(self) -> float:
        """Kullback-Leibler divergence of the second network from the first, in nats.

        It is the loss in expected log-likelihood when rows of the first network are described by the second,
        and infinite if these hold something that the second takes for impossible.
        """
        return divergence(self._first, self._second)

    @cached_property
    def divergence_back(self) -> float:
        """The same with the networks exchanged."""
        return divergence(self._second, self._first)

    def __str__(self) -> str:
        return (
            f"{len(self.common)} arcs in common, {len(self.turned)} turned, {len(self.missing)} missing, "
            f"{len(self.extra)} extra"
        )


def compare(first: BayesianNetwork, second: BayesianNetwork) -> Comparison:
    """Compare two networks over variables of the same names and states, in whatever order."""
    _check_same_variables(first, second)
    old, new = dict.fromkeys(_named_arcs(first)), dict.fromkeys(_named_arcs(second))
    return Comparison(
        common=tuple(arc for arc in old if arc in new),
        turned=tuple((a, b) for a, b in old if (b, a) in new),
        missing=tuple((a, b) for a, b in old if (a, b) not in new and (b, a) not in new),
        extra=tuple((a, b) for a, b in new if (a, b) not in old and (b, a) not in old),
        _first=first,
        _second=second,
    )


def _named_arcs(network: BayesianNetwork) -> list[tuple[str, str]]:
    names = network.schema.names
    return [(names[parent], names[child]) for parent, child in network.arcs]


def _check_same_variables(first: BayesianNetwork, second: BayesianNetwork) -> None:
    absent = not_found("absent", first.schema.names, second.schema.names)
    if absent:
        raise DataError(absent, "the other network")
    extra = not_found("no such variable", second.schema.names, first.schema.names)
    if extra:
        raise DataError(extra, "this network")
    for variable in first.schema:
        states = second.schema[variable.name].states
        if states != variable.states:
            raise ValueError(
                f"variable {variable.name!r} must have the same states in both networks, "
                f"got {_listed(variable.states)} and {_listed(states)}."
            )


def _listed(states: tuple[str, ...]) -> str:
    return ", ".join(map(repr, states[:5])) + (", ..." if len(states) > 5 else "")


def divergence(first: BayesianNetwork, second: BayesianNetwork) -> float:
    """E[log first] - E[log second] under the first, family by family: each needs one joint marginal."""
    return _expected_log(first, first) - _expected_log(first, second)


def _expected_log(truth: BayesianNetwork, network: BayesianNetwork) -> float:
    """Expectation under ``truth`` of the log-probability that ``network`` gives to a row."""
    names = network.schema.names
    terms = []
    for child, family in enumerate(network.parents):
        members = [names[v] for v in (*family, child)]
        weights = truth.posterior(members).array.ravel()
        happens = weights > 0
        with np.errstate(divide="ignore"):
            terms.append(float(weights[happens] @ np.log(network.tables[child][happens])))
    return -math.inf if -math.inf in terms else math.fsum(terms)

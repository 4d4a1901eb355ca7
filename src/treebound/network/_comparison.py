"""How two networks over the same variables differ: arc by arc, and as distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from treebound._arguments import check_type
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._divergence import kl_divergence
from treebound.network._same_variables import check_same_variables
from treebound.structure import StructureDiff, diff


@dataclass(frozen=True, repr=False)
class Comparison(StructureDiff):
    """A network seen from another one: arcs as in ``StructureDiff``, and how far the distributions are."""

    _first: BayesianNetwork = field(repr=False)
    _second: BayesianNetwork = field(repr=False)

    @cached_property
    def divergence(self) -> float:
        """Kullback-Leibler divergence of the second network from the first, in nats, for equal states.

        It is the loss in expected log-likelihood when rows of the first network are described by the second,
        and infinite if these hold something of probability zero in the second.
        """
        return kl_divergence(self._first, self._second)

    @cached_property
    def divergence_back(self) -> float:
        """The same with the networks exchanged."""
        return kl_divergence(self._second, self._first)


def compare(first: BayesianNetwork, second: BayesianNetwork) -> Comparison:
    """Compare two networks over variables of the same names, in any order."""
    check_type("other", second, BayesianNetwork, "a BayesianNetwork")
    check_same_variables(first.schema, second.schema)
    return Comparison(**vars(diff(first, second)), _first=first, _second=second)

"""How two networks over the same variables differ: arc by arc, and as distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from treebound._arguments import check_type
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._divergence import kl_divergence
from treebound.network._same_variables import check_same_variables

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
        """Whether the same pairs are joined, in any direction."""
        return not self.missing and not self.extra

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

    def __str__(self) -> str:
        return (
            f"{len(self.common)} arcs in common, {len(self.turned)} turned, {len(self.missing)} missing, "
            f"{len(self.extra)} extra"
        )


def compare(first: BayesianNetwork, second: BayesianNetwork) -> Comparison:
    """Compare two networks over variables of the same names, in any order."""
    check_type("other", second, BayesianNetwork, "a BayesianNetwork")
    check_same_variables(first.schema, second.schema)
    old, new = dict.fromkeys(first.arcs), dict.fromkeys(second.arcs)
    return Comparison(
        common=tuple(arc for arc in old if arc in new),
        turned=tuple((a, b) for a, b in old if (b, a) in new),
        missing=tuple((a, b) for a, b in old if (a, b) not in new and (b, a) not in new),
        extra=tuple((a, b) for a, b in new if (a, b) not in old and (b, a) not in old),
        _first=first,
        _second=second,
    )

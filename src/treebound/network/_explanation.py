"""Why a network believes what it believes: each piece of evidence taken away in turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treebound.inference import Evidence
    from treebound.network._bayesian_network import BayesianNetwork


@dataclass(frozen=True, eq=False)
class Influence:
    """One piece of evidence: the distribution of the target without it, and what it changes.

    ``change`` is what it adds to the probability of each state, ``information`` the divergence of the
    distribution without it from the one with it, in nats.
    """

    variable: str
    value: Any
    without: NDArray[np.float64]
    change: NDArray[np.float64]
    information: float


@dataclass(frozen=True, eq=False)
class Explanation:
    """The distribution of ``target`` before and after the evidence, and its pieces, the strongest first."""

    target: str
    states: tuple[str, ...]
    prior: NDArray[np.float64]
    posterior: NDArray[np.float64]
    influences: tuple[Influence, ...]

    @property
    def most_probable(self) -> str:
        """The state that the evidence speaks for."""
        return self.states[int(self.posterior.argmax())]

    def __str__(self) -> str:
        best = int(self.posterior.argmax())
        lines = [
            f"P({self.target} = {self.states[best]}) = {self.posterior[best]:.4f}, "
            f"{self.prior[best]:.4f} without evidence"
        ]
        lines += [
            f"  {one.variable} = {one.value}: {one.change[best]:+.4f}, {one.information:.4f} nats"
            for one in self.influences
        ]
        return "\n".join(lines)


def explain(network: BayesianNetwork, target: str, evidence: Evidence) -> Explanation:
    """Ask again without each piece of evidence."""

    def belief(known: Mapping[str, Any]) -> NDArray[np.float64]:
        return network.posterior(target, known).array

    variable = network.schema[target]
    if target in evidence:
        raise ValueError(f"the target {target!r} must not be part of the evidence.")
    posterior = belief(evidence)
    influences = []
    for name, value in evidence.items():
        without = belief({other: known for other, known in evidence.items() if other != name})
        information = _divergence(posterior, without)
        influences.append(Influence(name, value, without, posterior - without, information))
    influences.sort(key=lambda one: -one.information)
    return Explanation(target, variable.states, belief({}), posterior, tuple(influences))


def _divergence(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    happens = p > 0
    return float(np.sum(p[happens] * np.log(p[happens] / q[happens])))

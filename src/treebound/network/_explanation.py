"""Why a posterior is what it is: each piece of evidence taken away in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treebound._html import section, table, told
from treebound.inference import Evidence, Sensitivity, as_mapping
from treebound.network._names import position_of

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork

_MOST_SHOWN = 20


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """The distribution of ``target`` before and after the evidence, and its pieces, the strongest first."""

    target: str
    states: tuple[str, ...]
    prior: NDArray[np.float64]
    posterior: NDArray[np.float64]
    influences: tuple[Sensitivity, ...]

    @property
    def most_probable(self) -> str:
        """The state that the evidence supports."""
        return self.states[int(self.posterior.argmax())]

    def __repr__(self) -> str:
        best = int(self.posterior.argmax())
        words = f"{self.target} = {self.states[best]}, {self.posterior[best]:.4f}"
        return f"<Explanation: {words}, {len(self.influences)} findings>"

    def _repr_html_(self) -> str:
        best = int(self.posterior.argmax())
        rows = [
            [told(one.finding), f"{self.posterior[best] - one.without[best]:+.4f}"]
            for one in self.influences[:_MOST_SHOWN]
        ]
        shown = table(["finding", "what it adds"], rows, len(self.influences) - len(rows))
        return section(str(self).partition("\n")[0], shown)

    def __str__(self) -> str:
        best = int(self.posterior.argmax())
        lines = [
            f"P({self.target} = {self.states[best]}) = {self.posterior[best]:.4f}, "
            f"{self.prior[best]:.4f} without evidence"
        ]
        lines += [
            f"  {one.finding}: {self.posterior[best] - one.without[best]:+.4f}" for one in self.influences
        ]
        return "\n".join(lines)


def explain(network: BayesianNetwork, target: str, evidence: Evidence | None) -> Explanation:
    """Ask with all of the evidence, with none, and without each piece of it."""
    states, known = network.schema[position_of(target, network.schema)].states, as_mapping(evidence)
    if target in known:
        raise ValueError(f"the target {target!r} must not be part of the evidence.")
    tree = network.junction_tree
    return Explanation(
        target,
        states,
        tree.posterior(target).array,
        tree.posterior(target, known).array,
        tuple(tree.sensitivity(target, known)),
    )

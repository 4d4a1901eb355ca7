"""How informative each variable would be about a target, if it were observed: exact mutual information.

One pass over the junction tree for each state of the target gives the joint distribution of the target with
every other variable at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class InformationValue:
    """``information`` is what observing ``variable`` takes off the target's entropy on average, in nats.

    ``share`` is the same as a share of the entropy that the target has before.
    """

    variable: str
    information: float
    share: float


def information_with(
    weights: NDArray[np.float64], marginals: NDArray[np.float64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Mutual information of a target with every variable.

    ``weights`` are the probabilities of the target's states, and row i of ``marginals`` holds the
    distributions of all variables given state i, end to end, from ``starts`` on.
    """
    mixed = weights @ marginals
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(marginals > 0, np.log(marginals) - np.log(mixed), 0.0)
    cells = weights @ (marginals * ratio)
    return np.maximum(np.add.reduceat(cells, starts), 0.0)

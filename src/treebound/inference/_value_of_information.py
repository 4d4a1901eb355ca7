"""How informative each variable would be about a target, if it were observed: exact mutual information.

It is the mean divergence that an observation causes, and symmetric: one pass over the junction tree for each
state of the target gives the divergences of all other variables at once, and one for each state of another
variable that of the target. The tree takes the smaller number of passes, and nothing is kept between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class InformationValue:
    """``information`` is what observing ``variable`` takes off the target's entropy on average, in nats.

    ``share`` is the same as a share of the entropy that the target has before.
    """

    variable: str
    information: float
    share: float


def information_by_target(
    target: int, before: Array, starts: Sequence[int], marginals: Callable[[tuple[int, int]], Array]
) -> dict[int, float]:
    """Mutual information of a target with every variable, by index.

    ``before`` holds the distributions of all variables, end to end, from ``starts`` on; ``marginals`` returns
    the same given that a variable has a state.
    """
    own = slice(starts[target], starts[target + 1])
    terms = np.zeros_like(before)
    for code in np.flatnonzero(before[own]).tolist():
        given = marginals((target, code))
        given[own] = 0.0  # not requested, and wide if the target is
        terms += before[own][code] * _divergences(given, before)
    return dict(enumerate(np.maximum(np.add.reduceat(terms, starts[:-1]), 0.0).tolist()))


def information_by_others(
    target: int,
    others: Iterable[int],
    before: Array,
    starts: Sequence[int],
    posterior: Callable[[tuple[int, int]], Array],
) -> dict[int, float]:
    """The same for some variables; ``posterior`` returns the target's given that another has a state."""
    own, found = before[starts[target] : starts[target + 1]], {}
    for v in others:
        weights = before[starts[v] : starts[v + 1]]
        terms = [
            weights[code] * _divergences(posterior((v, code)), own).sum()
            for code in np.flatnonzero(weights).tolist()
        ]
        found[v] = max(0.0, float(sum(terms)))
    return found


def _divergences(given: Array, before: Array) -> Array:
    """The terms of the Kullback-Leibler divergence of distributions from those before an observation."""
    terms = np.zeros_like(given)
    is_possible = (given > 0) & (before > 0)
    possible = given[is_possible]
    terms[is_possible] = possible * np.log(possible / before[is_possible])
    return terms

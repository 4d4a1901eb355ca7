"""Why a posterior is what it is: the pieces of evidence, added one after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound._description import MOST_ROWS, Described, Description, Table
from treebound._visible import one_line
from treebound.inference import Evidence, Sensitivity, as_mapping
from treebound.network._names import position_of

if TYPE_CHECKING:
    from treebound.network._model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Described):
    """The distribution of ``target`` before and after the evidence, and its findings, the strongest first.

    ``influences`` measures each finding dropped from the others and taken alone. ``steps`` holds the
    distribution after the first finding, the first two, and so on; the last one is ``posterior``.
    """

    target: str
    states: tuple[str, ...]
    prior: NDArray[np.float64]
    posterior: NDArray[np.float64]
    influences: tuple[Sensitivity, ...]
    steps: tuple[NDArray[np.float64], ...]

    @property
    def most_probable(self) -> str:
        """The state that the evidence supports."""
        return self.states[self._best]

    @property
    def contributions(self) -> dict[str, float]:
        """What each finding adds to the probability of ``most_probable``, given those before it.

        The prior and all contributions add up to the posterior.
        """
        path = [self.prior[self._best], *(step[self._best] for step in self.steps)]
        added = np.diff(path).tolist()
        return {one.finding: share for one, share in zip(self.influences, added, strict=True)}

    @property
    def _best(self) -> int:
        return int(self.posterior.argmax())

    def __repr__(self) -> str:
        message = f"{self._event}, {self.posterior[self._best]:.4f}"
        findings = "finding" if len(self.influences) == 1 else "findings"
        return f"<Explanation: {message}, {len(self.influences)} {findings}>"

    def describe(self) -> Description:
        """Return each finding with its contribution and the probability then."""
        rows = [
            [one.evidence, f"{share:+.4f}", f"{step[self._best]:.4f}"]
            for one, share, step in zip(self.influences, self.contributions.values(), self.steps, strict=True)
        ]
        table = Table(["finding", "adds", "probability"], rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS))
        data = {
            "state": self.most_probable,
            "without_evidence": float(self.prior[self._best]),
            "contributions": self.contributions,
        }
        return Description(self._title, tables=[table], data=data)

    @property
    def _event(self) -> str:
        return f"{one_line(self.target)} = {one_line(self.most_probable)}"

    @property
    def _title(self) -> str:
        before, after = self.prior[self._best], self.posterior[self._best]
        return f"P({self._event}) = {after:.4f}, {before:.4f} without evidence"


def explain(model: Model, target: str, evidence: Evidence | None) -> Explanation:
    """Query with none of the evidence, with all of it, and with one finding after another."""
    states, known = model.schema[position_of(target, model.schema)].states, as_mapping(evidence)
    if target in known:
        raise ValueError(f"the target {target!r} must not be part of the evidence.")
    influences = tuple(sensitivities(model, target, known))
    order = [one.finding for one in influences]
    steps = [
        model.posterior(target, {name: known[name] for name in order[: count + 1]}).array
        for count in range(len(order))
    ]
    return Explanation(
        target,
        states,
        model.posterior(target).array,
        model.posterior(target, known).array,
        influences,
        tuple(steps),
    )


def sensitivities(model: Model, target: str, evidence: Mapping[str, Any]) -> list[Sensitivity]:
    """Return how each finding moves the posterior of a target: dropped from the others, and taken alone.

    The finding whose loss moves the posterior most comes first.
    """
    with_all, with_none = model.posterior(target, evidence).array, model.posterior(target).array
    found = []
    for name, finding in evidence.items():
        others = {other: value for other, value in evidence.items() if other != name}
        without = model.posterior(target, others).array
        alone = model.posterior(target, {name: finding})
        shifts = (_distance(without, with_all), _distance(alone.array, with_none))
        found.append(Sensitivity(name, alone.given, without, alone.array, *shifts))
    return sorted(found, key=lambda one: -one.shift_without)


def _distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the total variation: the largest difference in probability that the two give to any event."""
    return float(np.abs(a - b).sum() / 2)

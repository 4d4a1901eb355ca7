"""Answers as small records: numbers beside the names and labels they belong to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.data import nearest
from treebound.inference._errors import InferenceError


@dataclass(frozen=True, eq=False)
class Posterior:
    """A joint distribution: ``array`` has one axis for each of ``variables``, with states ``labels``."""

    variables: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    array: NDArray[np.float64]

    def __getitem__(self, states: str | tuple[str, ...]) -> float:
        """The probability of one label for each variable."""
        states = (states,) if isinstance(states, str) else states
        if len(states) != len(self.variables):
            raise InferenceError(f"Expected one label for each of {self.variables}, got {states}.")
        for name, labels, state in zip(self.variables, self.labels, states, strict=True):
            if state not in labels:
                raise InferenceError(f"{name!r} has no state {state!r}{nearest(state, labels)}.")
        pairs = zip(self.labels, states, strict=True)
        return float(self.array[tuple(labels.index(state) for labels, state in pairs)])

    def to_dict(self) -> dict[str, float]:
        """Probabilities by label, for a single variable."""
        if len(self.variables) != 1:
            raise ValueError(f"to_dict is for one variable, this is about {self.variables}.")
        return dict(zip(self.labels[0], self.array.tolist(), strict=True))

    def __repr__(self) -> str:
        if len(self.variables) == 1:
            shown = ", ".join(f"{label}: {p:.4g}" for label, p in list(self.to_dict().items())[:8])
            return f"<Posterior of {self.variables[0]}: {shown}{', ...' if len(self.labels[0]) > 8 else ''}>"
        return f"<Posterior of {', '.join(self.variables)}: {self.array.size} joint states>"


@dataclass(frozen=True)
class MostProbable:
    """One label for each variable asked for.

    ``log_joint`` is the logarithm of the probability of these labels together with the evidence,
    ``log_probability`` that of the labels given the evidence.
    """

    assignment: dict[str, str]
    log_joint: float
    log_probability: float


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """How much one finding moves the posterior of a target.

    ``without`` is the posterior when only this finding is dropped, ``alone`` when it is the only one.
    ``shift_without`` and ``shift_alone`` are the total variation distances from the posterior given all
    findings, and from the one given none.
    """

    finding: str
    without: NDArray[np.float64]
    alone: NDArray[np.float64]
    shift_without: float
    shift_alone: float

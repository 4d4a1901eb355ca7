"""What a posterior would be if one number of a table were another: a ratio of two linear functions of it.

Castillo, Gutierrez and Hadi (1997), Chan and Darwiche (2002). Let theta be P(y | u), a number of a table, and
let the others in its row share what is left as they do now. Each joint state has at most one factor from the
row, so that the probability of anything is linear in theta: what it is without the row's joint state u, plus
theta times what follows from y, plus 1 - theta times what follows from the other states as they are now. All
of these are in the joint distributions of the family, with and without the target's state, so that two
passes over the tree give the functions of all numbers of all tables, and exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound.data import Variable

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class ParameterSensitivity:
    """How a posterior depends on the number P(``variable`` = ``state`` | ``given``), which is ``value`` now.

    The posterior at another value t is (``a`` t + ``b``) / (``c`` t + ``d``). The rest of the row is scaled
    so that it still sums to one.
    """

    variable: str
    state: str
    given: dict[str, str]
    value: float
    a: float
    b: float
    c: float
    d: float

    @property
    def derivative(self) -> float:
        """How fast the posterior changes at the present value."""
        return (self.a * self.d - self.b * self.c) / (self.c * self.value + self.d) ** 2

    def at(self, value: float) -> float:
        """The posterior if the number were ``value``; not a number if the evidence were impossible then."""
        below = self.c * value + self.d
        return (self.a * value + self.b) / below if below > 0 else float("nan")

    def value_for(self, posterior: float) -> float | None:
        """The value at which the posterior is as asked; None if no value from 0 to 1 does that."""
        slope = self.a - posterior * self.c
        if slope == 0:
            return None
        value = (posterior * self.d - self.b) / slope
        return value if 0 <= value <= 1 else None

    def __str__(self) -> str:
        above = ", ".join(f"{name} = {label}" for name, label in self.given.items())
        told = f"P({self.variable} = {self.state}{f' | {above}' if above else ''})"
        return f"{told} = {self.value:.4g}: derivative {self.derivative:+.4g}"


def functions_of(
    family: Sequence[Variable], table: Array, joint: Array, joint_with: Array, share: float, most: int | None
) -> Iterator[ParameterSensitivity]:
    """The functions of the numbers of a table, the ``most`` steepest if there are more.

    ``family`` ends with the child. ``joint`` is its distribution given the evidence, ``joint_with`` the same
    given the target's state too, whose posterior is ``share``.
    """
    *parents, child = family
    shape = (-1, child.cardinality)
    rows = table.reshape(shape) / table.reshape(shape).sum(axis=1, keepdims=True)
    c, d = _linear(rows, joint.reshape(shape), 1.0)
    a, b = _linear(rows, share * joint_with.reshape(shape), share)
    for row, own in _movable(rows, np.abs(a * d - b * c) / (c * rows + d) ** 2, most):
        above = np.unravel_index(row, [parent.cardinality for parent in parents]) if parents else ()
        yield ParameterSensitivity(
            child.name,
            child.states[own],
            {parent.name: parent.states[code] for parent, code in zip(parents, above, strict=True)},
            *(float(array[row, own]) for array in (rows, a, b, c, d)),
        )


def _linear(rows: Array, joint: Array, total: float) -> tuple[Array, Array]:
    """Slope and intercept of a probability that is ``total`` now, ``joint`` with each state of the family."""
    in_row = joint.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):  # numbers that are 0 or 1 are not asked for
        of_state = joint / rows
        of_others = (in_row - joint) / (1 - rows)
    return of_state - of_others, total - in_row + of_others


def _movable(rows: Array, steepness: Array, most: int | None) -> list[tuple[int, int]]:
    """Places of the numbers strictly between 0 and 1: the others are what the tables rule out."""
    places = np.argwhere((rows > 0) & (rows < 1))
    if most is not None and len(places) > most:
        places = places[np.argsort(-steepness[tuple(places.T)], kind="stable")[:most]]
    return [(row, own) for row, own in places.tolist()]

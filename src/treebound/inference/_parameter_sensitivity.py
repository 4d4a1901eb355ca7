"""What a posterior would be if one number of a table were another: a ratio of two linear functions of it.

Castillo, Gutierrez and Hadi (1997), Chan and Darwiche (2002). Let theta be P(y | u), a number of a table, and
let the others in its row share what is left as they do now. Each joint state has at most one factor from the
row, so the probability of anything is linear in theta: what it is without the row's joint state u, plus
theta times what follows from y, plus 1 - theta times what follows from the other states as they are now. All
of these are in the joint distributions of the family, with and without the target's state: two passes over
the tree give the functions of all numbers of all tables.

A linear function is kept as its values at 0 and 1, and "the others" are summed, never taken as what is left
of a total. All terms are then positive, and nothing cancels, however close to 0 or 1 the number is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound._visible import one_line
from treebound.data import Variable

Array: TypeAlias = NDArray[np.float64]


# Numbers below its inverse would overflow where they divide.
_LARGEST_RATIO = 2.0**1000


@dataclass(frozen=True)
class ParameterSensitivity:
    """How a posterior depends on the number P(``variable`` = ``state`` | ``given``), which is ``value`` now.

    The posterior at another value t is (``a`` t + ``b`` (1 - t)) / (``c`` t + ``d`` (1 - t)), and
    ``derivative`` is its slope at the present value. The rest of the row is scaled to still sum to one.
    """

    variable: str
    state: str
    given: dict[str, str]
    value: float
    a: float
    b: float
    c: float
    d: float
    derivative: float

    def at(self, value: float) -> float:
        """Return the posterior if the number were ``value``; NaN if the evidence were impossible then."""
        below = self.c * value + self.d * (1 - value)
        return min(1.0, (self.a * value + self.b * (1 - value)) / below) if below > 0 else float("nan")

    def value_for(self, posterior: float) -> float | None:
        """Return the value at which the posterior is as requested; None if no value from 0 to 1 gives it."""
        at_zero, at_one = posterior * self.d - self.b, self.a - posterior * self.c
        if at_zero + at_one == 0:
            return None
        value = at_zero / (at_zero + at_one)
        return value if 0 <= value <= 1 else None

    def __str__(self) -> str:
        above = ", ".join(f"{one_line(name)} = {one_line(label)}" for name, label in self.given.items())
        own = f"{one_line(self.variable)} = {one_line(self.state)}"
        event = f"P({own}{f' | {above}' if above else ''})"
        return f"{event} = {self.value:.4g}: derivative {self.derivative:+.4g}"


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
    others = _all_but_each(rows, axis=1)
    scale = np.minimum(1.0, _LARGEST_RATIO * np.minimum(rows, others))
    b, a = _ends(rows, others, scale, share * joint_with.reshape(shape))
    d, c = _ends(rows, others, scale, joint.reshape(shape))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # 0 and 1 are dropped below
        slopes = (a * d - b * c) / scale / scale  # the evidence has probability ``scale`` at present
    for row, own in _movable((rows > 0) & (others > 0), np.abs(slopes), most):
        above = np.unravel_index(row, [parent.cardinality for parent in parents]) if parents else ()
        yield ParameterSensitivity(
            child.name,
            child.states[own],
            {parent.name: parent.states[code] for parent, code in zip(parents, above, strict=True)},
            *(float(array[row, own]) for array in (rows, a, b, c, d, slopes)),
        )


def _ends(rows: Array, others: Array, scale: Array, joint: Array) -> tuple[Array, Array]:
    """``scale`` times a probability if each number were 0, and if it were 1.

    ``joint`` is the probability at present, with each state of the family.
    """
    elsewhere = scale * _all_but_each(joint.sum(axis=1, keepdims=True), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 and 1 are dropped by the caller
        of_state = joint * (scale / rows)
        of_others = _all_but_each(joint, axis=1) * (scale / others)
    return elsewhere + of_others, elsewhere + of_state


def _all_but_each(numbers: Array, axis: int) -> Array:
    """At each place the sum of all others along an axis, without a difference that would cancel."""
    along = np.moveaxis(numbers, axis, -1)
    sums = np.zeros_like(along)
    sums[..., 1:] += np.cumsum(along[..., :-1], axis=-1)
    sums[..., :-1] += np.cumsum(along[..., :0:-1], axis=-1)[..., ::-1]
    return np.moveaxis(sums, -1, axis)


def _movable(is_movable: NDArray[np.bool_], steepness: Array, most: int | None) -> list[tuple[int, int]]:
    """Places of the numbers strictly between 0 and 1: the others are what the tables rule out."""
    places = np.argwhere(is_movable)
    if most is not None and len(places) > most:
        places = places[np.argsort(-steepness[tuple(places.T)], kind="stable")[:most]]
    return [(row, own) for row, own in places.tolist()]

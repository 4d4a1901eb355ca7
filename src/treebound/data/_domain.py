"""What the distinct values of a column are: their kind, their labels, and the order they belong in.

Values of a text file are all text, so they are numbers if they all read as numbers. Values of a frame have
types, and text stays text whatever it looks like.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from treebound.data._numbers import is_plain_integer, parse_number
from treebound.data._variable import Kind, Value, label_of


@dataclass(frozen=True)
class Domain:
    """Distinct values, each with a key that sorts them.

    The keys of integers and floats are their numbers. Two values with one key would be two states that a
    reader cannot tell apart.
    """

    values: Sequence[Value]
    kind: Kind
    keys: Sequence[Value]

    @property
    def is_numeric(self) -> bool:
        """Whether all values are numbers."""
        return self.kind in ("integer", "float")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The texts of the values; made when asked for, since binned columns have thousands and use none."""
        return tuple(map(label_of, self.values))

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The keys of numeric values."""
        return np.array(self.keys, dtype=np.float64)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Positions of the values in the order of their keys."""
        return tuple(sorted(range(len(self.keys)), key=self.keys.__getitem__))

    def first_infinite(self) -> int | None:
        """Position of the first number that is infinite, if there is one."""
        return _first(np.isinf(self.numbers)) if self.kind == "float" else None

    def first_real(self) -> int | None:
        """Position of the first number that is not whole, if there is one."""
        return _first(self.numbers != np.floor(self.numbers)) if self.kind == "float" else None

    def find_clash(self) -> tuple[int, int] | None:
        """Positions of two values with the same key, if there are any."""
        seen: dict[Value, int] = {}
        for position, key in enumerate(self.keys):
            if seen.setdefault(key, position) != position:
                return seen[key], position
        return None


def domain_of(values: Sequence[Value], *, is_text: bool) -> Domain:
    """Find out what distinct values are."""
    if not is_text:
        return _domain_of_typed(values)
    labels = tuple(map(str, values))
    # Thousands of binary columns share one domain.
    return _domain_of_short_text(labels) if len(labels) <= 16 else _domain_of_text(labels)


def _domain_of_text(labels: tuple[str, ...]) -> Domain:
    if all(map(is_plain_integer, labels)):
        return Domain(labels, "integer", tuple(map(int, labels)))
    numbers = [number for label in labels if (number := parse_number(label)) is not None]
    if len(numbers) == len(labels) and any(map(math.isfinite, numbers)):
        return Domain(labels, "float", numbers)
    folded = [label.casefold() for label in labels]
    if set(folded) <= {"false", "true"}:
        return Domain(labels, "boolean", folded)
    return Domain(labels, "text", labels)


_domain_of_short_text = lru_cache(maxsize=1024)(_domain_of_text)


def _domain_of_typed(values: Sequence[Value]) -> Domain:
    types = set(map(type, values))
    if types == {bool}:
        return Domain(values, "boolean", values)
    if types == {int} and all(-(2**63) <= int(value) < 2**63 for value in values):
        return Domain(values, "integer", values)
    if float in types and types <= {int, float}:
        numbers = list(map(float, values))
        return Domain(numbers, "float", numbers)
    return Domain(values, "text", tuple(map(label_of, values)))


def _first(is_wanted: NDArray[np.bool_]) -> int | None:
    positions = np.flatnonzero(is_wanted)
    return int(positions[0]) if len(positions) else None

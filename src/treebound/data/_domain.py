"""What the distinct values of a column are: their labels, their kind, and the order they belong in.

Values of a text file are all text, so they are numbers if they all read as numbers. Values of a frame have
types, and text stays text whatever it looks like.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from treebound.data._numbers import is_plain_integer, parse_number
from treebound.data._variable import Kind, Value, label_of


@dataclass(frozen=True)
class Domain:
    """Distinct values, each with its label and with a key that sorts them.

    The keys of integers and floats are their numbers. Two values with one key would be two states that a
    reader cannot tell apart.
    """

    labels: tuple[str, ...]
    kind: Kind
    keys: tuple[Value, ...]

    @property
    def is_numeric(self) -> bool:
        """Whether all values are numbers."""
        return self.kind in ("integer", "float")

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Positions of the values in the order of their keys."""
        return tuple(sorted(range(len(self.keys)), key=self.keys.__getitem__))

    def first_infinite(self) -> int | None:
        """Position of the first number that is infinite, if there is one."""
        return self._first_float(math.isinf)

    def first_real(self) -> int | None:
        """Position of the first number that is not whole, if there is one."""
        return self._first_float(lambda number: not number.is_integer())

    def _first_float(self, is_wanted: Callable[[float], bool]) -> int | None:
        if self.kind != "float":
            return None
        return next((i for i, key in enumerate(self.keys) if is_wanted(float(key))), None)

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
        return Domain(labels, "float", tuple(numbers))
    folded = tuple(label.casefold() for label in labels)
    if set(folded) <= {"false", "true"}:
        return Domain(labels, "boolean", folded)
    return Domain(labels, "text", labels)


_domain_of_short_text = lru_cache(maxsize=1024)(_domain_of_text)


def _domain_of_typed(values: Sequence[Value]) -> Domain:
    labels = tuple(map(label_of, values))
    types = set(map(type, values))
    if types == {bool}:
        return Domain(labels, "boolean", tuple(values))
    if types == {int} and all(map(is_plain_integer, labels)):
        return Domain(labels, "integer", tuple(values))
    if float in types and types <= {int, float}:
        numbers = tuple(map(float, values))
        return Domain(tuple(map(label_of, numbers)), "float", numbers)
    return Domain(labels, "text", labels)

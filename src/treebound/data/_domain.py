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

from treebound.data._dates import parse_dates
from treebound.data._numbers import is_plain_integer, parse_numbers
from treebound.data._variable import Kind, Value, label_of


@dataclass(frozen=True)
class Domain:
    """Distinct values, each with a key that sorts them.

    The keys of integers and floats are their numbers. Two values with one key would be two states that a
    reader cannot distinguish.
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
        """The texts of the values; made when needed, since binned columns have thousands and use none."""
        return tuple(map(label_of, self.keys if self.kind == "date" else self.values))

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The keys of numeric values."""
        return np.array(self.keys, dtype=np.float64)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Positions of the values in the order of their keys."""
        return tuple(sorted(range(len(self.keys)), key=self.keys.__getitem__))

    def infinite(self) -> NDArray[np.intp]:
        """Positions of the numbers that are infinite."""
        return np.flatnonzero(np.isinf(self.numbers) if self.kind == "float" else [])

    def real(self) -> NDArray[np.intp]:
        """Positions of the numbers that are not whole."""
        return np.flatnonzero(self.numbers != np.floor(self.numbers) if self.kind == "float" else [])

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
    numbers = parse_numbers(labels)
    if numbers is not None and any(map(math.isfinite, numbers)):
        return Domain(labels, "float", numbers)
    folded = [label.casefold() for label in labels]
    if set(folded) <= {"false", "true"}:
        return Domain(labels, "boolean", folded)
    dates = parse_dates(labels)
    return Domain(labels, "text", labels) if dates is None else Domain(labels, "date", dates)


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
    labels = tuple(map(label_of, values))
    dates = parse_dates(labels) if types == {str} else None
    return Domain(values, "text", labels) if dates is None else Domain(values, "date", dates)

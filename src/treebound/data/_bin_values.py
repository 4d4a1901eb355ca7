"""The numbers that a bin was made of, which stand for the bin wherever a number is wanted.

A bin keeps the median, the mean and the observed numbers. Of more than ``FEW`` different ones it keeps some,
at even ranks, and goes in a straight line from one to the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type

FEW = 32
_NUM_RANKS = 17
# Numbers with more decimals than these were computed, not written.
_MOST_DECIMALS = 12


@dataclass(frozen=True)
class BinValues:
    """The median, the mean and the observed ``values`` of a bin, ascending.

    The median is a number that occurs, the lower one of two. ``counts`` says how often each value occurs; it
    is empty where the values are some of many, at even ranks from the smallest to the largest.
    """

    median: float
    mean: float
    values: tuple[float, ...]
    counts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_type("values", self.values, Iterable, "a sequence of numbers")
        check_type("counts", self.counts, Iterable, "a sequence of integers")
        object.__setattr__(self, "values", tuple(self.values))
        object.__setattr__(self, "counts", tuple(self.counts))
        numbers = (self.median, self.mean, *self.values)
        if not set(map(type, numbers)) <= {int, float} or not all(map(math.isfinite, numbers)):
            raise ValueError(f"the values of a bin must be finite numbers, got {str(numbers)[:60]}.")
        ascends = all(a <= b for a, b in pairwise(self.values))
        if not self.values or not ascends or not self._holds(self.median) or not self._holds(self.mean):
            raise ValueError(
                "a bin needs ascending values with the median and the mean among them, got median "
                f"{self.median}, mean {self.mean} and {str(self.values)[:60]}."
            )
        are_counts = all(type(count) is int and 0 < count < 2**63 for count in self.counts)
        if not are_counts or len(self.counts) not in (0, len(self.values)):
            raise ValueError(
                f"the counts of a bin must be {len(self.values)} positive integers or none, "
                f"got {str(self.counts)[:60]}."
            )

    def _holds(self, number: float) -> bool:
        return self.values[0] <= number <= self.values[-1]

    @classmethod
    def of(cls, values: NDArray[np.float64], counts: NDArray[np.integer]) -> BinValues:
        """Remember ascending distinct values, and how often each occurs."""
        below = np.cumsum(counts, dtype=np.int64)
        total = int(below[-1])
        median = float(values[np.searchsorted(below, (total + 1) // 2)])
        mean = float(np.clip(values @ (counts / total), values[0], values[-1]))
        if len(values) <= FEW:
            return cls(median, mean, tuple(values.tolist()), tuple(counts.tolist()))
        ranks = np.linspace(1, total, _NUM_RANKS).astype(np.int64)
        return cls(median, mean, tuple(values[np.searchsorted(below, ranks)].tolist()))

    @classmethod
    def even(cls, low: float, high: float, *, is_whole: bool) -> BinValues:
        """All numbers from ``low`` to ``high`` equally often, for a bin of which nothing is remembered."""
        first, last = math.ceil(low), math.floor(high)
        if not is_whole or first > last:
            middle = _rounded(low / 2 + high / 2, low, high)
            return cls(middle, middle, (low, high))
        median, mean = float((first + last) // 2), (first + last) / 2
        if last - first < FEW:
            few = tuple(map(float, range(first, last + 1)))
            return cls(median, mean, few, (1,) * len(few))
        return cls(median, mean, (float(first), float(last)))

    def at(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """The numbers below which a share of all lies, for shares from 0 up to but without 1."""
        values: NDArray[np.float64] = np.array(self.values, dtype=np.float64)
        if self.counts:
            below = np.cumsum(self.counts)
            drawn: NDArray[np.float64] = values[np.searchsorted(below, shares * below[-1], side="right")]
            return drawn
        places = shares * (len(values) - 1)
        left = np.minimum(places.astype(np.intp), len(values) - 2)
        along = places - left
        numbers: NDArray[np.float64] = values[left] * (1 - along) + values[left + 1] * along
        return numbers

    def share_between(self, low: float, high: float) -> float:
        """The share of the numbers from ``low`` to ``high``, both included."""
        if self.counts:
            inside = [n for value, n in zip(self.values, self.counts, strict=True) if low <= value <= high]
            return sum(inside) / sum(self.counts)
        return max(0.0, self._share_up_to(high, "right") - self._share_up_to(low, "left"))

    def _share_up_to(self, number: float, side: Any) -> float:
        """The share of smaller numbers; from the right, with those that equal it."""
        place = int(np.searchsorted(self.values, number, side=side))
        last = len(self.values) - 1
        if place in (0, last + 1):
            return 0.0 if place == 0 else 1.0
        low, high = self.values[place - 1], self.values[place]
        return (place - 1 + (number / 2 - low / 2) / (high / 2 - low / 2)) / last

    def to_json(self) -> dict[str, Any]:
        """A plain dict of the fields."""
        return asdict(self)


def bin_values(
    values: NDArray[np.float64], counts: NDArray[np.integer], codes: NDArray[np.intp], num_bins: int
) -> tuple[BinValues | None, ...]:
    """Remember ascending distinct values by their bins; None for a bin without any."""
    limits = np.searchsorted(codes, np.arange(num_bins + 1))
    return tuple(
        BinValues.of(values[a:b], counts[a:b]) if a < b else None for a, b in pairwise(limits.tolist())
    )


def decimals_of(numbers: NDArray[np.float64]) -> int | None:
    """How many decimals the numbers are written with; None for more than a person would write."""
    for decimals in range(_MOST_DECIMALS + 1):
        with np.errstate(all="ignore"):  # of large numbers with many decimals
            if np.array_equal(np.round(numbers, decimals), numbers):
                return decimals
    return None


def _rounded(middle: float, low: float, high: float) -> float:
    """The middle of an interval with as few decimals as separate a thousand of its numbers."""
    width = high - low
    if not 0 < width < math.inf:
        return middle
    rounded = round(middle, max(0, 3 - math.floor(math.log10(width))))
    return rounded if low <= rounded <= high else middle

"""Cutting the numbers of a column into bins.

Bins of equal counts are cut only between distinct values, at the place where the count comes closest to the
even share: ties never straddle a cut, no bin is empty, and a column with few distinct values gets fewer bins.
With the quantiles themselves as cuts, a column that is mostly zero would fall into a single bin.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_type
from treebound.data._problems import DataError, nearest, not_found
from treebound.data._variable import MAX_STATES, label_of

BinMethod = Literal["quantile", "median", "width"]


@dataclass(frozen=True)
class Discretise:
    """How to cut numbers into bins.

    ``"quantile"`` makes ``bins`` bins of counts as equal as ties allow, ``"median"`` two of them, and
    ``"width"`` bins of equal width between the smallest and the largest number. Without ``bins``, there are
    4 of them.
    """

    method: BinMethod
    bins: int | None = None

    def __post_init__(self) -> None:
        if self.method not in get_args(BinMethod):
            hint = nearest(str(self.method), get_args(BinMethod))
            listed = ", ".join(get_args(BinMethod))
            raise ValueError(f"discretise must be one of {listed}, got {self.method!r}{hint or '.'}")
        if self.bins is None:
            return
        object.__setattr__(self, "bins", check_integer("bins", self.bins, 2, MAX_STATES))
        if self.method == "median" and self.bins != 2:
            raise ValueError(f"the median makes 2 bins, got bins={self.bins}; use 'quantile' for more.")

    @property
    def num_bins(self) -> int:
        """Number of bins to make."""
        return self.bins or (2 if self.method == "median" else 4)


Rule: TypeAlias = Discretise | BinMethod
Rules: TypeAlias = Rule | Mapping[str, Rule | None] | None


@dataclass(frozen=True)
class Plan:
    """Which columns to bin: those in ``by_column`` as asked, others by ``default`` where they need it.

    A column that maps to None is asked to keep every distinct number as a state.
    """

    default: Discretise | None
    by_column: Mapping[str, Discretise | None]

    @classmethod
    def of(cls, rules: Rules, names: tuple[str, ...], source: str) -> Plan:
        """Read the ``discretise`` argument."""
        if not isinstance(rules, Mapping):
            return cls(_rule(rules), {})
        for name in rules:
            check_type("each column of discretise", name, str, "a name")
        unknown = not_found("unknown column", rules, names)
        if unknown:
            raise DataError(unknown, source)
        return cls(None, {name: _rule(rule) for name, rule in rules.items()})


def _rule(rule: Rule | None) -> Discretise | None:
    return rule if rule is None or isinstance(rule, Discretise) else Discretise(rule)


def bin_edges(
    values: NDArray[np.float64], counts: NDArray[np.integer], how: Discretise, *, is_whole: bool
) -> tuple[float, ...]:
    """Edges of the bins for ascending distinct values and how often each occurs, the outer ones included."""
    low, high = float(values[0]), float(values[-1])
    if how.method == "width":
        cuts = _even_widths(low, high, how.num_bins, is_whole=is_whole)
    else:
        places = _even_counts(counts, how.num_bins)
        cuts = [_readable(float(values[j]), float(values[j + 1]), is_whole=is_whole) for j in places]
    return (low, *cuts, high)


def bin_labels(edges: tuple[float, ...]) -> tuple[str, ...]:
    """Labels of bins; the outer ones are open, since they take values beyond the outer edges."""
    if len(edges) == 2:
        return (f"[{label_of(edges[0])}, {label_of(edges[1])}]",)
    cuts = [label_of(cut) for cut in edges[1:-1]]
    return (f"<{cuts[0]}", *(f"[{low}, {high})" for low, high in pairwise(cuts)), f">={cuts[-1]}")


def _even_counts(counts: NDArray[np.integer], bins: int) -> list[int]:
    """Positions j such that cutting after value j comes closest to an even share, the lower one of a tie."""
    if len(counts) == 1:
        return []
    below = np.cumsum(counts)[:-1].astype(np.int64) * bins
    shares = int(counts.sum()) * np.arange(1, bins, dtype=np.int64)
    place = np.searchsorted(below, shares)
    lower, upper = np.maximum(place - 1, 0), np.minimum(place, len(below) - 1)
    places = np.where(shares - below[lower] <= below[upper] - shares, lower, upper)
    return [int(j) for j in np.unique(places)]


def _even_widths(low: float, high: float, bins: int, *, is_whole: bool) -> list[float]:
    cuts: list[float] = []
    for k in range(1, bins):
        cut = low * ((bins - k) / bins) + high * (k / bins)
        cut = float(math.ceil(cut)) if is_whole else cut
        if (cuts[-1] if cuts else low) < cut <= high:
            cuts.append(cut)
    return cuts


def _readable(low: float, high: float, *, is_whole: bool) -> float:
    """The number with the fewest digits that is above ``low`` and at most ``high``."""
    middle = low / 2 + high / 2
    for digits in range(1, 18):
        cut = float(f"{middle:.{digits}g}")
        if low < cut <= high and (cut.is_integer() or not is_whole):
            return cut
    return high

"""The part of a variable that turns numbers into bins, and bins back into numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treebound.data._bin_values import BinValues, decimals_of
from treebound.data._codes import check_column


class BinnedNumbers:
    """What a binned variable does with its ``edges`` and with what its ``bins`` remember."""

    name: str
    states: tuple[str, ...]
    kind: str
    edges: tuple[float, ...] | None
    is_whole: bool
    bins: tuple[BinValues | None, ...] | None
    has_missing_state: bool

    @cached_property
    def known_states(self) -> tuple[str, ...]:
        """The states that stand for values: all but the one for missing cells."""
        return self.states[:-1] if self.has_missing_state else self.states

    def bin(self, numbers: Sequence[float] | NDArray[np.float64]) -> NDArray[np.intp]:
        """The bins that numbers fall into."""
        if self.edges is None:
            raise ValueError(f"variable {self.name!r} is not binned, it is of kind {self.kind!r}.")
        return np.searchsorted(
            np.asarray(self.edges[1:-1]), np.asarray(numbers, dtype=np.float64), side="right"
        )

    def are_of_bins(self, bins: Sequence[BinValues | None]) -> bool:
        """Whether remembered values are one for each bin, and inside it."""
        if self.edges is None or len(bins) != len(self.known_states):
            return False
        kept = {code: one for code, one in enumerate(bins) if one is not None}
        if not all(isinstance(one, BinValues) for one in kept.values()):
            return False
        ends = [(one.values[0], one.values[-1]) for one in kept.values()]
        found = self.bin(np.array(ends, dtype=np.float64).reshape(-1, 2))
        return bool((found == np.array(list(kept), dtype=np.intp)[:, None]).all())

    @cached_property
    def bin_values(self) -> tuple[BinValues, ...]:
        """What is known of the numbers in each bin; where nothing is remembered, they are taken for even."""
        if self.edges is None:
            raise ValueError(f"variable {self.name!r} is not binned, it is of kind {self.kind!r}.")
        remembered = self.bins or (None,) * len(self.known_states)
        return tuple(
            kept or BinValues.even(low, self._last_inside(code), is_whole=self.is_whole)
            for code, (kept, low) in enumerate(zip(remembered, self.edges[:-1], strict=True))
        )

    def _last_inside(self, code: int) -> float:
        """The largest number of a bin."""
        edges = self.edges or ()
        if code == len(self.known_states) - 1:
            return edges[-1]
        return math.nextafter(edges[code + 1], -math.inf)

    def median(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """The median of the numbers in the bin of each code, one that occurs; whole among integers.

        It is NaN for the state of missing cells.
        """
        medians = np.array([*(one.median for one in self.bin_values), math.nan], dtype=np.float64)
        check_column(codes, self.name, len(self.states))
        return medians.take(codes)

    def draw_inside(self, codes: NDArray[np.integer], rng: np.random.Generator) -> NDArray[np.float64]:
        """A number of the bin of each code, drawn as often as it occurs there; whole among integers.

        Of a bin with many different numbers, one between those that are remembered, with as many decimals.
        The state of missing cells gives NaN.
        """
        kept = self.bin_values
        check_column(codes, self.name, len(self.states))
        shares = rng.random(len(codes))
        numbers = np.full(len(codes), np.nan)
        order = np.argsort(codes, kind="stable")
        limits = np.searchsorted(codes[order], np.arange(len(self.known_states) + 1)).tolist()
        for one, (start, end) in zip(kept, pairwise(limits), strict=True):
            places = order[start:end]
            if len(places):
                numbers[places] = self._rounded(one.at(shares[places]), one)
        return numbers

    def _rounded(self, numbers: NDArray[np.float64], kept: BinValues) -> NDArray[np.float64]:
        """Drawn numbers with the decimals of the column, unless that takes them out of their bin."""
        if kept.counts or self._decimals is None:
            return numbers
        with np.errstate(all="ignore"):  # of large numbers with many decimals
            rounded = np.round(numbers, self._decimals)
        is_inside = (rounded >= kept.values[0]) & (rounded <= kept.values[-1])
        return np.where(is_inside, rounded, numbers)

    @cached_property
    def _decimals(self) -> int | None:
        """Decimals of the numbers, or as many as separate a thousand numbers of the narrowest bin."""
        if self.is_whole:
            return 0
        if self.bins is None:
            return _decimals_of_edges(np.asarray(self.edges))
        return decimals_of(np.array([value for one in self.bins if one is not None for value in one.values]))


def _decimals_of_edges(edges: NDArray[np.float64]) -> int:
    """How many decimals leave a thousand numbers in the narrowest bin; not more than a double has."""
    widths = np.diff(edges)
    narrowest = float(widths[widths > 0].min(initial=np.inf))
    return 0 if not math.isfinite(narrowest) else min(max(3 - math.floor(math.log10(narrowest)), 0), 300)

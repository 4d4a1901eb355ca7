"""Where the numbers of a column are cut, and what the bins are called.

Bins of equal counts are cut only between distinct values, at the place where the count comes closest to the
even share: ties never straddle a cut, no bin is empty, and a column with few distinct values gets fewer bins.
With the quantiles themselves as cuts, a column that is mostly zero would fall into a single bin.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treebound.data import Discretise, label_of
from treebound.tables._optimal_bins import histogram_cuts, supervised_cuts


def bin_edges(
    values: NDArray[np.float64],
    counts: NDArray[np.integer],
    how: Discretise,
    *,
    is_whole: bool,
    classes: NDArray[np.int64] | None = None,
) -> tuple[float, ...]:
    """Edges of the bins for ascending distinct values and how often each occurs, the outer ones included.

    ``classes`` says how often each value occurs with each value of the target of supervised bins.
    """
    low, high = float(values[0]), float(values[-1])
    if how.edges is not None:
        first, last = how.edges[0], how.edges[-1]
        below = min(first - 1.0, math.nextafter(first, -math.inf))  # where the first bin is empty
        return (low if low < first else below, *how.edges, max(last, high))
    if how.method == "width":
        return (low, *_even_widths(low, high, how.num_bins, is_whole=is_whole), high)
    if how.method == "mdl":
        places = histogram_cuts(values, counts, how.num_bins)
    elif classes is not None:
        places = supervised_cuts(classes, how.num_bins)
    else:
        places = even_counts(counts, how.num_bins)
    cuts = [_readable(float(values[j]), float(values[j + 1]), is_whole=is_whole) for j in places]
    return (low, *cuts, high)


def bin_labels(edges: tuple[float, ...]) -> tuple[str, ...]:
    """Labels of bins; the outer ones are open, since they take values beyond the outer edges."""
    if len(edges) == 2:
        return (f"[{label_of(edges[0])}, {label_of(edges[1])}]",)
    cuts = [label_of(cut) for cut in edges[1:-1]]
    return (f"<{cuts[0]}", *(f"[{low}, {high})" for low, high in pairwise(cuts)), f">={cuts[-1]}")


def even_counts(counts: NDArray[np.integer], bins: int) -> list[int]:
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

"""Random choices made of the core's random stream, so a seed means the same with every Python."""

from __future__ import annotations

from treebound._core import RandomStream


def between(stream: RandomStream, low: int, high: int) -> int:
    """Uniform in low..high, both included."""
    return low + stream.below(high - low + 1)


def distinct_below(stream: RandomStream, bound: int, count: int) -> list[int]:
    """Draw ``count`` different numbers of 0..bound-1 uniformly, in ascending order (Floyd's method)."""
    chosen: set[int] = set()
    for largest in range(bound - count, bound):
        drawn = stream.below(largest + 1)
        chosen.add(largest if drawn in chosen else drawn)
    return sorted(chosen)


def shuffled(stream: RandomStream, count: int) -> list[int]:
    """Return 0..count-1 in random order."""
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order

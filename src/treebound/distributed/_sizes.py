"""How many variables go into the next shard, by what those before have cost.

Guided self-scheduling (Polychronopoulos and Kuck 1987): each shard takes a share of what is left, so the
last ones are small and all workers end together, but none is so small that sending it costs more than doing
it, and none brings back so much that memory for it would have to be taken anew.
"""

from __future__ import annotations

import math

_SHORTEST_SECONDS = 0.1
_SHARES_PER_THREAD = 2
_FIRST_SHARES_PER_THREAD = 16
# A worker needs several times as much while it collects the sets.
_MOST_BYTES_BACK = 1 << 22


class ShardSizes:
    """Sizes for one turn of ``num_variables`` on so many threads."""

    def __init__(self, num_variables: int, num_threads: int) -> None:
        self._left, self._threads = num_variables, num_threads
        self._first = max(1, num_variables // (_FIRST_SHARES_PER_THREAD * num_threads))
        self._seconds, self._bytes, self._measured = 0.0, 0, 0
        # One is waiting at each thread when another ends.
        self.at_once = 2 * num_threads

    def measure(self, num_variables: int, seconds: float, num_bytes: int) -> None:
        """A shard of so many variables took so long and brought so much."""
        self._seconds += seconds
        self._bytes += num_bytes
        self._measured += num_variables

    def next(self) -> int:
        """The size of the next shard."""
        size = self._first
        if self._measured:
            share = self._left / (_SHARES_PER_THREAD * self._threads)
            shortest = _SHORTEST_SECONDS * self._measured / max(self._seconds, 1e-9)
            largest = _MOST_BYTES_BACK * self._measured / max(self._bytes, 1)
            size = math.ceil(min(max(share, min(shortest, self._left / self._threads)), largest))
        size = max(1, min(size, self._left))
        self._left -= size
        return size

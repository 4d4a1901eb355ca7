"""How much memory work on a table takes, estimated before it begins.

The table and its layout stay in memory; scoring and the search, which come one after the other, take theirs
on top. Both are bounded by what they may remember and by what the budget leaves time for; the figures here
are those bounds, with the bytes per item as measured. ``benchmarks/large.py`` compares them with what was
used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from treebound._budget import Budget
from treebound._memory import BASE_BYTES, MB, check_fits
from treebound.data import Dataset, layout_bytes
from treebound.scoring._methods import (
    BYTES_PER_PAIR,
    BYTES_PER_VISITED_SET,
    Independence,
    ParentSetSearch,
)

# What a set takes one thread at the least, next to its passes over the rows, and a word of these.
_NANOSECONDS_PER_SET = 700
_NANOSECONDS_PER_WORD = 4
# A kept set: score, offsets and parents, in the cache and as the search reads them.
_BYTES_PER_KEPT_SET = 100
# Of the sets visited, those that no subset beats; the rest is dropped.
_KEPT_SHARE = 0.25
# The search keeps pairs in up to a gigabyte, and adds families of its own.
_SEARCH_PAIRS = 2**30
_BYTES_PER_FAMILY = 64
_FAMILIES_PER_SECOND = 20_000
_MOST_FAMILIES = 2**24
_SEARCH_BYTES_PER_VARIABLE = 8_000


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes by what takes them; ``peak`` is the most at once, with what the interpreter holds."""

    num_variables: int
    num_rows: int
    table: int
    layout: int
    scoring: int
    searching: int = 0
    num_sets: int = 0  # that scoring may visit

    @property
    def peak(self) -> int:
        """The most at once."""
        return BASE_BYTES + self.table + self.layout + max(self.scoring, self.searching)

    @property
    def peak_mb(self) -> float:
        """The same in megabytes."""
        return self.peak / MB

    def check(self, held: int, memory_mb: int | None) -> None:
        """Reject what does not fit into ``memory_mb``, or into what is free; ``held`` bytes are there."""
        what = f"A table of {self.num_variables:,} columns and {self.num_rows:,} rows"
        cap = None if memory_mb is None else memory_mb * MB
        check_fits(self.peak, what, self._fix, held=BASE_BYTES + held, cap=cap)

    def _fix(self, room: int) -> str:
        """What would fit into so many bytes."""
        other = BASE_BYTES + max(self.scoring, self.searching)
        per_row = (self.table + self.layout) / max(1, self.num_rows)
        rows = math.floor((room - other) / per_row)
        least = BASE_BYTES + self.table + self.layout + self.searching + _LEAST_SCORING
        if self.scoring > self.searching and room > least:
            return f"memory_mb={room // MB} (--memory {room // MB}) makes scoring remember less"
        # What grows with the square of the columns shrinks sooner, so as many fit at the least.
        columns = math.floor(self.num_variables * (room - BASE_BYTES) / (self.peak - BASE_BYTES))
        fitting = [f"{rows:,} of the rows"] * (rows >= 1) + [f"{columns:,} of the columns"] * (columns >= 1)
        return f"{' or '.join(fitting)} would fit" if fitting else "no part of it would fit"


# Less would leave nothing to remember.
_LEAST_SCORING = 64 * MB


def estimate_scoring(
    data: Dataset, parent_sets: ParentSetSearch, budget: Budget | None, threads: int
) -> MemoryEstimate:
    """What scoring a table takes."""
    n = data.num_variables
    pairs = n * (n - 1) // 2 * BYTES_PER_PAIR if parent_sets.max_parents > 0 else 0
    all_sets = sum(math.comb(n - 1, size) for size in range(min(n - 1, parent_sets.max_parents) + 1))
    num_sets = min(n * all_sets, _sets_in(budget, threads, data.num_rows))
    scoring = pairs
    if isinstance(parent_sets, Independence):
        num_sets = min(num_sets, n * parent_sets._max_visited(n))
        pairs = min(pairs, parent_sets._max_pairs() * BYTES_PER_PAIR)
        scoring = pairs + num_sets * BYTES_PER_VISITED_SET + _kept(num_sets)
    layout = layout_bytes(data.schema.cardinalities, data.num_rows)
    return MemoryEstimate(n, data.num_rows, data.codes.nbytes, layout, scoring, num_sets=num_sets)


def with_search(
    estimate: MemoryEstimate, budget: Budget, threads: int, *, reads_rows: bool
) -> MemoryEstimate:
    """The same with a search after it."""
    n = estimate.num_variables
    searching = _kept(estimate.num_sets) + n * _SEARCH_BYTES_PER_VARIABLE
    if reads_rows:
        searching += min(_SEARCH_PAIRS, n * (n - 1) // 2 * BYTES_PER_PAIR)
        seconds = math.inf if budget.seconds is None else budget.seconds
        families = min(_MOST_FAMILIES, seconds * threads * _FAMILIES_PER_SECOND)
        searching += int(families) * _BYTES_PER_FAMILY
    return replace(estimate, searching=searching)


def fitted(parent_sets: Independence, data: Dataset, memory_mb: int) -> Independence:
    """The same search remembering no more than ``memory_mb`` for all leaves room for."""
    fixed = BASE_BYTES + data.codes.nbytes + layout_bytes(data.schema.cardinalities, data.num_rows)
    room = (memory_mb * MB - fixed) / (1 + _KEPT_SHARE * _BYTES_PER_KEPT_SET / BYTES_PER_VISITED_SET)
    return Independence(parent_sets.max_parents, max(1, min(parent_sets.memory_mb, int(room) // MB)))


def held_by(data: Dataset) -> int:
    """Bytes that a dataset has taken already."""
    laid_out = layout_bytes(data.schema.cardinalities, data.num_rows) if "in_core" in vars(data) else 0
    return data.codes.nbytes + laid_out


def _kept(num_sets: int) -> int:
    return int(_KEPT_SHARE * num_sets) * _BYTES_PER_KEPT_SET


def _sets_in(budget: Budget | None, threads: int, num_rows: int) -> int:
    """How many sets the budget leaves time for."""
    if budget is None:
        return 2**62
    per_set = 1e-9 * (_NANOSECONDS_PER_SET + _NANOSECONDS_PER_WORD * num_rows / 64)
    by_time = 2**62 if budget.seconds is None else int(min(budget.seconds, 1e9) * threads / per_set)
    return min(by_time, 2**62 if budget.steps is None else budget.steps)

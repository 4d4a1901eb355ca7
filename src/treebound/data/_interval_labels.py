"""States that are called by intervals, as in files that hold labels alone: ``<2``, ``[2, 5)``, ``>=5``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from treebound.data._numbers import parse_numbers

_INNER = re.compile(r"\[([^,]+), ([^,]+)\)")


@lru_cache(maxsize=64)
def cuts_of(states: tuple[str, ...]) -> tuple[float, ...]:
    """The numbers between the intervals, in order; none unless all states are intervals, end to end."""
    if len(states) < 2 or not states[0].startswith("<") or not states[-1].startswith(">="):
        return ()
    inner = [_INNER.fullmatch(state) for state in states[1:-1]]
    if not all(inner):
        return ()
    ends = [(found[1], found[2]) for found in inner if found is not None]
    lows = [low for low, _ in ends] + [states[-1][2:]]
    highs = [states[0][1:]] + [high for _, high in ends]
    cuts = parse_numbers(lows) if lows == highs else None
    return tuple(cuts) if cuts is not None and _ascend(cuts) else ()


def _ascend(cuts: Sequence[float]) -> bool:
    return all(low < high for low, high in pairwise(cuts))

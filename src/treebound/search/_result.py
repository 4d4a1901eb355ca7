"""The outcome of a search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class StopReason(StrEnum):
    """Why a search ended."""

    STEPS = "steps"  # the budget of steps was used
    SECONDS = "seconds"  # the time was up
    INTERRUPTED = "interrupted"  # Ctrl-C, or the progress callback raised
    EXHAUSTED = "exhausted"  # every order that differs has been decoded


class Improvement(NamedTuple):
    """A structure better than all before it, as it was found."""

    seconds: float
    step: int
    score: float


class Progress(NamedTuple):
    """How far a search has come; ``score`` is -inf until the first structure is complete."""

    seconds: float
    steps: int
    score: float


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The best structure found and how it was found.

    ``sets[v]`` is the parent set of variable ``v`` as an index into the cache. The k-tree is given by
    ``insertion_order``, whose first k+1 variables form the root clique, and ``separators``, whose row ``v``
    is the k-clique that ``v`` joined (for a member of the root clique: the rest of it).
    """

    score: float
    sets: NDArray[np.int64]
    parents: tuple[tuple[int, ...], ...]
    insertion_order: NDArray[np.uint32]
    separators: NDArray[np.uint32]
    trace: tuple[Improvement, ...]
    steps: int
    seconds: float
    stopped: StopReason
    solver: object
    seed: int
    is_optimal_for_order: bool
    num_proved: int
    num_skipped: int

"""What a second thread gives: moves per second, and the time to a score.

`learn` on tables, bound 5, once with one thread and once with as many as there are cores, one run after the
other. Moves are steps of the search, 256 each. The target is what one thread has found after its whole time;
`time_ratio` is how much sooner the threads reach it (1 if they do not gain anything, above 1 if they are
sooner). Times are those of the trace, so that scoring and the climb before the islands begin count as well.

Apart from benchmarks.paper: its runs have one thread each, as those of the paper.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from _common import Expect, Row, Skip, dataset
from treebound import Budget, Dataset, LearnResult, Local, learn

QUESTION = "How much more does the search do with all cores than with one, and how much sooner?"
EXPECTED = [Expect("moves_ratio", at_least=1.5), Expect("time_ratio", at_least=1.0)]
NAMES = ("baudio.train", "pumsb_star.train", "cr52.train")
SECONDS = 30.0
BOUND = 5
MOVES_PER_STEP = 256


def measure() -> Iterator[Row | Skip]:
    """One row per table."""
    threads = len(os.sched_getaffinity(0))
    for name in NAMES:
        data = dataset(name)
        if isinstance(data, Skip):
            yield data
            continue
        one, many = learned(data, 1), learned(data, threads)
        reached = seconds_to(many, one.score)
        yield {
            "data": name,
            "threads": threads,
            "score_one": one.score,
            "score_many": many.score,
            "moves_per_s_one": moves_per_second(one),
            "moves_per_s_many": moves_per_second(many),
            "moves_ratio": moves_per_second(many) / moves_per_second(one),
            "time_to_target_one": seconds_to(one, one.score),
            "time_to_target_many": reached,
            "time_ratio": seconds_to(one, one.score) / reached,
        }


def learned(data: Dataset, threads: int) -> LearnResult:
    """A run that uses all of its time."""
    found = learn(
        data, BOUND, budget=Budget(seconds=SECONDS, patience=None), seed=1, where=Local(threads=threads)
    )
    if not found.verdict:
        raise SystemExit(f"{threads} threads: {found.verdict}")
    return found


def moves_per_second(found: LearnResult) -> float:
    """Moves of all islands, over the seconds of the search."""
    return MOVES_PER_STEP * found.search.steps / found.search.seconds


def seconds_to(found: LearnResult, target: float) -> float:
    """When the search had a score; its whole time where it never did."""
    return next((one.seconds for one in found.search.trace if one.score >= target), found.search.seconds)

"""How many orders k-A* proves per processor second: from the back, and as the paper prints it.

Uniform orders, one thread. `proved_per_cpu_s` counts orders whose optimum is proved, `decided_per_cpu_s` also
those that are proved not to beat the best order so far (`skip_beaten`). As printed there is no cap: memory is
the limit, here 1 GB. `score` is the best of all orders.

Apart from benchmarks.paper: there methods have a budget of their own, and proofs are a column among others.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator

from _common import Expect, Row, Skip
from _searching import checked, named_cache
from treebound import Budget, Exhaustive, Independence, Local, ParentSetCache, load, score
from treebound.solvers import CliquePolicy, KAStar, OrderSampling

QUESTION = "How many orders does k-A* prove per processor second, from the back and as printed?"
EXPECTED = [Expect("times_printed", at_least=2, where={"way": "back"})]
CACHES = {"child": (2, 5), "alarm": (2, 5)}
# Tables of the paper: parents, and whether all sets are scored.
TABLES = {"wdbc": (4, True), "community": (4, False), "accidents.train": (8, False)}
BOUNDS = {"wdbc": (2, 4), "community": (2, 4), "accidents.train": (2, 5, 8)}
SECONDS = 5.0
SCORING_SECONDS = 20.0
CAPS = (10_000, 1_000_000)


def measure() -> Iterator[Row | Skip]:
    """One row per source, bound and way."""
    for name, bounds in (CACHES | BOUNDS).items():
        cache = named_cache(name) if name in CACHES else scored(name)
        if isinstance(cache, Skip):
            yield cache
            continue
        for bound in bounds:
            for row in both_ways(cache, bound):
                yield {"source": name, "k": bound, **row}


def scored(name: str) -> ParentSetCache | Skip:
    """A table of the paper, scored as there."""
    path = pathlib.Path(os.environ.get("TREEBOUND_DATA", "")) / f"{name}.csv.gz"
    if not path.exists():
        return Skip(f"{name}: not in TREEBOUND_DATA.")
    parents, is_all = TABLES[name]
    sets = Exhaustive(parents) if is_all else Independence(parents)
    budget = None if is_all else Budget(seconds=SCORING_SECONDS, patience=None)
    return score(load(path), parent_sets=sets, budget=budget, where=Local(threads=1)).cache


def both_ways(cache: ParentSetCache, bound: int) -> Iterator[Row]:
    """As printed, as in the authors' program, and from the back with two caps."""
    plain = CliquePolicy.RANDOM, OrderSampling.UNIFORM
    ways = {
        ("printed", None): KAStar.as_printed(),
        ("printed, 1,024 open", None): KAStar(*plain, None, printed=True, max_open=1024, skip_beaten=False),
        **{("back", cap): KAStar(*plain, cap) for cap in CAPS},
    }
    printed = 0.0
    for (way, cap), solver in ways.items():
        result, cpu = checked(cache, bound, solver, Budget(seconds=SECONDS, patience=None))
        figures = result.statistics
        proved = figures["num_proved"] / cpu
        decided = (figures["num_proved"] + figures["num_skipped"]) / cpu
        printed = proved if way == "printed" else printed
        row: Row = {"way": way, "cap": cap, "orders": result.steps, "score": result.score}
        row |= {"proved_per_cpu_s": proved, "decided_per_cpu_s": decided}
        row["out_of_memory"] = figures["num_out_of_memory"]
        yield row | ({"times_printed": decided / printed} if printed else {})

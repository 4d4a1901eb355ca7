"""How far the exact solvers come: without a bound on the treewidth, and with one.

`gobnilp` on the caches of known networks, small and large. The bounded solvers on the smaller of these, and
on random instances of up to a dozen variables, where the two must agree. `gap` is what the score may miss, as
a share of it; `nodes` are those of the search tree.

Apart from benchmarks.paper: it asks how far proofs come, not who is better.
"""

from __future__ import annotations

from collections.abc import Iterator

from _common import Expect, Row, Skip, generated
from _searching import checked, named_cache
from treebound import Budget, Exhaustive, Local, ParentSetCache, score
from treebound.solvers import ExactDp, ExactIlp, Gobnilp, Solver

QUESTION = "Which optima are proved, and how soon?"
EASY = ("survey", "sachs", "child", "water", "mildew", "barley")  # up to the sizes of child and insurance
HARD = ("alarm", "hepar2")
OPEN = ("munin1", "diabetes", "pigs", "munin")
BOUNDED = {"sachs": (2, 3), "child": (2, 3), "water": (2,), "mildew": (2,), "alarm": (2,)}
AGREEING = ((8, 2), (9, 3), (10, 2), (11, 2), (12, 2), (12, 3))
SECONDS = 300
SECONDS_OPEN = 60
NUM_ROWS = 1000
TOLERANCE = 1e-6
EXPECTED = [
    Expect("seconds", at_most=30, where={"solver": "gobnilp", "size": "easy"}),
    Expect("gap", at_most=1e-9, where={"solver": "gobnilp", "size": "easy"}),
    Expect("gap", at_most=1e-9, where={"solver": "gobnilp", "size": "hard"}),
    Expect("difference", at_most=TOLERANCE),
]


def measure() -> Iterator[Row | Skip]:
    """Known networks without a bound, then with one, then random instances."""
    for size, names in {"easy": EASY, "hard": HARD, "open": OPEN}.items():
        for name in names:
            seconds = SECONDS_OPEN if size == "open" else SECONDS
            yield from on_named(name, size, None, Gobnilp(), seconds)
    for name, bounds in BOUNDED.items():
        for bound in bounds:
            yield from on_named(name, "bounded", bound, ExactIlp(), SECONDS)
    for n, bound in AGREEING:
        yield from both(n, bound)


def on_named(name: str, size: str, bound: int | None, solver: Solver, seconds: float) -> Iterator[Row | Skip]:
    """One row for a solver and a cache."""
    cache = named_cache(name)
    if isinstance(cache, Skip):
        yield cache
    else:
        yield {"size": size} | solved(name, cache, bound, solver, seconds)


def both(n: int, bound: int) -> Iterator[Row]:
    """The two bounded solvers on a random instance, and by how much they differ."""
    data = generated(n, NUM_ROWS, (2, 3), seed=100 * n + 1)
    cache = score(data, parent_sets=Exhaustive(3), budget=None, where=Local(threads=1)).cache
    rows = [
        {"size": "random"} | solved(f"random {n}", cache, bound, solver, SECONDS)
        for solver in (ExactIlp(), ExactDp())
    ]
    yield from rows
    scores = [row["score"] for row in rows]
    yield {"cache": f"random {n}", "k": bound, "difference": max(scores) - min(scores)}


def solved(name: str, cache: ParentSetCache, bound: int | None, solver: Solver, seconds: float) -> Row:
    """Figures of one run."""
    result, cpu = checked(cache, bound, solver, Budget(seconds=seconds))
    return {
        "solver": solver.name,
        "cache": name,
        "n": cache.num_variables,
        "sets": cache.num_sets,
        "k": bound or 0,
        "score": result.score,
        "gap": result.gap,
        "nodes": result.steps,
        "cuts": result.statistics.get("num_cuts", 0),
        "seconds": result.seconds,
        "cpu_s": cpu,
    }

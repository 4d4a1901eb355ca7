"""Regrow against the optimum under the treewidth bound, which exact-ilp proves.

Random instances are rows of a random network; all parent sets of up to three parents are scored. `rate` is
the share of runs, each with a seed of its own, that reach the optimum; `start_rate` that of the networks that
they begin from, before any move, and says how easy the instance is. Gaps are in units of the score.

Apart from benchmarks.paper: its optima are proved, on instances smaller than those of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from _common import Expect, Row, Skip, dataset, generated
from _searching import checked
from treebound import Budget, Dataset, Exhaustive, Local, ParentSetCache, score
from treebound.solvers import ExactIlp, Regrow

QUESTION = "How often does Regrow reach the true optimum on small instances?"
EXPECTED = [Expect("rate", at_least=0.995, where={"instance": "all"})]
RANDOM_SIZES = {2: (6, 7, 8, 9, 10, 11, 12), 3: (6, 7, 8, 9, 10, 11, 12)}
MAX_SECONDS = 120  # for a proof
NUM_DRAWS = 3
NUM_ROWS = 1000
NAMES = ("nursery", "breast")
STEPS = 20
SEEDS = range(10)
TOLERANCE = 1e-6


def measure() -> Iterator[Row | Skip]:
    """One row per instance, and one for all."""
    rows = []
    for name, data, bound in instances():
        row = data if isinstance(data, Skip) else compared(name, data, bound)
        if not isinstance(row, Skip):
            rows.append(row)
        yield row
    yield {
        "instance": "all",
        "instances": len(rows),
        "runs": len(rows) * len(SEEDS),
        "start_rate": sum(row["start_rate"] for row in rows) / len(rows),
        "rate": sum(row["rate"] for row in rows) / len(rows),
        "worst_gap": max(row["worst_gap"] for row in rows),
    }


def instances() -> Iterator[tuple[str, Dataset | Skip, int]]:
    """Name, rows and bound of each."""
    for bound, sizes in RANDOM_SIZES.items():
        for n in sizes:
            for draw in range(1, NUM_DRAWS + 1):
                yield f"random {draw}", generated(n, NUM_ROWS, (2, 3), seed=100 * n + draw), bound
    for name in NAMES:
        for bound in RANDOM_SIZES:
            yield name, dataset(name), bound


def compared(name: str, data: Dataset, bound: int) -> Row | Skip:
    """Runs on one instance beside its optimum."""
    cache = score(data, parent_sets=Exhaustive(3), budget=None, where=Local(threads=1)).cache
    best, proof_cpu = checked(cache, bound, ExactIlp(), Budget(seconds=MAX_SECONDS))
    if not best.is_optimal:
        return Skip(f"{name}, {data.num_variables} variables, bound {bound}: no optimum proved in time.")
    optimum = best.score
    starts, _ = gaps(cache, bound, optimum, steps=1)
    ends, cpu = gaps(cache, bound, optimum, steps=STEPS)
    return {
        "instance": name,
        "n": data.num_variables,
        "k": bound,
        "sets": cache.num_sets,
        "optimum": optimum,
        "start_rate": share_reached(starts),
        "rate": share_reached(ends),
        "worst_gap": max(ends),
        "regrow_cpu_s": cpu / len(SEEDS),
        "proof_cpu_s": proof_cpu,
    }


def gaps(cache: ParentSetCache, bound: int, optimum: float, steps: int) -> tuple[list[float], float]:
    """What the runs miss, and the processor seconds of all; a run beyond the optimum is an error."""
    runs = [checked(cache, bound, Regrow(exact=False), Budget(steps=steps), seed) for seed in SEEDS]
    found = [optimum - result.score for result, _ in runs]
    if min(found) < -TOLERANCE:
        raise SystemExit(f"The optimum {optimum} is none: a run with bound {bound} has {-min(found)} more.")
    return [max(gap, 0.0) for gap in found], sum(cpu for _, cpu in runs)


def share_reached(gaps: list[float]) -> float:
    """Share of the runs without a gap."""
    return sum(gap <= TOLERANCE for gap in gaps) / len(gaps)

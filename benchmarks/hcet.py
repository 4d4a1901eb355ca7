"""Our hc-ET beside the published one, and beside Regrow at equal time, on the train splits of density sets.

One climb as in the paper first, however long it takes up to LIMIT; then hc-ET with restarts, Regrow that
begins from one climb, and Regrow that does not, 20 seconds each. Published scores and seconds (theirs at
treewidth 5) are those of published.py. In the environment TREEBOUND_SETS=voting,c20ng chooses data sets,
TREEBOUND_BOUNDS=5 bounds, TREEBOUND_SECONDS another time, TREEBOUND_THREADS the threads (default: 1).

Apart from benchmarks.paper: it asks what hc-ET itself reaches, alone and as the start of Regrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from _common import Expect, Row, Skip, dataset
from published import BOUNDS, HC_ET
from treebound import Budget, Dataset, LearnResult, Local, learn
from treebound.solvers import HcEt, Regrow, Solver

QUESTION = "Does hc-ET reach its published scores within 0.3 %, and what does Regrow find in the same time?"
EXPECTED = [Expect("share_within", at_least=0.9), Expect("regrow_gain_percent", at_least=0)]
SETS = (*HC_ET, "mushrooms")
LIMIT = 300.0
ENDLESS = HcEt(restarts=2**62)


def measure() -> Iterator[Row | Skip]:
    """One row per data set and bound, then how many came within 0.3 % of the published score."""
    seconds = float(os.environ.get("TREEBOUND_SECONDS", "20"))
    bounds = [int(bound) for bound in chosen("TREEBOUND_BOUNDS", map(str, BOUNDS))]
    gains = []
    for name in chosen("TREEBOUND_SETS", SETS):
        data = dataset(f"{name}.train")
        if isinstance(data, Skip):
            yield data
            continue
        for bound in bounds:
            row = one_climb(data, name, bound) | at_equal_time(data, bound, seconds)
            gains += [row["gain_percent"]] if "gain_percent" in row else []
            yield row
    if gains:
        yield {"of": len(gains), "share_within": sum(gain >= -0.3 for gain in gains) / len(gains)}


def chosen(variable: str, otherwise: Iterator[str] | tuple[str, ...]) -> list[str]:
    """What the environment names, or everything."""
    return os.environ[variable].split(",") if variable in os.environ else list(otherwise)


def one_climb(data: Dataset, name: str, bound: int) -> Row:
    """A climb to the first local optimum beside the published score."""
    found = checked(data, bound, HcEt(), LIMIT)
    row: Row = {"data": name, "n": data.num_variables, "rows": data.num_rows, "k": bound}
    row |= {"climb": found.score, "climb_s": found.seconds}
    if name in HC_ET and bound in BOUNDS:
        published = HC_ET[name][BOUNDS.index(bound)]
        row |= {"published": published, "gain_percent": percent(found.score, published)}
        row |= {"published_s": HC_ET[name][-1]} if bound == 5 else {}
    return row


def at_equal_time(data: Dataset, bound: int, seconds: float) -> Row:
    """hc-ET with restarts against Regrow, with and without a climb to begin from."""
    climbs, plain, regrow = (
        checked(data, bound, solver, seconds).score
        for solver in (ENDLESS, Regrow(hill_climb=False), Regrow())
    )
    return {
        "seconds": seconds,
        "climbs": climbs,
        "regrow_plain": plain,
        "regrow": regrow,
        "start_gain_percent": percent(regrow, plain),
        "regrow_gain_percent": percent(regrow, climbs),
    }


def checked(data: Dataset, bound: int, solver: Solver, seconds: float) -> LearnResult:
    """The result; a structure that the checker refuses is an error."""
    threads = int(os.environ.get("TREEBOUND_THREADS", "1"))
    result = learn(
        data, bound, solver=solver, budget=Budget(seconds=seconds), seed=1, where=Local(threads=threads)
    )
    if not result.verdict:
        raise SystemExit(f"{solver} with bound {bound}: {result.verdict}")
    return result


def percent(score: float, other: float) -> float:
    """How much better a score is than another."""
    return 100 * (score - other) / abs(other)

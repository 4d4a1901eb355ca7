"""The table of k-G and k-MAX against the Java reference: ours after 10 seconds, the reference after 60.

Every cache, k = 2, 5, 8, one thread each; every structure of ours is checked. The reference takes over an
hour, so its results may be read from a file of JSON lines that TREEBOUND_REFERENCE_RESULTS names, with
`cache`, `k`, `solver` (kg or kmax) and `score` in each; what is not there is run.

Apart from benchmarks.paper: it needs the Java reference, which is run side by side.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from _common import Expect, Row, Skip, has_reference
from _searching import BOUNDS, METHODS, NAMES, checked, for_each_cache, reference_results, reference_search
from treebound import Budget, ParentSetCache
from treebound.solvers import KGreedy, KMax, Solver

QUESTION = "Is our best score after 10 seconds at least that of the reference after 60?"
EXPECTED = [Expect("gain", at_least=0)]
SECONDS = 10.0
REFERENCE_SECONDS = 60
SOLVERS: dict[str, Solver] = {"k-G": KGreedy(), "k-MAX": KMax()}


def measure() -> Iterator[Row | Skip]:
    """One row per cache, bound and method; at the end the wins of each method."""
    known = reference_results()
    gains: dict[str, list[float]] = {method: [] for method in METHODS}

    def compared(name: str, cache: ParentSetCache) -> Iterator[Row | Skip]:
        for bound, (method, solver) in itertools.product(BOUNDS, SOLVERS.items()):
            score = reference_score(known, name, bound, method)
            if isinstance(score, Skip):
                yield score
                continue
            result, _ = checked(cache, bound, solver, Budget(seconds=SECONDS))
            # The reference prints three decimals.
            gain = round(result.score - score, 2)
            gains[method].append(gain)
            yield {
                "cache": name,
                "k": bound,
                "method": method,
                "score": result.score,
                "reference_score": score,
                "gain": gain,
                "steps": result.steps,
                "treewidth": result.structure.treewidth,
            }

    yield from for_each_cache(NAMES, compared)
    for method, found in gains.items():
        if found:
            wins, losses = sum(gain > 0 for gain in found), sum(gain < 0 for gain in found)
            yield {
                "method": method,
                "of": len(found),
                "wins": wins,
                "ties": len(found) - wins - losses,
                "losses": losses,
            }


def reference_score(
    known: dict[tuple[str, int, str], float | None], name: str, bound: int, method: str
) -> float | Skip:
    """What the reference found, from the file or now."""
    key = name, bound, METHODS[method]
    if key not in known:
        if not has_reference():
            return Skip(f"{name}, k = {bound}, {method}: neither in the file nor TREEBOUND_REFERENCE is set.")
        run = reference_search(name, method, bound, REFERENCE_SECONDS)
        known[key] = run.best if run else None
    score = known[key]
    return Skip(f"{name}, k = {bound}, {method}: the reference found nothing.") if score is None else score

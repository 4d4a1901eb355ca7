"""The unbounded search over orders against WINASOBS of the Java reference: ours 6 seconds, the reference 60.

One thread each, one after the other; every structure of ours is checked.

Apart from benchmarks.paper: it needs the Java reference, which is run side by side.
"""

from __future__ import annotations

from collections.abc import Iterator

from _common import Expect, Row, Skip, has_reference
from _searching import checked, for_each_cache, reference_search
from treebound import Budget, ParentSetCache
from treebound.solvers import OrderSearch

QUESTION = "Is our best unbounded score after 6 seconds at least that of the reference's WINASOBS after 60?"
EXPECTED = [Expect("gain", at_least=0)]
SECONDS = 6.0
REFERENCE_SECONDS = 60
NAMES = ("diabetes", "pigs", "munin")


def measure() -> Iterator[Row | Skip]:
    """One row per cache."""
    return for_each_cache(NAMES, compared)


def compared(name: str, cache: ParentSetCache) -> Iterator[Row | Skip]:
    """Both searches on a cache."""
    if not has_reference():
        yield Skip(f"{name}: TREEBOUND_REFERENCE is not set.")
        return
    result, cpu = checked(cache, None, OrderSearch(), Budget(seconds=SECONDS))
    theirs = reference_search(name, "WINASOBS", None, REFERENCE_SECONDS)
    if theirs is None:
        yield Skip(f"{name}: the reference found nothing in {REFERENCE_SECONDS} seconds.")
        return
    yield {
        "cache": name,
        "score": result.score,
        "cpu_s": cpu,
        "steps": result.steps,
        "treewidth": result.structure.treewidth,
        "reference_score": theirs.best,
        "reference_cpu_s": theirs.cpu_s,
        "reference_orders": theirs.constructions,
        # The reference prints three decimals.
        "gain": round(result.score - theirs.best, 2),
    }

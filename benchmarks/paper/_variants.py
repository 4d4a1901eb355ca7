"""The best network without a bound on one variant of a small data set, by BIC and by the smoothed score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchmarks.paper._data import open_file
from benchmarks.paper._measure import Row
from benchmarks.paper._smoothed import smoothed_cache

from treebound import Budget, Exhaustive, Local, ParentSetCache, score
from treebound.solvers import Gobnilp, search

# With more states than this, the plain counting of the smoothed score would take hours.
MAX_STATES = 7


def measure(asked: Mapping[str, Any]) -> Iterator[Row]:
    """Two rows: exact BIC, then the smoothed score, each beside the printed figure."""
    data, parents = open_file(asked["file"]), asked["max_parents"]
    about = {**asked["row"], "variables": data.num_variables, "rows": data.num_rows, "max_parents": parents}
    caches: dict[str, Callable[[], ParentSetCache]] = {}
    caches["BIC"] = lambda: (
        score(data, parent_sets=Exhaustive(parents), budget=None, where=Local(threads=1)).cache
    )
    if max(data.schema.cardinalities) <= MAX_STATES:
        caches["smoothed"] = lambda: smoothed_cache(data, parents)
    for name, made in caches.items():
        found = search(
            made(), solver=Gobnilp(), budget=Budget(seconds=asked["seconds"], patience=None), threads=1
        )
        gap = None if found.gap is None else float(found.gap)
        yield {**about, "score_name": name, "score": found.score, "is_optimal": found.is_optimal, "gap": gap}

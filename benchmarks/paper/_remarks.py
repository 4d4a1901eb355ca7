"""Sentences of the report that count and compare, computed from a record: no figure is written by hand."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.paper._blocks import Block, Text
from benchmarks.paper._cells import shown
from benchmarks.paper._definitions import Experiment
from benchmarks.paper._measure import Row
from benchmarks.paper._record import Record
from benchmarks.paper._results import Results


def exact_beside(found: Results, k: int, method: str = "regrow", exact: str = "exact-ilp") -> list[Block]:
    """How far a method is from the solver that is given more time and can prove optima."""
    gaps = []
    for source in found.sources:
        ours, best = found.score(source, method, k), found.score(source, exact, k)
        if ours is not None and best is not None:
            gaps.append(100 * (best - ours) / abs(best))
    if not gaps:
        return []
    proved = sum(bool(run["is_optimal"]) for run in found.runs if run["method"] == exact)
    seconds = max(run["budget_seconds"] for run in found.runs if run["method"] == exact)
    words = (
        f"Given {seconds:g} s, {shown(exact)} proves the optimum on {proved} of {len(gaps)} data sets. "
        f"{shown(method)} is below what it finds by {max(max(gaps), 0):.2f} % at most."
    )
    return [Text(words)]


def densities_beside(mine: Sequence[tuple[float, Row]]) -> list[Block]:
    """How often the log-likelihood of a source is above that of each model that is known there."""
    names = {"chow_liu": "Chow-Liu trees", "strudel": "Strudel", "hclt": "HCLT"}
    parts = []
    for model, name in names.items():
        known = [(ours, theirs[model]) for ours, theirs in mine if model in theirs]
        if known:
            parts.append(f"{name} on {sum(ours > theirs for ours, theirs in known)} of {len(known)}")
    return [Text(f"Ours is above {', '.join(parts)} data sets.")] if parts else []


def inference_beside(experiment: Experiment, record: Record) -> list[Block]:
    """What the bound saves, in numbers."""
    rows = [row for row in record.rows[experiment.name] if "width" in row]
    unbounded = {row["source"]: row for row in rows if row["k"] is None}
    silent = [row for row in unbounded.values() if not row.get("answered")]
    bounds = sorted({row["k"] for row in rows if row["k"] is not None})
    if not unbounded or not bounds:
        return []
    words = [f"Of {len(unbounded)} networks without a limit {len(silent)} cannot be queried exactly."]
    widest = {row["source"]: row for row in rows if row["k"] == bounds[-1] and row.get("answered")}
    if both := [(row, widest[row["source"]]) for row in silent if row["source"] in widest]:
        cells = [row["cells"] for row, _ in both]
        better = sum(bounded["score"] > row["score"] for row, bounded in both)
        times = [1000 * bounded["marginals_s"] for _, bounded in both]
        limit = f"{experiment.query_memory_mb / 1024:g} GB hold {experiment.query_memory_mb * 2**17:.0e}"
        words += [
            f"Their junction trees have {min(cells):.0e} to {max(cells):.0e} cells, where {limit}.",
            f"With treewidth {bounds[-1]} the score is better on {better} of these {len(both)},",
            f"and all marginals take {min(times):.1f} to {max(times):.1f} ms.",
        ]
    middle = bounds[len(bounds) // 2]
    quick = {row["source"]: row for row in rows if row["k"] == middle and row.get("answered")}
    factors = [
        row["marginals_s"] / quick[source]["marginals_s"]
        for source, row in unbounded.items()
        if row.get("answered") and source in quick
    ]
    if factors:
        words += [
            "Where a network without a limit can be queried,",
            f"that takes {min(factors):.1f} to {max(factors):.0f} times as long as with treewidth {middle}.",
        ]
    return [Text(" ".join(words))]

"""All tables of the report, by experiment."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.paper._blocks import Block, Text
from benchmarks.paper._cells import shown
from benchmarks.paper._definitions import Experiment, load_methods
from benchmarks.paper._record import Record
from benchmarks.paper._tables_beyond import bounds, candidates, inference, published, slim, variants
from benchmarks.paper._tables_searches import inverted, large, small


def scoring(experiment: Experiment, record: Record) -> list[Block]:
    """The time of scoring, apart from that of the searches."""
    rows = record.scoring[experiment.name]
    if not rows:
        return []
    seconds, sets = sum(row["seconds"] for row in rows), sum(row["sets_scored"] for row in rows)
    how = ", ".join(f"`{name}`" for name in dict.fromkeys(row["parent_sets"] for row in rows))
    what = f"{len(rows)} tables, {seconds:,.1f} s in all, {sets:,} sets scored, {how}"
    if (count := experiment.scoring.sets_per_variable) is not None:
        what += f", {count:,} sets of two or more parents for each variable"
    words = "Scoring, by exact BIC, once for all methods and seeds and apart from the seconds of searches"
    able = [shown(label) for label in experiment.methods if load_methods()[label].scores_rows]
    beside = f" Families that are not in the cache are scored from the rows by {' and '.join(able)}."
    return [Text(f"{words}: {what}.{beside if able else ''}")]


TABLES: dict[str, Callable[[Experiment, Record], list[Block]]] = {
    "variants": variants,
    "small": small,
    "inverted": inverted,
    "candidates": candidates,
    "large": large,
    "very_large": large,
    "bounds": bounds,
    "published": published,
    "slim": slim,
    "inference": inference,
}

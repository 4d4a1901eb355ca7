"""Tables of searches: ours beside the figures of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.paper._blocks import Block, Table
from benchmarks.paper._cells import NONE, number, percent, shown
from benchmarks.paper._definitions import Experiment, load_methods
from benchmarks.paper._record import Record
from benchmarks.paper._remarks import exact_beside
from benchmarks.paper._results import Results, family


def small(experiment: Experiment, record: Record) -> list[Block]:
    """Medians beside the printed ones."""
    found = Results(record.runs[experiment.name])
    rows, beside = [], []
    (k,) = experiment.treewidths
    for source in experiment.sources:
        if source.name not in found.sources:
            continue
        scores = {m: found.score(source.name, m, None if m == "gobnilp" else k) for m in found.methods}
        best = max((s for m, s in scores.items() if s is not None and m != "gobnilp"), default=None)
        rows.append([source.name, *(_bold(scores[m], best, m) for m in found.methods)])
        printed = [source.printed.get(m) for m in ("gobnilp", "s2", "s2plus", "kg", "ka")]
        beside.append([source.name, *map(number, printed), _off(scores.get("gobnilp"), printed[0])])
    first = Table(["k = 4, ours", *map(shown, found.methods)], rows)
    header = [
        "k = 4, the paper",
        *map(shown, ("gobnilp", "s2", "s2plus", "kg", "ka")),
        "GOBNILP, ours off by %",
    ]
    return [first, *exact_beside(found, k), Table(header, beside), *steps_table(found)]


def _off(ours: float | None, theirs: float | None) -> str:
    """By how many percent of the printed score ours is above or below it."""
    return NONE if ours is None or theirs is None else f"{100 * (ours - theirs) / abs(theirs):+.2f}"


def _bold(score: float | None, best: float | None, method: str) -> str:
    is_best = score is not None and best is not None and abs(score - best) <= 1e-9 * abs(best)
    return f"**{number(score, 1)}**" if is_best and method != "gobnilp" else number(score, 1)


def steps_table(found: Results) -> list[Block]:
    """Constructions beside seconds: what a second is worth differs by machine and by program."""
    rows = []
    for method in found.bounded:
        runs = [run for run in found.runs if run["method"] == method and run["score"] is not None]
        seconds = sum(run["seconds"] for run in runs)
        steps = sum(run["steps"] for run in runs)
        rows.append(
            [
                shown(method),
                load_methods()[method].step,
                f"{len(runs)}",
                number(seconds, 1),
                number(steps),
                number(steps / max(seconds, 1e-9), 1),
                number(max((run["peak_memory_mb"] or 0.0 for run in runs), default=None)),
            ]
        )
    header = ["method", "a step is", "runs", "seconds in all", "steps in all", "steps per second", "peak MB"]
    return [Table(header, rows)]


def inverted(experiment: Experiment, record: Record) -> list[Block]:
    """Mean W-scores by n and by method."""
    found, rows = Results(record.runs[experiment.name]), []
    for source in experiment.sources:
        copies = [name for name in found.sources if family(name) == source.name]
        (k,) = source.treewidths or (0,)
        if copies:
            cells = [percent(mean([found.w(name, m, k) for name in copies]), 3) for m in found.bounded]
            rows.append(
                [f"k = {k}, n = {(source.inverted_tree or {})['variables']}", f"{len(copies)}", *cells]
            )
    return [Table(["mean W-score, %", "trees", *map(shown, found.bounded)], rows), *steps_table(found)]


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of those that are known."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def large(experiment: Experiment, record: Record) -> list[Block]:
    """Victories by treewidth beside the printed ones, and W-scores."""
    found = Results(record.runs[experiment.name])
    rows = []
    pairs = [tuple(pair.split(" > ")) for pair in experiment.victories]
    pairs += [("regrow", rival) for rival in found.bounded if rival != "regrow"]
    for method, rival in pairs:
        tests = [found.victories(method, rival, k) for k in found.bounds]
        cells = [f"**{t.wins}**" if t.is_significant else f"{t.wins}" for t in tests]
        of = " / ".join(f"{t.wins + t.losses + t.ties}" for t in tests)
        printed = " / ".join(map(str, experiment.victories.get(f"{method} > {rival}", ()))) or NONE
        rows.append([f"{shown(method)} over {shown(rival)}", " / ".join(cells), of, printed])
    bounds = "/".join(map(str, found.bounds))
    first = Table([f"victories, k = {bounds}", "ours", "of", "paper"], rows)
    return [first, w_table(found), *scores_table(found), *steps_table(found)]


def w_table(found: Results) -> Table:
    """The median W-score by method and bound."""
    rows = []
    for method in found.bounded:
        values = [found.w_scores(method, k) for k in found.bounds]
        rows.append([shown(method), *(percent(median(ws)) if ws else NONE for ws in values)])
    return Table(["median W-score, %", *(f"k = {k}" for k in found.bounds)], rows)


def scores_table(found: Results) -> list[Block]:
    """All scores at the middle bound."""
    k = found.bounds[len(found.bounds) // 2]
    unbounded = [m for m in found.methods if m not in found.bounded]
    rows = [
        [
            source,
            *(number(found.score(source, m, None)) for m in unbounded),
            *(number(found.score(source, m, k)) for m in found.bounded),
        ]
        for source in found.sources
    ]
    names = [f"{shown(m)}, no bound" for m in unbounded]
    return [Table([f"score, k = {k}", *names, *map(shown, found.bounded)], rows)]

"""Tables of searches: ours beside the figures of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.paper._blocks import Block, Table, Text
from benchmarks.paper._cells import NONE, number, percent, shown
from benchmarks.paper._definitions import Experiment, load_methods
from benchmarks.paper._measure import Row
from benchmarks.paper._record import Record
from benchmarks.paper._remarks import exact_beside
from benchmarks.paper._results import Results, family


def small(experiment: Experiment, record: Record) -> list[Block]:
    """Medians beside the printed ones."""
    found = Results(record.runs[experiment.name])
    rows, beside = [], []
    (k,), sizes = experiment.treewidths, record.sizes(experiment.name)
    for source in experiment.sources:
        if source.name not in found.sources:
            continue
        scores = {m: found.score(source.name, m, None if m == "gobnilp" else k) for m in found.methods}
        best = max((s for m, s in scores.items() if s is not None and m != "gobnilp"), default=None)
        cells = [_bold(scores[m], best, m) + _proved(found, source.name, m) for m in found.methods]
        rows.append([source.name, number(sizes.get(source.name)), *cells])
        printed = [source.printed.get(m) for m in ("gobnilp", "s2", "s2plus", "kg", "ka")]
        beside.append([source.name, *map(number, printed), _off(scores.get("gobnilp"), printed[0])])
    first = Table(["k = 4, ours", "n", *map(shown, found.methods)], rows)
    about = Text(
        "GOBNILP is our integer program, started from Regrow: \\* marks scores that it proved optimal."
    )
    header = [
        "k = 4, the paper",
        *map(shown, ("gobnilp", "s2", "s2plus", "kg", "ka")),
        "GOBNILP, ours off by %",
    ]
    return [about, first, *exact_beside(found, k), Table(header, beside), *steps_table(found)]


def _proved(found: Results, source: str, method: str) -> str:
    """A mark at the score of an exact solver that has its proof."""
    runs = found.runs_of(source, method, None) or []
    return " \\*" if runs and all(run["is_optimal"] for run in runs) else ""


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
        seconds, steps = sum(run["seconds"] for run in runs), sum(run["steps"] for run in runs)
        cells = [
            shown(method),
            load_methods()[method].step,
            f"{len(runs)}",
            number(seconds, 1),
            number(steps),
        ]
        cells += [number(steps / max(seconds, 1e-9), 1), *proofs(found, method, steps), ended(runs)]
        rows.append([*cells, number(max((run["peak_memory_mb"] or 0.0 for run in runs), default=None))])
    header = [
        "method",
        "a step is",
        "runs",
        "seconds in all",
        "steps in all",
        "steps per second",
        "proved, %",
    ]
    header += ["given up, %", "out of memory, %", "share of its constructions", "peak MB"]
    words = (
        "Proved: steps whose outcome is the best of their order or root; given up: steps abandoned since "
        "they could not beat the best. The last column but one is the median share that a run made of the "
        "constructions that it was allowed, and how many runs made all of them; the others ended by time."
    )
    return [Text(words), Table(header, rows)]


def proofs(found: Results, method: str, steps: int) -> list[str]:
    """Percent of the steps that were proved, given up, or out of memory."""
    names = ("num_proved", "num_skipped", "num_out_of_memory")
    counts = [found.count(method, name) for name in names]
    return [NONE if count is None else percent(count / max(steps, 1), 1) for count in counts]


def ended(runs: Sequence[Row]) -> str:
    """How much of the constructions that it was allowed a method made."""
    shares = [run["steps"] / run["budget_steps"] for run in runs if run.get("budget_steps")]
    if not shares:
        return NONE
    return f"{percent(median(shares), 1)} %, all in {sum(share >= 1 for share in shares)} of {len(shares)}"


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
    sizes = record.sizes(experiment.name)
    return [first, w_table(found), *scores_table(found, sizes), *steps_table(found)]


def w_table(found: Results) -> Table:
    """The median W-score by method and bound."""
    rows = []
    for method in found.bounded:
        values = [found.w_scores(method, k) for k in found.bounds]
        rows.append([shown(method), *(percent(median(ws)) if ws else NONE for ws in values)])
    return Table(["median W-score, %", *(f"k = {k}" for k in found.bounds)], rows)


def scores_table(found: Results, sizes: Mapping[str, int]) -> list[Block]:
    """All scores at the middle bound."""
    k = found.bounds[len(found.bounds) // 2]
    unbounded = [m for m in found.methods if m not in found.bounded]
    rows = [
        [
            source,
            number(sizes.get(source)),
            *(number(found.score(source, m, None)) for m in unbounded),
            *(number(found.score(source, m, k)) for m in found.bounded),
        ]
        for source in found.sources
    ]
    names = [f"{shown(m)}, no limit" for m in unbounded]
    return [Table([f"score, k = {k}", "n", *names, *map(shown, found.bounded)], rows)]

"""Tables of what is measured, and of what is beyond the paper, beside published figures."""

from __future__ import annotations

from benchmarks.paper._blocks import Block, Table, Text
from benchmarks.paper._cells import NONE, RULES, number, percent, shown
from benchmarks.paper._definitions import Experiment
from benchmarks.paper._measure import Row
from benchmarks.paper._record import Record
from benchmarks.paper._remarks import densities_beside, inference_beside
from benchmarks.paper._results import Results


def variants(experiment: Experiment, record: Record) -> list[Block]:
    """Every variant under both scores, and how far it is from the printed figure."""
    rows = []
    for row in record.rows[experiment.name]:
        if "score" not in row:
            continue
        off = (row["score"] - row["printed"]) / abs(row["printed"])
        proof = (
            "proved"
            if row["is_optimal"]
            else f"within {percent(row['gap'], 1)} %"
            if row["gap"] is not None
            else ""
        )
        cells = [row["variant"], f"{row['variables']}", number(row["rows"]), row["score_name"]]
        mark = "**" if abs(row["score"] - row["printed"]) < 1 else ""
        ours = f"{mark}{number(row['score'], 1)}{mark}"
        rows.append([*cells, ours, proof, number(row["printed"]), f"{100 * off:+.2f}"])
    header = ["file", "n", "rows", "score", "best without a limit", "optimum", "paper, GOBNILP", "off by %"]
    return [Table(header, rows)]


def candidates(experiment: Experiment, record: Record) -> list[Block]:
    """Iterations, median and maximum beside the printed ones."""
    rows = []
    for row in record.rows[experiment.name]:
        if "iterations" in row:
            ours = [number(row[name]) for name in ("iterations", "median", "maximum")]
            drawn = row.get("drawn", row["iterations"])
            if drawn > row["iterations"]:
                ours[0] += f" of {number(drawn)}"
            place = f"{row['source']}, k = {row['k']}"
            theirs = row["printed"][0] / row.get("printed_seconds", experiment.seconds)
            times = number(drawn / max(row["seconds"], 1e-9) / theirs, 1)
            cells = [place, shown(row["method"]), number(row["seconds"], 1), *ours]
            done = [row.get(name) for name in ("num_proved", "num_skipped", "num_out_of_memory")]
            rows.append([*cells, *map(number, done), *map(number, row["printed"]), times])
    header = [
        "data",
        "method",
        "seconds",
        "iterations",
        "median",
        "maximum",
        "proved",
        "given up",
        "out of memory",
        "paper: iterations",
        "median",
        "maximum",
        "speed, times the paper's",
    ]
    words = (
        "Iterations of S2 are k-trees that were accepted and solved, of so many drawn. The paper's are "
        "likely those drawn, since it says that S2 samples almost a million. Speeds are of what was drawn, "
        "per second."
    )
    return [Text(words), Table(header, rows)]


def bounds(experiment: Experiment, record: Record) -> list[Block]:
    """Per cent of all sets that are never scored, by rule."""
    by_source: dict[str, dict[str, Row]] = {}
    for row in record.rows[experiment.name]:
        if "rules" in row:
            by_source.setdefault(row["source"], {})[row["rules"]] = row
    rules = (*experiment.rules, "all")
    rows = []
    for source, found in by_source.items():
        about = found.pop("lemma2", {})
        every = found.get("all") or next(iter(found.values()))
        cells = [percent(found[rule]["removed"], 1) if rule in found else NONE for rule in rules]
        kept = percent(every["kept"] / every["total_sets"], 1)
        same = "yes" if all(row["same_best"] for row in found.values()) else "no"
        rows.append(
            [
                source,
                f"{every['variables']}",
                number(every["total_sets"]),
                *cells,
                kept,
                percent(every["saved"], 0),
                same,
                percent(about.get("share"), 1),
                percent(about.get("lower"), 0),
                number(about.get("most_parents")),
            ]
        )
    words = (
        "Percent of all sets that a rule alone, and all rules together, leave unscored, and that are kept; "
        "percent of the time without rules that all rules save (below zero: cost); how much of the gain in "
        "log-likelihood that Lemma 2 allows there is in random sets, the median in percent; in how many "
        "percent of random sets its bound is below that of de Campos and Ji; and how many binary parents "
        "Corollary 1 allows."
    )
    names = [RULES.get(rule, rule) for rule in rules]
    header = ["data", "n", "sets", *names, "kept", "time saved", "same best", "Lemma 2", "below", "parents"]
    return [Text(words), Table(header, rows)]


def published(experiment: Experiment, record: Record) -> list[Block]:
    """Scores beside hc-ET and k-MAX, and log-likelihoods beside density models."""
    found, rows = Results(record.runs[experiment.name]), []
    for source in experiment.sources:
        for place, k in enumerate(found.bounds):
            ours = found.score(source.name, "regrow", k)
            if ours is None:
                continue
            theirs = [source.printed[m][place] for m in ("hc-et", "kmax", "kg")]
            gains = [f"{100 * (ours - score) / abs(score):+.2f}" for score in theirs]
            rows.append([f"{source.name}, k = {k}", number(ours), *map(number, theirs), gains[0], gains[1]])
    header = ["train split", "Regrow", "hc-ET", "k-MAX", "k-G", "gain on hc-ET, %", "gain on k-MAX, %"]
    return [Table(header, rows), *densities(experiment, record)]


def densities(experiment: Experiment, record: Record) -> list[Block]:
    """The bound is chosen on valid; test is looked at once."""
    models = ("chow_liu", "strudel", "hclt", "learnspn_unverified", "id_spn_unverified")
    rows, beside = [], []
    for source in experiment.sources:
        mine = [
            row for row in record.rows[experiment.name] if row.get("source") == source.name and "test" in row
        ]
        if mine:
            best = max(mine, key=lambda row: row["valid"])
            theirs = [number((source.density or {}).get(model), 2) for model in models]
            rows.append([source.name, f"{best['k']}", f"**{best['test']:.2f}**", *theirs])
            beside.append((best["test"], dict(source.density or {})))
    words = (
        "Mean log-likelihood of test rows, in nats; the bound is chosen on valid. Columns marked \\* are "
        "quoted second-hand."
    )
    header = ["data", "k", "ours", "Chow-Liu tree", "Strudel", "HCLT", "LearnSPN \\*", "ID-SPN \\*"]
    return [Text(words), Table(header, rows), *densities_beside(beside)] if rows else []


def slim(experiment: Experiment, record: Record) -> list[Block]:
    """Scores beside BN-SLIM."""
    found, rows = Results(record.runs[experiment.name]), []
    for source in experiment.sources:
        for run in found.runs:
            if run["source"] == source.name and run["score"] is not None:
                theirs = source.printed["bn-slim"]
                gain = f"{100 * (run['score'] - theirs) / abs(theirs):+.2f}"
                rows.append(
                    [source.name, number(run["seconds"], 1), number(run["score"]), number(theirs), gain]
                )
    return [Table(["cache", "seconds", "Regrow", "BN-SLIM, 5,400 s", "gain, %"], rows)]


def inference(experiment: Experiment, record: Record) -> list[Block]:
    """Both networks of each table side by side."""
    rows = []
    for source in experiment.sources:
        for row in record.rows[experiment.name]:
            if row.get("source") == source.name and "width" in row:
                rows.append(_inference_row(row))
    header = ["data", "limit", "score", "width", "cells", "all marginals, ms", "memory, MB"]
    return [*inference_beside(experiment, record), Table(header, rows)]


def _inference_row(row: Row) -> list[str]:
    answer = f"{1000 * row['marginals_s']:.2f}" if row.get("answered") else f"**none: {row['status']}**"
    memory = number(row.get("peak_mb"), 1)
    cells = f"{row['cells']:.2g}" if row["cells"] >= 1e6 else number(row["cells"])
    bound = "none" if row["k"] is None else f"{row['k']}"
    return [row["source"], bound, number(row["score"]), f"{row['width']}", cells, answer, memory]

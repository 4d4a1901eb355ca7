"""The report of a record: docs/benchmarks/paper.md with its figures, and the same as one page of HTML."""

from __future__ import annotations

from pathlib import Path

from benchmarks.paper._blocks import Block, Heading, Picture, Text, as_html, as_markdown
from benchmarks.paper._definitions import Experiment, load_experiments
from benchmarks.paper._figures import save_figures
from benchmarks.paper._findings import findings
from benchmarks.paper._plan import share_of
from benchmarks.paper._record import Record
from benchmarks.paper._tables import TABLES, scoring

from treebound._files import atomic_write

TITLE = "The paper's experiments, rerun"
ABOUT = """\
The experiments of Scanagatta, Corani, de Campos and Zaffalon, "Learning Treewidth-Bounded Bayesian Networks
with Thousands of Variables" (NIPS 2016), rerun with our own implementations of its methods. The findings
come first, then the figures and tables of each experiment. This page is generated from one record."""


def write_report(record: Record, path: Path, docs: Path, html: Path) -> list[Path]:
    """Write the page and its figures into the folder of the pages, and the page as HTML."""
    blocks = [*introduction(record, path), *findings(record)]
    for experiment in load_experiments(tuple(record.runs)):
        blocks += section(experiment, record, docs / "figures")
    whole = as_html(blocks, TITLE, docs / "figures")
    pages = (docs / "benchmarks" / "paper.md", as_markdown(blocks)), (html, whole)
    return [_save(place, text) for place, text in pages]


def introduction(record: Record, path: Path) -> list[Block]:
    """What was run, when and where."""
    about, machine = record.about, record.about["machine"]
    repeats = "all seeds, copies and splits of the paper"
    if about["repeats"] is not None:
        repeats = f"at most {about['repeats']} of the paper's seeds, copies and splits"
    counts = sum(len(runs) for runs in record.runs.values())
    failed = sum(run["status"] != "ok" for runs in record.runs.values() for run in runs)
    others = {(name, row["name"]) for name, rows in record.rows.items() for row in rows}
    lost = sum(len(failures(name, record)) for name in record.runs) - failed
    commits = ", ".join(sorted({maker["commit"] for maker in about["made_by"] if "commit" in maker}))
    ends = "Searches end when their time is up."
    if "share" in about:
        ends = (
            f"Methods of the paper end when they have made {100 * about['share']:g} % of the constructions "
            "that the paper reports for them (more where a section says so), or when their time is up. A "
            "claim about two methods is not tested where the loser had time for less than half of the share "
            "that the winner made."
        )
    plural = "" if machine["cores"] == 1 else "s"
    skipped = [reason.split(":")[0] for reasons in record.skipped.values() for reason in reasons]
    facts = [
        f"- Record `benchmarks/records/{path.name}`, made by `{about['command']}`, which resumes after an "
        "interruption. `TREEBOUND_DATA` names the folder of data sets.",
        f"- Page made by `python -m benchmarks.paper report benchmarks/records/{path.name}`.",
        f"- Scale {about['scale']:g}: an hour of the paper is {3600 * about['scale']:g} s here, ten minutes "
        f"are {600 * about['scale']:g} s; {repeats}.",
        f"- {ends}",
        f"- Data sets that were not available: {', '.join(dict.fromkeys(skipped)) or 'none'}.",
        f"- {counts:,} searches, of which {failed} failed, and {len(others):,} other measurements, of which "
        f"{lost} failed; every structure was checked.",
        f"- {about['date'][:10]}, {machine['cpu']}, {machine['cores']} core{plural}, load "
        f"{machine['load_average'][-1]:g} at the end; searches by commit {commits or about['commit']}.",
    ]
    return [Heading(TITLE, 1), Text(ABOUT), Text("\n".join(facts))]


def section(experiment: Experiment, record: Record, figures: Path) -> list[Block]:
    """One experiment: question, expectation, figures, tables, failures."""
    place = f"In the paper: {experiment.paper}." if experiment.is_in_paper else f"Beside: {experiment.paper}."
    words = f"**{experiment.question}** Expected: {experiment.expected} {place}"
    blocks: list[Block] = [Heading(experiment.title), Text(words.replace("k-A*", "k-A\\*"))]
    if skipped := record.skipped[experiment.name]:
        names = ", ".join(reason.split(":")[0] for reason in skipped)
        blocks.append(Text(f"Skipped, since TREEBOUND_DATA does not hold them: {names}."))
    blocks += [*budget(experiment, record), *scoring(experiment, record)]
    blocks += [Picture(name, caption) for name, caption in save_figures(experiment, record, figures)]
    blocks += TABLES[experiment.name](experiment, record)
    lines = failures(experiment.name, record)
    return [*blocks, Text("Failures:"), Text("\n".join(lines))] if lines else blocks


def budget(experiment: Experiment, record: Record) -> list[Block]:
    """What ends a search of a method of the paper, where the paper counts its constructions."""
    runs = [run for run in record.runs[experiment.name] if run.get("budget_steps")]
    if not runs or "share" not in record.about:
        return []
    share, seconds = share_of(experiment, record.about["share"]), max(run["budget_seconds"] for run in runs)
    words = f"A run of a method of the paper ends at {100 * share:g} % of the paper's constructions or after"
    return [Text(f"{words} {seconds:g} s.")]


def failures(name: str, record: Record) -> list[str]:
    """What ended without a result. That a network is too large to be asked is a result of its experiment."""
    runs = [
        (f"{run['source']}, {run['method']}, k = {run['k']}", run)
        for run in record.runs[name]
        if run["status"] != "ok"
    ]
    rows = {row["name"]: row for row in record.rows[name] if row["status"] != "ok" and "width" not in row}
    return [f"- {place}: {row['status']}, {_line(row['message'])}" for place, row in (*runs, *rows.items())]


def _line(message: str | None) -> str:
    """The last line of a message: of a traceback, that with the error."""
    return (message or "no message").strip().splitlines()[-1]


def _save(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(text.encode())
    return path

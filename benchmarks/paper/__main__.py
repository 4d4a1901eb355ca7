"""Reruns the experiments of the paper and builds the report.

    python -m benchmarks.paper list
    python -m benchmarks.paper plan --scale 0.001
    python -m benchmarks.paper run --scale 0.001 --repeats 1 --out FOLDER
    python -m benchmarks.paper run --only small,inverted --scale 1 --out FOLDER
    python -m benchmarks.paper report benchmarks/records/DATE-paper.json

`run` goes on where it was after a kill. A method of the paper ends when it has made its share of the
constructions that the paper reports for it (`--share`), or when its time is up; the record says which. Data
sets are looked for in the folder that TREEBOUND_DATA names; missing ones are skipped and named. `--scale 1`
is the paper's own time; `--repeats 1` takes one seed, one copy and one split of each where the paper has
ten, five and three.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.paper._costs import cost_of, table_of
from benchmarks.paper._definitions import ORDER, Experiment, load_experiments
from benchmarks.paper._plan import Settings
from benchmarks.paper._record import load_record, save_record
from benchmarks.paper._run import Outcome, run_experiment

DOCS = Path(__file__).parents[2] / "docs"


def main(words: list[str] | None = None) -> int:
    """Do what was asked for; 130 after Ctrl-C."""
    arguments = parser().parse_args(words)
    if arguments.verb == "list":
        for experiment in load_experiments():
            print(f"{experiment.name}: {experiment.title} ({experiment.paper})\n  {experiment.question}")
        return 0
    if arguments.verb == "plan":
        settings = settings_of(arguments)
        print("\n".join(table_of([cost_of(one, settings) for one in load_experiments(arguments.only)])))
        return 0
    if arguments.verb == "report":
        from benchmarks.paper._report import write_report

        for path in write_report(
            load_record(arguments.record), arguments.record, arguments.docs, arguments.html
        ):
            print(path)
        return 0
    return run(arguments)


def run(arguments: argparse.Namespace) -> int:
    """Run the experiments, one after the other, and write the record when all are done."""
    settings = settings_of(arguments)
    try:
        outcomes = [run_one(experiment, settings) for experiment in load_experiments(arguments.only)]
    except KeyboardInterrupt:
        print("Interrupted: the same command goes on from here.")
        return 130
    print("record:", save_record(outcomes, settings, command_of(arguments), arguments.record))
    return 0


def command_of(arguments: argparse.Namespace) -> str:
    """The command for the record, without folders, which are of no use elsewhere."""
    words = [f"python -m benchmarks.paper run --scale {arguments.scale:g} --share {arguments.share:g}"]
    if arguments.only != ORDER:
        words.append(f"--only {','.join(arguments.only)}")
    words += [
        f"--{name} {value}" for name in ("repeats", "jobs", "memory") if (value := getattr(arguments, name))
    ]
    return " ".join(words)


def settings_of(arguments: argparse.Namespace) -> Settings:
    """What was asked for."""
    return Settings(
        arguments.scale,
        arguments.out,
        arguments.share,
        arguments.repeats,
        arguments.jobs,
        arguments.memory,
        arguments.retry,
    )


def run_one(experiment: Experiment, settings: Settings) -> Outcome:
    """Run one experiment, and tell what failed."""
    print(f"== {experiment.name}: {experiment.question}", flush=True)
    outcome = run_experiment(experiment, settings, lambda words: print(words, flush=True))
    for run in outcome.runs:
        if not run.is_ok:
            print(f"{run.status}: {run.spec.name}: {run.message}", flush=True)
    if not outcome.is_complete:
        raise KeyboardInterrupt
    return outcome


def parser() -> argparse.ArgumentParser:
    """The arguments of all verbs."""
    every = argparse.ArgumentParser(
        prog="python -m benchmarks.paper", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    verbs = every.add_subparsers(dest="verb", required=True)
    verbs.add_parser("list", help="show the experiments")
    plan = verbs.add_parser("plan", help="tell the runs and the seconds of each experiment, and run none")
    run = verbs.add_parser("run", help="do what is missing, and write a record")
    for verb in (plan, run):
        add_settings(verb)
    run.add_argument("--record", type=Path, help="file or folder of the record (default: benchmarks/records)")
    report = verbs.add_parser(
        "report", help="build docs/benchmarks/paper.md, its figures and a page of HTML from a record"
    )
    report.add_argument("record", type=Path)
    report.add_argument(
        "--docs", type=Path, default=DOCS, help="folder of benchmarks/ and figures/ (default: docs)"
    )
    report.add_argument(
        "--html", type=Path, default=Path("paper-runs/report.html"), help="one page with everything"
    )
    return every


def add_settings(verb: argparse.ArgumentParser) -> None:
    """What is to be run, and how."""
    verb.add_argument("--only", type=experiments, default=ORDER, help=f"some of {','.join(ORDER)}")
    verb.add_argument("--scale", type=positive, default=0.001, help="of the paper's time (default: 0.001)")
    verb.add_argument(
        "--share", type=positive, default=1.0, help="of the paper's constructions, at most (default: 1)"
    )
    verb.add_argument(
        "--repeats", type=whole, help="seeds, copies and splits at most (default: as in the paper)"
    )
    verb.add_argument(
        "--out", type=Path, default=Path("paper-runs"), help="folder of all runs (default: paper-runs)"
    )
    verb.add_argument("--jobs", type=int, help="runs at once (default: as many as there are cores)")
    verb.add_argument("--memory", type=int, help="megabytes for each run (default: its share of the machine)")
    verb.add_argument("--retry", action="store_true", help="repeat what failed")


def experiments(words: str) -> tuple[str, ...]:
    """Names of experiments, with commas."""
    names = tuple(words.split(","))
    if unknown := set(names) - set(ORDER):
        raise argparse.ArgumentTypeError(
            f"expected some of {','.join(ORDER)}, got {','.join(sorted(unknown))}"
        )
    return names


def whole(word: str) -> int:
    """A whole number from 1 on."""
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got {word}")
    return int(word)


def positive(word: str) -> float:
    """A number above zero."""
    number = float(word)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {word}")
    return number


if __name__ == "__main__":
    sys.exit(main())

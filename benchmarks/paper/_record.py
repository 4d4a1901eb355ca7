"""The record of a run of the experiments: one JSON file, dated, with one row per run.

The columns of all runs are named once. What is the same for many runs, by which version and where, stands in
a list of its own, to which rows refer. Of each trace a few points are kept, enough for a curve.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._machine import commit, machine
from benchmarks.paper._measure import Row
from benchmarks.paper._plan import Settings
from benchmarks.paper._run import Outcome

from treebound._files import atomic_write
from treebound.experiments import RunRecord

RECORDS = Path(__file__).parents[1] / "records"
PACKAGES = ("treebound", "numpy", "pyscipopt")
NUM_POINTS = 12
COLUMNS = (
    *("source", "method", "k", "seed", "budget_seconds", "status", "score", "treewidth", "num_arcs", "steps"),
    *("seconds", "stopped", "bound", "is_optimal", "peak_memory_mb", "made_by", "message", "trace"),
    *("budget_steps", "statistics"),
)


@dataclass(frozen=True)
class Record:
    """What a record file holds, by experiment."""

    about: Row
    runs: dict[str, list[Row]]
    scoring: dict[str, list[Row]]
    rows: dict[str, list[Row]]
    skipped: dict[str, list[str]]

    def sizes(self, experiment: str) -> dict[str, int]:
        """How many variables each table that was scored has."""
        known = (row for row in self.scoring[experiment] if "variables" in row)
        return {row["source"]: row["variables"] for row in known}

    @property
    def name(self) -> str:
        """The date by which the record is called."""
        return str(self.about["date"])


def save_record(
    outcomes: Sequence[Outcome], settings: Settings, command: str, path: Path | None = None
) -> Path:
    """Write the record: to a path, or into a folder, benchmarks/records unless another is given."""
    now = datetime.datetime.now(datetime.UTC)
    makers: list[Row] = []
    plain = {
        "benchmark": "paper",
        "date": now.isoformat(timespec="seconds"),
        "command": command,
        "scale": settings.scale,
        "share": settings.share,
        "repeats": settings.repeats,
        "commit": commit(),
        "machine": machine(),
        "versions": {name: _version(name) for name in PACKAGES},
        "columns": COLUMNS,
        "experiments": {outcome.experiment.name: _plain(outcome, makers) for outcome in outcomes},
        "made_by": makers,
    }
    path = path or RECORDS
    if path.is_dir():
        path /= f"{now:%Y-%m-%dT%H%M}-paper.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(_without_folders(_spelled(plain), settings.out).encode())
    return path


def _without_folders(text: str, out: Path) -> str:
    """Messages may name files; where these were is of no use elsewhere."""
    for folder in (str(out), os.environ.get("TREEBOUND_DATA", "")):
        if os.path.isabs(folder):
            text = text.replace(json.dumps(folder.rstrip("/"))[1:-1] + "/", "")
    return text


def load_record(path: Path) -> Record:
    """Read a record."""
    try:
        plain = json.loads(path.read_text("utf-8"))
        parts, columns = plain.pop("experiments"), plain.pop("columns")
        runs = {
            name: [dict(zip(columns, run, strict=True)) for run in part["runs"]]
            for name, part in parts.items()
        }
        others = ({name: part[key] for name, part in parts.items()} for key in ("scoring", "rows", "skipped"))
        return Record(plain, runs, *others)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}: expected a record of `python -m benchmarks.paper run` ({error!r})."
        ) from error


def _plain(outcome: Outcome, makers: list[Row]) -> Row:
    return {
        "skipped": list(outcome.skipped),
        "scoring": list(outcome.scoring),
        "runs": [list(_values(run, makers)) for run in outcome.runs],
        "rows": list(outcome.rows),
    }


def _values(run: RunRecord, makers: list[Row]) -> Iterable[Any]:
    made_by = dict(run.made_by)
    if made_by not in makers:
        makers.append(made_by)
    asked: Row = {
        "source": run.spec.source,
        "method": run.spec.label,
        "k": run.spec.max_treewidth,
        "seed": run.spec.seed,
    }
    asked |= {"budget_seconds": run.spec.budget.seconds, "made_by": makers.index(made_by)}
    asked |= {"budget_steps": run.spec.budget.steps, "statistics": dict(run.statistics)}
    values = {**asked, **run.figures(), "trace": few_points(run)}
    return (_short(values[column]) for column in COLUMNS)


def few_points(run: RunRecord) -> list[list[float]]:
    """Seconds and score of about a dozen improvements, the first and the last among them."""
    trace = run.trace
    chosen = (
        sorted({round(i * (len(trace) - 1) / (NUM_POINTS - 1)) for i in range(NUM_POINTS)}) if trace else []
    )
    return [[round(trace[i].seconds, 4), round(trace[i].score, 3)] for i in chosen]


def _short(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _spelled(plain: Row) -> str:
    """JSON with a line per run, so that two records can be compared."""
    parts = plain.pop("experiments")
    head = json.dumps(plain, indent=1)[:-2]
    bodies = [
        f"  {json.dumps(name)}: {{\n   "
        + ",\n   ".join(
            f"{json.dumps(key)}: [" + ",".join(f"\n    {json.dumps(v)}" for v in values) + "]"
            for key, values in part.items()
        )
        + "}"
        for name, part in parts.items()
    ]
    return head + ',\n "experiments": {\n' + ",\n".join(bodies) + "}\n}\n"

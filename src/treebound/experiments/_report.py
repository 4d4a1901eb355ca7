"""A comparison on disk: tables as CSV, everything as one JSON file, and figures."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from treebound._arguments import check_type
from treebound._files import atomic_write
from treebound._json import Json
from treebound.experiments._figures import save_figures
from treebound.experiments._records import RunRecord
from treebound.experiments._result import ComparisonResult, Summary, Victories, WScore

_EVERYTHING = "comparison.json"


def save_comparison(
    result: ComparisonResult, folder: str | os.PathLike[str], *, figures: bool = True
) -> list[Path]:
    """Write tables and figures about a comparison.

    ``runs.csv`` has a row per run, ``table.csv``, ``w_scores.csv`` and ``victories.csv`` what the methods of
    the result return, and ``comparison.json`` everything with all traces.

    Parameters
    ----------
    result : ComparisonResult
        The comparison.
    folder : str or path-like
        Where to write.
    figures : bool
        Whether to draw figures, which needs matplotlib.

    Returns
    -------
    list of pathlib.Path
        The files.
    """
    check_type("result", result, ComparisonResult, "a ComparisonResult, such as compare(...)")
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    columns = result.to_dict()
    tables: dict[str, tuple[Sequence[str], Iterable[Sequence[Json]]]] = {
        "runs": (list(columns), zip(*columns.values(), strict=True)),
        "table": (Summary._fields, result.table()),
        "w_scores": (WScore._fields, result.w_scores()),
        "victories": (Victories._fields, result.victories()),
    }
    paths = [_save_csv(target / f"{name}.csv", *table) for name, table in tables.items()]
    paths.append(_save(target / _EVERYTHING, json.dumps(_plain(result), allow_nan=False)))
    return paths + (save_figures(result, target) if figures else [])


def load_comparison(path: str | os.PathLike[str]) -> ComparisonResult:
    """Read a comparison.

    Parameters
    ----------
    path : str or path-like
        The folder that :func:`treebound.experiments.save_comparison` wrote, or its ``comparison.json``.

    Returns
    -------
    ComparisonResult
    """
    file = Path(path)
    if file.is_dir():
        file /= _EVERYTHING
    try:
        plain = json.loads(file.read_text("utf-8"))
        runs = tuple(RunRecord.from_json(run) for run in plain["runs"])
        return ComparisonResult(
            runs, plain["given_unbounded"], tuple(plain["notes"]), plain["was_interrupted"]
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{file}: expected a comparison as `treebound compare` writes it ({error})."
        ) from error


def _plain(result: ComparisonResult) -> dict[str, Json]:
    return {
        "unbounded_scores": dict(result.unbounded_scores),
        "given_unbounded": dict(result.given_unbounded),
        "notes": list(result.notes),
        "was_interrupted": result.was_interrupted,
        "table": [row._asdict() for row in result.table()],
        "w_scores": [row._asdict() for row in result.w_scores()],
        "victories": [row._asdict() for row in result.victories()],
        "runs": [run.to_json() for run in result.runs],
    }


def _save_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Json]]) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return _save(path, text.getvalue())


def _save(path: Path, text: str) -> Path:
    with atomic_write(path) as file:
        file.write(text.encode())
    return path

"""What is measured beside searches, each in a process of its own with limits on memory and time.

A measurement is a kind and plain arguments, and leaves rows. It is done unless its file is there; what goes
wrong is its record. They come one after the other, since most of them measure time.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treebound._files import atomic_write
from treebound.experiments._store import Store

Row = dict[str, Any]
_MAX_WORDS = 500


@dataclass(frozen=True)
class Measurement:
    """What is to be measured, and within which limits."""

    name: str
    kind: str
    arguments: Mapping[str, Any]
    seconds: float
    memory_mb: int

    def to_json(self) -> Row:
        """Everything about it as plain data."""
        plain: Row = json.loads(json.dumps(dataclasses.asdict(self)))
        return plain


def measured(asked: Measurement, folder: Path, retry: bool = False) -> list[Row]:
    """The rows of a measurement, which is done if they are not there; one row with a message if it failed."""
    store, path = Store(folder), folder / "measurements" / f"{asked.name}.json"
    known = store.read(path)
    if known is not None and not (retry and known["status"] != "ok"):
        store.refuse_changes(f"the measurement {asked.name}", known["asked"], asked.to_json())
        return _rows(known)
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {"asked": asked.to_json(), **_outcome(asked, path.with_suffix(".part"))}
    store.write(path, found)
    return _rows(found)


def _rows(found: Mapping[str, Any]) -> list[Row]:
    """All rows, each with how it went and by which commit."""
    rows = found["rows"] or [found["asked"]["arguments"].get("row", {})]
    about = {"status": found["status"], "message": found["message"], "commit": found["commit"]}
    return [{"name": found["asked"]["name"], **row, **about} for row in rows]


def _outcome(asked: Measurement, path: Path) -> Row:
    """Do it, and say how it went."""
    path.unlink(missing_ok=True)
    words = [sys.executable, "-m", "benchmarks.paper._child", json.dumps(asked.to_json()), str(path)]
    about: Row = {"commit": os.environ.get("TREEBOUND_COMMIT", ""), "message": None, "rows": []}
    try:
        ended = subprocess.run(
            words, capture_output=True, text=True, timeout=asked.seconds, cwd=Path(__file__).parents[2]
        )
    except subprocess.TimeoutExpired:
        rows = json.loads(path.read_text())["rows"] if path.exists() else []
        path.unlink(missing_ok=True)
        return {**about, "status": "overtime", "message": f"no answer in {asked.seconds:g} s", "rows": rows}
    found: Row = json.loads(path.read_text()) if path.exists() else {"status": "unfinished"}
    path.unlink(missing_ok=True)
    if found["status"] == "unfinished":
        is_killed = ended.returncode == -signal.SIGKILL
        found |= {
            "status": "memory" if is_killed else "failed",
            "message": ended.stderr.strip()[-_MAX_WORDS:],
        }
    return {**about, **found}


def keep(path: Path, status: str, rows: list[Row], message: str | None = None) -> None:
    """Write what a child has found so far."""
    with atomic_write(path) as file:
        file.write(json.dumps({"status": status, "rows": rows, "message": message}).encode())

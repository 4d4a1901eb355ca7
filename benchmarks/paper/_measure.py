"""What is measured beside searches, each in a process of its own with limits on memory and time.

A measurement is a kind and plain arguments, and leaves rows. It is done unless its file is there; what goes
wrong is its record.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from treebound._files import atomic_write
from treebound.experiments import COMMIT_VARIABLE, Store

Row = dict[str, Any]
Say = Callable[[str], None]
_MAX_WORDS = 500
_TICK_SECONDS = 0.02


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


def measure_all(
    asked: Sequence[Measurement], folder: Path, *, jobs: int = 1, retry: bool = False, say: Say = print
) -> list[Row]:
    """The rows of all measurements; those that are not there are done, so many at once.

    A measurement that failed is one row with a message. Whatever ends this ends those under way, which then
    leave nothing.
    """
    waiting = deque(one for one in asked if _known(one, folder, retry) is None)
    running: list[_Child] = []
    done = len(asked) - len(waiting)
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(_Child(waiting.popleft(), folder))
            time.sleep(_TICK_SECONDS)
            for child in [child for child in running if child.has_ended()]:
                running.remove(child)
                done += 1
                say(f"  {done}/{len(asked)} {child.asked.name}: {child.keep()}")
    finally:
        for child in running:
            child.kill()
    return [row for one in asked for row in _rows(_known(one, folder) or {})]


def _path(asked: Measurement, folder: Path) -> Path:
    return folder / "measurements" / f"{asked.name}.json"


def _known(asked: Measurement, folder: Path, retry: bool = False) -> Row | None:
    """What is there already, unless it failed and is to be repeated."""
    store = Store(folder)
    known = store.read(_path(asked, folder))
    if known is None or (retry and known["status"] != "ok"):
        return None
    store.reject_changes(f"the measurement {asked.name}", known["asked"], asked.to_json())
    return known


def _rows(found: Row) -> list[Row]:
    """All rows, each with how it went and by which commit."""
    rows = found["rows"] or [found["asked"]["arguments"].get("row", {})]
    about = {"status": found["status"], "message": found["message"], "commit": found["commit"]}
    return [{"name": found["asked"]["name"], **row, **about} for row in rows]


class _Child:
    """A measurement under way."""

    def __init__(self, asked: Measurement, folder: Path) -> None:
        self.asked, self._store = asked, Store(folder)
        self._path = _path(asked, folder)
        self._part = self._path.with_suffix(".part")
        self._part.parent.mkdir(parents=True, exist_ok=True)
        self._part.unlink(missing_ok=True)
        self._deadline = time.monotonic() + asked.seconds
        self._is_late = False
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        words = ["-m", "benchmarks.paper._child", json.dumps(asked.to_json()), str(self._part.absolute())]
        # A session of its own keeps Ctrl-C of the terminal away; the pipe ends the child if we are killed.
        self._process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,
            cwd=Path(__file__).parents[2],
        )

    def has_ended(self) -> bool:
        """Whether it has, by itself or because its time is up."""
        self._is_late = self._process.poll() is None and time.monotonic() > self._deadline
        if self._is_late:
            self._process.kill()
            self._process.wait()
        return self._process.poll() is not None

    def keep(self) -> str:
        """Write the file of the measurement, and say how it went."""
        about: Row = {"commit": os.environ.get(COMMIT_VARIABLE, ""), "message": None, "rows": []}
        found = {**about, **self._outcome()}
        self._store.write(self._path, {"asked": self.asked.to_json(), **found})
        self._close()
        return str(found["status"])

    def _outcome(self) -> Row:
        found: Row = json.loads(self._part.read_text()) if self._part.exists() else {"status": "unfinished"}
        if self._is_late:
            return {**found, "status": "overtime", "message": f"no answer in {self.asked.seconds:g} s"}
        if found["status"] != "unfinished":
            return found
        is_killed = self._process.returncode == -signal.SIGKILL
        self._errors.seek(0)
        told = self._errors.read().decode(errors="replace").strip()[-_MAX_WORDS:]
        return {**found, "status": "memory" if is_killed else "failed", "message": told}

    def kill(self) -> None:
        """End it, which leaves nothing."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._part.unlink(missing_ok=True)
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._errors.close()


def keep(path: Path, status: str, rows: list[Row], message: str | None = None) -> None:
    """Write what a child has found so far."""
    with atomic_write(path) as file:
        file.write(json.dumps({"status": status, "rows": rows, "message": message}).encode())

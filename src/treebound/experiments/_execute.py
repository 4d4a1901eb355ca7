"""Runs in processes of their own, a given number at once, each recorded as soon as it ends.

Whatever happens to a run, an error, a crash, too much memory or no end, is its record, and the others go on.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Protocol

from treebound._budget import Budget
from treebound._progress import RUNS, Progress, ProgressCallback
from treebound.experiments._records import RunRecord, RunStatus
from treebound.experiments._runs import RunSpec
from treebound.experiments._store import Store

_TICK_SECONDS = 0.02
# Reading a large cache, checking and writing come on top of the time for the search.
_PATIENCE_SECONDS = 60.0
_PATIENCE_FACTOR = 2.0
_MAX_WORDS = 2000
# Libraries below numpy start as many threads as there are cores unless limited.
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Executor(Protocol):
    """Does runs and keeps their records in a store; says whether all were done."""

    def __call__(
        self,
        specs: Sequence[RunSpec],
        store: Store,
        *,
        jobs: int,
        memory_mb: int,
        progress: ProgressCallback | None = None,
    ) -> bool: ...


def execute_runs(
    specs: Sequence[RunSpec],
    store: Store,
    *,
    jobs: int,
    memory_mb: int,
    progress: ProgressCallback | None = None,
) -> bool:
    """Do these runs and keep their records; return whether all were done: Ctrl-C ends those under way."""
    waiting, running = deque(specs), list[_Child]()
    began, budget = time.monotonic(), _budget_of_all(specs, jobs)
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(_Child(waiting.popleft(), store, memory_mb))
            running = [child for child in running if not child.has_ended()]
            if progress is not None:
                done = len(specs) - len(waiting) - len(running)
                elapsed = time.monotonic() - began
                progress(Progress(RUNS, elapsed, 0, -math.inf, done, len(specs), budget))
            time.sleep(_TICK_SECONDS if running else 0)
    except KeyboardInterrupt:
        return False
    finally:
        for child in running:
            child.kill()
    return True


def _budget_of_all(specs: Sequence[RunSpec], jobs: int) -> Budget | None:
    """About how long all of them take, if they go by the clock."""
    seconds = [spec.budget.seconds for spec in specs]
    known = [value for value in seconds if value is not None]
    return Budget(seconds=sum(known) / jobs) if known and len(known) == len(seconds) else None


def _deadline_of(spec: RunSpec) -> float:
    """When patience with a run that begins now ends; never, if it does not go by the clock."""
    if spec.budget.seconds is None:
        return math.inf
    return time.monotonic() + _PATIENCE_FACTOR * spec.budget.seconds + _PATIENCE_SECONDS


class _Child:
    """A run under way."""

    def __init__(self, spec: RunSpec, store: Store, memory_mb: int) -> None:
        self._spec, self._store, self._deadline = spec, store, _deadline_of(spec)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        arguments = [str(store.folder), json.dumps(spec.to_json()), str(memory_mb)]
        # A session of its own keeps Ctrl-C of the terminal away; the pipe ends the child if we are killed.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "treebound.experiments._worker", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,
            env={**os.environ, **dict.fromkeys(_THREAD_VARIABLES, str(spec.threads))},
        )

    def has_ended(self) -> bool:
        """Whether there is a record, which is written here if the child could not."""
        is_late = self._process.poll() is None
        if is_late and time.monotonic() < self._deadline:
            return False
        self._process.kill()
        self._process.wait()
        if not self._store.record_path(self._spec).exists():
            self._store.keep(self._overtime() if is_late else self._failure())
        self._close()
        return True

    def kill(self) -> None:
        """End the child, which leaves no record."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._errors.close()

    def _overtime(self) -> RunRecord:
        after = f"{_PATIENCE_FACTOR:g} times its time and {_PATIENCE_SECONDS:g} s"
        return RunRecord(self._spec, RunStatus.OVERTIME, f"still at work {after} after its start")

    def _failure(self) -> RunRecord:
        code = self._process.returncode
        if code == -signal.SIGKILL:
            message = "ended by SIGKILL, as the system does when there is not enough memory"
            return RunRecord(self._spec, RunStatus.MEMORY, message)
        self._errors.seek(0)
        message = self._errors.read().decode(errors="replace").strip()[-_MAX_WORDS:]
        ended = f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return RunRecord(self._spec, RunStatus.FAILED, f"{ended}: {message}" if message else ended)

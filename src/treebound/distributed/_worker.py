"""What a worker process remembers between the tasks of a job, how it is stopped, and what it reports.

All of it can be lost at any moment: a task makes again what it does not find.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from treebound import _core
from treebound._phases import peak_memory_mb
from treebound._run import execute
from treebound.distributed._allocator import return_freed_memory

_Made = TypeVar("_Made")
_REPORT_SECONDS = 0.5
TOPIC = "treebound-progress"

_kept: dict[str, dict[Any, Any]] = {}  # by job
_stopped: set[str] = set()
_lock = threading.RLock()


def keep(job: str, name: Any, make: Callable[[], _Made], *, when: bool = True) -> _Made:
    """What the job remembers by that name, made now if it is not there; not kept unless ``when``."""
    with _lock:
        found = _kept.setdefault(job, {})
        if name in found:
            made: _Made = found[name]
            return made
        made = make()
        if when:
            found[name] = made
        return made


def put(job: str, name: Any, value: Any) -> None:
    """Remember something."""
    with _lock:
        _kept.setdefault(job, {})[name] = value


def take(job: str, name: Any) -> Any:
    """What the job remembers by that name, no more; None if it is not there."""
    with _lock:
        return _kept.get(job, {}).pop(name, None)


def forget(job: str) -> None:
    """The job is over."""
    with _lock:
        _kept.pop(job, None)
        _stopped.discard(job)
    return_freed_memory()


def stop(job: str) -> None:
    """End what is being done for a job, and what comes."""
    _stopped.add(job)


def is_stopped(job: str) -> bool:
    """Whether the job was stopped."""
    return job in _stopped


def work_on(job: str, part: int, run: _core.Run, work: Callable[[], _Made]) -> _Made:
    """Do work that polls its run, reporting its progress, until the job is stopped."""
    reported = 0.0

    def on_tick() -> None:
        nonlocal reported
        if is_stopped(job):
            run.request_stop()
        if time.monotonic() - reported > _REPORT_SECONDS:
            reported = time.monotonic()
            _report(job, part, run)

    if is_stopped(job):
        run.request_stop()
    return execute("the work of a cluster", run, work, on_tick)


def _report(job: str, part: int, run: _core.Run) -> None:
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:  # not in a task, as in tests
        return
    message = {
        "job": job,
        "part": part,
        "steps": run.num_steps,
        "finished": run.num_finished,
        "score": run.score,
        "worker": worker.address,
        "memory_mb": peak_memory_mb(),
    }
    worker.log_event(TOPIC, message)

"""Ends the work of daemon threads before the interpreter goes away.

A thread that comes back from the core once the interpreter is being taken down sleeps for good
(``bindings/unlocked.hpp``), and what it holds would be reported as leaked. Searches can be stopped before, so
their threads end in order.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Iterator

from treebound import _core

_SECONDS_TO_END = 5.0
_at_work: list[tuple[threading.Thread, _core.Run]] = []
_is_exiting = threading.Event()


@contextlib.contextmanager
def ended_at_exit(run: _core.Run) -> Iterator[None]:
    """Do work that is stopped when the interpreter exits; the thread that does it then ends, too."""
    _end_if_exiting()
    entry = threading.current_thread(), run
    _at_work.append(entry)
    try:
        yield
    finally:
        _at_work.remove(entry)
    _end_if_exiting()


def _end_if_exiting() -> None:
    if _is_exiting.is_set() and threading.current_thread() is not threading.main_thread():
        raise SystemExit


@atexit.register
def _end_all() -> None:
    """Stop searches and wait for their threads. Only daemon threads are left by now."""
    _is_exiting.set()
    for _, run in list(_at_work):
        run.request_stop()
    for thread, _ in list(_at_work):
        with contextlib.suppress(AssertionError):  # a thread that was not started by ``threading``
            thread.join(_SECONDS_TO_END)
    if threading.active_count() > 1:
        _core.hide_leaks()

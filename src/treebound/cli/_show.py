"""What the verbs have in common on the terminal: results on stdout, all else on stderr, signals as Ctrl-C."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from treebound import _core

if TYPE_CHECKING:
    from rich.console import Console

INTERRUPTED = 130  # the exit code by which shells know Ctrl-C


def out() -> Console:
    """Return the console for results."""
    from rich.console import Console

    return Console(highlight=False)


def err() -> Console:
    """Return the console for progress and notes, which never mix with results."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_json(report: dict[str, Any]) -> None:
    """Print one object on one line."""
    print(json.dumps(report, allow_nan=False))


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Treat a request to terminate like Ctrl-C, so that work in progress is saved."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exits_at_once() -> _core.ExitOnSignals:
    """While nothing is written there is nothing to save: let Ctrl-C and SIGTERM end the process at once.

    Otherwise they take effect only after the current call, and reading a large file may be one call.
    """
    return _core.ExitOnSignals(INTERRUPTED)

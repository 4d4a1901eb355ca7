"""Stops work that does not poll the run by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from treebound import _core

_TICK_SECONDS = 0.05


@contextmanager
def stopped_with(run: _core.Run, stop: Callable[[], Any]) -> Iterator[None]:
    """Call ``stop`` as soon as the run should stop, from a thread of its own, while the block works."""
    is_done = threading.Event()

    def watch() -> None:
        while not is_done.wait(_TICK_SECONDS):
            if run.should_stop:
                stop()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_done.set()
        watcher.join()

"""Runs the core beside the interpreter, so that progress is shown and Ctrl-C is heard while it works."""

from __future__ import annotations

import threading
from collections.abc import Callable

_POLL_SECONDS = 0.1


def watch(work: Callable[[], None], request_stop: Callable[[], None], on_tick: Callable[[], None]) -> bool:
    """Run ``work`` to its end and call ``on_tick`` several times a second meanwhile.

    Ctrl-C asks the work to stop and waits until it has. Returns whether that happened.
    """
    failure: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            failure.append(error)

    worker = threading.Thread(target=guarded, daemon=True)
    worker.start()
    interrupted = False
    while worker.is_alive():
        try:
            worker.join(_POLL_SECONDS)
            on_tick()
        except KeyboardInterrupt:
            interrupted = True
            request_stop()
        except BaseException:
            request_stop()
            worker.join()
            raise
    if failure:
        raise failure[0]
    return interrupted

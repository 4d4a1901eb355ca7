"""Runs work of the core next to the interpreter, so Ctrl-C works and progress is reported meanwhile.

The work polls its ``_core.Run``, which holds the limits, the counts and the request to stop. Here is the
other half: the work goes to a thread of its own, and the calling thread watches it.
"""

from __future__ import annotations

import _thread
import math
from collections.abc import Callable
from enum import StrEnum
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import Budget
from treebound._exit import ended_at_exit

_Result = TypeVar("_Result")
_TICK_SECONDS = 0.1
# Held back while a thread is started, so its stack does not take the last of the memory. Nothing is
# written to it, which would take longer than many a query.
_RESERVE = 2**22


class StopReason(StrEnum):
    """Why a run ended."""

    FINISHED = "finished"  # nothing was left to do
    STEPS = "steps"  # the budget of steps was used
    SECONDS = "seconds"  # the time was up
    INTERRUPTED = "interrupted"  # Ctrl-C
    MEMORY = "memory"  # there was not enough memory to go on
    OPTIMAL = "optimal"  # the best structure so far reaches the upper bound: no other is better
    STALLED = "stalled"  # no improvement for a share of the budget, its patience


class OutOfMemory(MemoryError):
    """The work itself, not a callback, ran out of memory."""


def new_run(budget: Budget | None, threads: int) -> _core.Run:
    """Start the clock of a run; without a budget it has no end of its own."""
    seconds = None if budget is None else budget.seconds
    steps = None if budget is None else budget.steps
    patience = None if budget is None else budget.patience
    return _core.Run(
        math.inf if seconds is None else seconds,
        _core.Run.NO_LIMIT if steps is None else steps,
        threads,
        math.inf if patience is None else patience,
    )


def execute(
    phase: str,
    run: _core.Run,
    work: Callable[[], _Result],
    on_tick: Callable[[], None] | None = None,
    *,
    is_long: bool = True,
) -> _Result:
    """Do the work and return its result; call ``on_tick`` several times a second meanwhile.

    Ctrl-C, also one raised by ``on_tick``, stops the run, and waits for it; then
    ``run.stop_requested`` is true, and what came of the work by then is returned. Any other exception of
    ``on_tick`` stops the run and is raised then, as is one of the work itself. Work that is not ``is_long``
    takes well under a millisecond, less than a thread costs, and is done at once.
    """

    def attempt() -> _Result:
        try:
            return work()
        except MemoryError as error:
            threads = "" if run.num_threads == 1 else f" with {run.num_threads} threads; fewer need less"
            raise OutOfMemory(f"There is not enough memory for {phase}{threads}.") from error

    if not is_long:
        return attempt()
    with ended_at_exit(run):
        worker = _Worker(attempt)
        return worker.wait(run, on_tick) if worker.is_running else attempt()


def complete(phase: str, run: _core.Run, work: Callable[[], _Result], *, is_long: bool = True) -> _Result:
    """Do work whose parts are of no use alone: Ctrl-C ends it and is raised."""
    try:
        result = execute(phase, run, work, is_long=is_long)
    except _core.Stopped:
        raise KeyboardInterrupt from None
    if run.stop_requested:
        raise KeyboardInterrupt
    return result


class _Worker(Generic[_Result]):
    """Work in a thread of its own, if one can be started.

    ``threading.Thread`` would do, but its ``start`` waits forever if the new thread runs out of memory
    before it says that it has begun.
    """

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work: Callable[[], _Result] | None = work
        self._result: list[_Result] = []
        self._failure: BaseException | None = None
        self._is_done = False
        self._at_work = _thread.allocate_lock()
        self._at_work.acquire()
        try:
            self._reserve: NDArray[np.uint8] | None = np.empty(_RESERVE, dtype=np.uint8)
            _thread.start_new_thread(self._run, ())
            self.is_running = True
        except (RuntimeError, MemoryError):  # the system has no more threads
            self.is_running = False

    def _run(self) -> None:
        try:
            self._reserve = None
            _core.prepare_to_throw()
            assert self._work is not None
            self._result.append(self._work())
        except BaseException as error:
            self._failure = error
        finally:
            # Before the end is reported: the interpreter may end before this thread does, and what it still
            # held would never be freed.
            self._work = None
            self._is_done = True
            self._at_work.release()

    def wait(self, run: _core.Run, on_tick: Callable[[], None] | None) -> _Result:
        """Watch the work until it ends."""
        complaint: BaseException | None = None
        while not self._is_done:
            # The inner loop keeps almost every moment at which Ctrl-C may come inside the block.
            try:
                while not self._is_done:
                    self._at_work.acquire(timeout=_TICK_SECONDS)
                    if on_tick is not None and complaint is None:
                        on_tick()
            except KeyboardInterrupt:
                run.request_stop()
            except BaseException as error:
                run.request_stop()
                complaint = error
        if complaint is not None:
            raise complaint
        if self._failure is not None:
            raise self._failure
        return self._result.pop()

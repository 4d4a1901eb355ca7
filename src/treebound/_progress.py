"""The progress of long work: one event type for every phase, and one bar that draws it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from treebound import _core
from treebound._arguments import check_function
from treebound._budget import Budget
from treebound._notebook_bar import in_notebook, notebook_bar

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

SCORING = "scoring"
SEARCH = "search"
RUNS = "runs"
#: A wider gap between score and upper bound says nothing about the structure, and is not printed.
WIDEST_GAP = 0.1
_STEPS_OF = {SCORING: "sets", SEARCH: "steps"}
_COUNTED_IN = {RUNS: "runs"}


class Progress(NamedTuple):
    """How far a phase has come.

    ``score`` is the best so far, while scoring the sum of the best of all variables; -inf until there is one.
    ``bound`` is what no score can exceed; inf where the solver does not say.
    ``finished`` of ``total`` variables, or runs, are done; both are 0 if unknown.
    """

    phase: str
    seconds: float
    steps: int
    score: float
    finished: int
    total: int
    budget: Budget | None
    bound: float = math.inf

    @property
    def share(self) -> float | None:
        """The part of the work or of its budget, whichever ends it first, that is done; None if unknown."""
        shares = []
        if self.total:
            shares.append(self.finished / self.total)
        if self.budget is not None and self.budget.seconds is not None:
            shares.append(self.seconds / max(self.budget.seconds, 1e-9))
        if self.budget is not None and self.budget.steps is not None:
            shares.append(self.steps / self.budget.steps)
        return min(1.0, max(shares)) if shares else None


ProgressCallback: TypeAlias = Callable[[Progress], None]
# True draws a bar, False and None are silent.
ProgressOption: TypeAlias = ProgressCallback | bool | None


@dataclass(frozen=True)
class Observer:
    """What to report while :func:`treebound.learn` works: its progress, and what it has so far.

    Parameters
    ----------
    progress : bool or callable, optional
        True draws a bar; a function is called with a ``Progress`` a few times per second.
    checkpoint : callable, optional
        Called with the cache once the table is scored, and with every better structure soon after it was
        found.

    Examples
    --------
    >>> import treebound as tb
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9}
    >>> found = []
    >>> result = tb.learn(rows, budget=tb.Budget(steps=9), progress=tb.Observer(checkpoint=found.append))
    >>> type(found[0]).__name__
    'ParentSetCache'
    """

    progress: ProgressOption = None
    checkpoint: Callable[[Any], None] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.progress, bool):
            check_function("progress", self.progress)
        check_function("checkpoint", self.checkpoint)


def progress_of(phase: str, run: _core.Run, budget: Budget | None, total: int = 0) -> Progress:
    """The progress of a run."""
    finished = run.num_finished if total else 0
    return Progress(phase, run.elapsed, run.num_steps, run.score, finished, total, budget, run.bound)


@contextmanager
def watched(progress: ProgressOption) -> Iterator[ProgressCallback | None]:
    """Yield the callback: the one given, one that draws a bar, or none."""
    if not isinstance(progress, bool):
        check_function("progress", progress)
    if callable(progress):
        yield progress
    elif not progress:
        yield None
    else:
        with _bar() as update:
            yield update


@contextmanager
def _bar() -> Iterator[ProgressCallback | None]:
    """A bar on the terminal (on stderr, where it never mixes with results) or in a notebook, from the first
    call on; nothing elsewhere.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    if in_notebook():
        with notebook_bar() as draw:
            yield lambda now: draw(now.phase, now.share, describe(now))
        return
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[figures]}"))
    bars = Bars(*columns, console=console, transient=True)
    task = bars.add_task("", total=None, figures="")
    try:
        yield lambda now: _draw(bars, task, now)
    finally:
        bars.stop()


def _draw(bars: Bars, task: TaskID, now: Progress) -> None:
    share = now.share
    bars.update(
        task,
        description=now.phase,
        total=None if share is None else 1.0,
        completed=share or 0.0,
        figures=describe(now),
    )
    bars.start()


def describe(now: Progress) -> str:
    """Return the figures next to the bar."""
    limit = None if now.budget is None else now.budget.seconds
    parts = [f"{now.seconds:.0f} s" if limit is None else f"{now.seconds:.0f}/{limit:.0f} s"]
    if now.total:
        # Where all variables are worked on at once, none is finished before the end.
        count = f"{now.finished:,}/{now.total:,}" if now.finished else f"{now.total:,}"
        parts.append(f"{count} {_COUNTED_IN.get(now.phase, 'variables')}")
    if math.isfinite(now.score):
        parts.append(f"best {now.score:,.2f}")
    if math.isfinite(now.score) and math.isfinite(now.bound):
        gap = (now.bound - now.score) / max(abs(now.score), 1e-300)
        parts += [f"gap {gap:.3%}"] if gap <= WIDEST_GAP else []
    if now.phase != RUNS:
        rate = now.steps / max(now.seconds, 1e-3)
        parts.append(f"{rate:,.0f} {_STEPS_OF.get(now.phase, 'steps')}/s")
    return "  ".join(parts)

"""When to stop."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import ParamSpec, SupportsFloat, TypeVar

from treebound._arguments import check_integer, check_number, shown

# What the counters of the core hold.
MAX_STEPS = 2**63 - 1
# The benchmark `rest` looks at what it loses.
DEFAULT_PATIENCE = 0.25
# More than machines have cores, and few enough to be started without harm.
MAX_THREADS = 1024


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Budget:
    """Limit a run by seconds, by steps, or by whichever runs out first.

    A budget of steps gives the same result for a given seed on every machine and with any number of
    threads; a budget of seconds does as many steps as fit in.

    Parameters
    ----------
    seconds : float, optional
        Wall-clock time.
    steps : int, optional
        Number of steps.
    patience : float, optional
        Stop a search early if it has not improved for this share of the budget and for a thousand steps per
        variable. None never stops early.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.Budget(seconds=60, patience=None)
    Budget(seconds=60.0, steps=None, patience=None)
    """

    seconds: float | None = None
    steps: int | None = None
    patience: float | None = DEFAULT_PATIENCE

    def __post_init__(self) -> None:
        if self.seconds is None and self.steps is None:
            raise ValueError("A budget needs seconds, steps or both, got neither.")
        put = object.__setattr__  # the class is frozen, also for itself
        if self.seconds is not None:
            put(self, "seconds", check_number("seconds", self.seconds, positive=False))
        if self.steps is not None:
            put(self, "steps", check_integer("steps", self.steps, 1, MAX_STEPS))
        if self.patience is not None:
            patience = check_number("patience", self.patience, positive=True)
            if patience > 1:
                raise ValueError(f"patience is a share of the budget, at most 1, got {shown(self.patience)}.")
            put(self, "patience", patience)


# What callers pass to functions that take it elsewhere -> how to pass it.
_PLACES = {
    "seconds": "budget={}",
    "time": "budget={}",
    "steps": "budget=Budget(steps={})",
    **{
        option: f"load(table, {option}={{}}) as the table"
        for option in ("auto", "discretise", "drop", "only", "na_values", "date_parts")
    },
}


def as_budget(budget: object) -> Budget | None:
    """Return the budget; a number means seconds, None no limit."""
    if budget is None or isinstance(budget, Budget):
        return budget
    if isinstance(budget, bool | str) or not isinstance(budget, SupportsFloat):
        raise TypeError(f"budget must be a Budget or a number of seconds, got {shown(budget)}.")
    return Budget(seconds=float(budget))


def resolve_threads(threads: object, name: str = "threads") -> int:
    """Return the number of threads to use; None means all cores that this process may use."""
    if threads is not None:
        return check_integer(name, threads, 1, MAX_THREADS)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MAX_THREADS)


def takes_budget(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Let a function with ``budget=`` name the right place of what callers pass by themselves.

    These are seconds and steps, and the options of ``load`` unless the function takes them.
    """
    own = signature(function).parameters

    @wraps(function)
    def checked(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        for name, value in options.items():
            if name in _PLACES and name not in own:
                advice = _PLACES[name].format(shown(value))
                raise TypeError(f"{function.__name__} has no parameter {name!r}; pass {advice}.")
        return function(*arguments, **options)

    return checked

"""Arguments of the wrong type or range get one sentence, before they fail somewhere inside."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from numbers import Integral, Real
from types import UnionType
from typing import Any, TypeVar

_Choice = TypeVar("_Choice", bound=StrEnum)
_SHOWN = (str, int, float, type(None))  # anything else may be long, and is shown by its type
MAX_SEED = 2**64 - 1


def check_type(name: str, value: object, kinds: type | UnionType, expected: str) -> None:
    """Reject an argument that is of none of the types; ``expected`` says in words what it must be."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} must be {expected}, got {shown(value)}.")


def check_function(name: str, value: object) -> None:
    """Reject what cannot be called and is not None."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function or None, got {shown(value)}.")


def check_rows(name: str, value: Any) -> tuple[tuple[Any, ...], ...]:
    """Return a sequence of sequences, such as the parents of each variable, as tuples."""
    check_type(name, value, Iterable, "a sequence of sequences")
    rows = tuple(value)
    for row in rows:
        check_type(f"each of {name}", row, Iterable, "a sequence")
    return tuple(map(tuple, rows))


def check_integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return a whole number from ``low`` to ``high``. numpy's integers are taken, truth values are not."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, got {shown(value)}.")
    number = int(value)
    if number < low:
        raise ValueError(f"{name} must be at least {low}, got {number}.")
    if high is not None and number > high:
        raise ValueError(f"{name} must be at most {high}, got {number}.")
    return number


def check_choice(name: str, value: object, choices: type[_Choice]) -> _Choice:
    """Return the member of an enumeration, which may be given by its word."""
    allowed = [str(choice) for choice in choices]
    if value not in allowed:
        raise ValueError(f"{name} must be {', '.join(allowed[:-1])} or {allowed[-1]}, got {shown(value)}.")
    return choices(value)


def check_finite(name: str, value: object) -> float:
    """Return a finite number of any sign."""
    number = _as_float(name, value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value}.")
    return number


def check_number(name: str, value: object, *, positive: bool) -> float:
    """Return a finite number that is positive, or at least not negative."""
    number = _as_float(name, value)
    if positive and not 0 < number < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value}.")
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} must be finite and not negative, got {value}.")
    return number


def check_seed(seed: object) -> int:
    """Return a seed that fits the random streams of the core."""
    return check_integer("seed", seed, 0, MAX_SEED)


def _as_float(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}.")
    try:
        return float(value)
    except OverflowError:  # an integer beyond the largest double
        return math.inf


def shown(value: object) -> str:
    """A value as an error shows it: itself if it is short, else its type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return repr(value) if isinstance(value, _SHOWN) else f"an object of type {type(value).__name__}"

"""Pairs of variables or patterns as people write them: tuples, ``"a -> b"``, or a frame with two columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from treebound._arguments import shown
from treebound.constraints._names import patterns_of

Patterns: TypeAlias = tuple[str, ...]
Pair: TypeAlias = tuple[Patterns, Patterns]

ARROW = "->"


def pairs_of(value: Any, what: str, separator: str = ARROW) -> tuple[Pair, ...]:
    """Return pairs of patterns, each once, in the order given."""
    if value is None:
        return ()
    return tuple(dict.fromkeys(_pair(one, what, separator) for one in _rows(value, what)))


def _rows(value: Any, what: str) -> Iterator[Any]:
    if hasattr(value, "column_names") or hasattr(value, "columns"):  # pyarrow; pandas and polars
        names = list(getattr(value, "column_names", None) or value.columns)
        if len(names) != 2:
            raise ValueError(f"{what} as a frame must have two columns, got {len(names)}.")
        columns = [value[name] for name in names]
        yield from zip(*(c.to_pylist() if hasattr(c, "to_pylist") else list(c) for c in columns), strict=True)
    elif isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{what} must be a sequence of pairs or a frame of two columns, got {shown(value)}.")
    else:
        yield from value


def _pair(value: Any, what: str, separator: str) -> Pair:
    sides: list[Any] = (
        [side.strip() for side in value.split(separator)] if isinstance(value, str) else _sides(value, what)
    )
    if len(sides) != 2 or not all(sides):
        raise ValueError(f"Each of {what} must be two variables, such as 'a{separator}b', got {value!r}.")
    first, second = (patterns_of(side, what) for side in sides)
    return first, second


def _sides(value: Any, what: str) -> list[Any]:
    if not isinstance(value, Iterable):
        raise TypeError(f"Each of {what} must be a pair, got {shown(value)}.")
    return list(value)


def spelled(patterns: Patterns) -> str:
    """One side of a pair as text."""
    return repr(patterns[0]) if len(patterns) == 1 else "{" + ", ".join(map(repr, patterns)) + "}"


def plain(patterns: Patterns) -> str | list[str]:
    """One side of a pair as JSON."""
    return patterns[0] if len(patterns) == 1 else list(patterns)

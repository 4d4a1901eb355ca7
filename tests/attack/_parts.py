"""The parts of the attack by name."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

#: Name of the part (and of its file) -> its share of the time.
PARTS = {
    "scores": 1.0,
    "solvers": 1.0,
    "constraints": 1.0,
    "learning": 1.0,
    "incomplete": 1.0,
    "mixtures": 0.5,
    "leakage": 0.5,
    "inference": 1.5,
    "readers": 1.5,
    "writers": 0.5,
    "kills": 1.0,
    "forks": 0.5,
    "limits": 1.0,
    "determinism": 0.5,
    "arguments": 1.0,
    "round_trips": 1.0,
    "folders": 0.5,
    "printing": 0.5,
}


class Part(Protocol):
    """What every file of a part has."""

    SECONDS: float  # a check that takes longer hangs
    MEMORY_MB: int | None  # address space of the process that checks; None: no limit

    def make(self, random: Random) -> Any:
        """Draw a case."""

    def check(self, case: Any) -> None:
        """Raise if a law is broken."""

    def shrink(self, case: Any) -> Iterator[Any]:
        """Yield smaller cases."""


def part_of(name: str) -> Part:
    """The module of a part."""
    return cast(Part, import_module(f".{name}", __package__))

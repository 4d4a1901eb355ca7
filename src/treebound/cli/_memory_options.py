"""How much memory a verb may take, and what it says about that before it begins."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from treebound._memory import MB, free_memory, in_mb
from treebound.cli._show import note
from treebound.scoring import MemoryEstimate

_MUCH = 0.25  # of the free memory
_MEGABYTES = {"": 1, "m": 1, "g": 1024, "t": 1024 * 1024}


def megabytes(text: str) -> int:
    """A size such as 200, 200MB or 1.5GB, in megabytes."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([mgt]?)i?b?", text.strip().lower())
    number = int(float(size[1]) * _MEGABYTES[size[2]]) if size else 0
    if number < 1:
        raise typer.BadParameter(f"expected a size of at least 1 MB, such as 200MB or 4GB, got {text!r}.")
    return number


MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        parser=megabytes,
        help="Maximum memory, such as 200MB or 4GB; a number without a unit is in MB. "
        "[default: all free memory]",
    ),
]


def report_estimate(estimate: MemoryEstimate, memory: int | None, *, quiet: bool) -> None:
    """Report how much memory is going to be taken, if a limit was given or a good part of it is needed."""
    if not quiet and (memory is not None or estimate.peak > _MUCH * free_memory()):
        there = f"{in_mb(free_memory())} are free" if memory is None else f"{in_mb(memory * MB)} are allowed"
        note(f"needs up to {in_mb(estimate.peak)} of memory; {there}.")

"""What the verbs that ask a network have in common: its file, evidence, and bars for probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treebound.data import Schema
from treebound.formats.network_files import NETWORK_ENDINGS

if TYPE_CHECKING:
    from rich.table import Table

_BAR_WIDTH = 40

NetworkArgument = Annotated[
    Path, typer.Argument(metavar="NET", help=f"Network to ask: {', '.join(NETWORK_ENDINGS)}.")
]
TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="Table of cases: .csv, .tsv, .dat (also .gz), .parquet, .feather. Columns are found by name; "
        "cells and columns may be missing.",
    ),
]
EvidenceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        "-e",
        metavar="NAME=STATE",
        help="What is known (repeatable): a state, or likelihoods of states, as in -e rain=yes:0.9,no:0.2.",
    ),
]


def parse_evidence(words: Iterable[str] | None, schema: Schema) -> dict[str, Any]:
    """Evidence by name; a text that is itself a state is that state, whatever signs it holds."""
    evidence: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"evidence must read NAME=STATE, got {word!r}.")
        variable = schema[name]
        if name in evidence:
            raise ValueError(f"evidence on {name!r} must be given once, got it again in {word!r}.")
        is_state = variable.find_all([value])[0] >= 0
        evidence[name] = value if is_state or ":" not in value else _likelihoods(value, word)
    return evidence


def _likelihoods(value: str, word: str) -> dict[str, float]:
    weights = {}
    for part in value.split(","):
        state, _, weight = part.rpartition(":")
        try:
            weights[state] = float(weight)
        except ValueError:
            raise ValueError(
                f"likelihoods must read NAME=STATE:NUMBER,STATE:NUMBER, got {part!r} in {word!r}."
            ) from None
    return weights


def bars(states: Sequence[str], probabilities: Sequence[float]) -> Table:
    """A distribution as a table with a bar for each state."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_header=False, box=None)
    table.add_column(style="cyan", justify="right")
    table.add_column(justify="right")
    table.add_column(style="green", no_wrap=True)
    for state, probability in zip(states, probabilities, strict=True):
        table.add_row(escape(state), f"{probability:.4f}", "█" * round(_BAR_WIDTH * probability))
    return table

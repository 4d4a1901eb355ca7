"""What the verbs that ask a network have in common: its file, evidence, and bars for probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from treebound.cli._said_numbers import as_meant
from treebound.data import TABLE_ENDINGS, Schema, Variable, parse_number
from treebound.formats.network_files import NETWORK_ENDINGS

if TYPE_CHECKING:
    from rich.table import Table

_BAR_WIDTH = 40


class UnseenName(StrEnum):
    """What is done about values that the network does not know."""

    ERROR = "error"
    MISSING = "missing"


class ImpossibleName(StrEnum):
    """What is done about rows whose known cells have probability zero together."""

    RAISE = "raise"
    NAN = "nan"


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
TableOutput = Annotated[
    Path, typer.Option("--output", "-o", metavar="OUT", help=f"Table to write: {', '.join(TABLE_ENDINGS)}.")
]
UnseenOption = Annotated[
    UnseenName, typer.Option(help="Refuse values that the network does not know, or take them for missing.")
]
ImpossibleOption = Annotated[
    ImpossibleName,
    typer.Option(
        help="Refuse rows that have probability zero under the network, or leave them without an answer: "
        "nothing follows from them."
    ),
]
EvidenceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        "-e",
        metavar="NAME=STATE",
        help="What is known (repeatable): a state, or likelihoods of states, as in -e rain=yes:0.9,no:0.2; a "
        "state without a number gets likelihood 0.",
    ),
]

DoOption = Annotated[
    list[str] | None,
    typer.Option(
        "--do",
        metavar="NAME=STATE",
        help="Set a variable from outside (repeatable): it no longer depends on its parents.",
    ),
]


def parse_settings(words: Iterable[str] | None, schema: Schema) -> dict[str, str]:
    """States by name of the variables that an intervention sets."""
    settings: dict[str, str] = {}
    for word in words or ():
        name, value = _split(word, schema, "an intervention")
        if name in settings:
            raise typer.BadParameter(f"--do must set {name!r} once, got it again in {word!r}.")
        settings[name] = as_meant(value, schema[name], schema)
    return settings


def parse_evidence(words: Iterable[str] | None, schema: Schema) -> dict[str, Any]:
    """Evidence by name; a text that is itself a name or a state is taken as such, with any signs in it."""
    evidence: dict[str, Any] = {}
    for word in words or ():
        name, value = _split(word, schema, "evidence")
        variable = schema[name]
        if name in evidence:
            raise typer.BadParameter(f"evidence on {name!r} must be given once, got it again in {word!r}.")
        value = as_meant(value, variable, schema)
        is_state = variable.find_all([value])[0] >= 0
        evidence[name] = value if is_state or ":" not in value else _likelihoods(value, variable, word)
    return evidence


def _split(word: str, schema: Schema, what: str) -> tuple[str, str]:
    """The name and what is said about it: the longest name that fits, else the text before the first =."""
    places = [place for place, sign in enumerate(word) if sign == "="]
    if not places:
        raise typer.BadParameter(f"{what} must read NAME=STATE, got {word!r}.")
    at = max((place for place in places if word[:place] in schema), default=places[0])
    return word[:at], word[at + 1 :]


def _likelihoods(value: str, variable: Variable, word: str) -> dict[str, float]:
    """Numbers by state. Known states come first, since their labels may hold commas and colons."""
    known = "|".join(map(re.escape, sorted(variable.states, key=len, reverse=True)))
    pair = re.compile(f"({known}|[^,]*?):([^:,]*)(?:,(?=.)|$)", re.DOTALL)
    weights, at = {}, 0
    while at < len(value):
        found = pair.match(value, at)
        if found is None or (weight := parse_number(found[2])) is None:
            raise typer.BadParameter(
                f"likelihoods must read NAME=STATE:NUMBER,STATE:NUMBER, got {value[at:]!r} in {word!r}."
            )
        weights[found[1]] = weight
        at = found.end()
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


def cells_of(variable: Variable, codes: NDArray[np.integer], output: Path) -> list[Any]:
    """What a table holds for states: values in a Parquet file, labels in a text file."""
    if output.suffix.lower() == ".parquet":
        return list(variable.decode(codes).tolist())
    return [variable.states[code] for code in codes.tolist()]

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
from treebound.cli._several_states import range_of, states_listed
from treebound.data import TABLE_ENDINGS, Schema, Variable, parse_number
from treebound.formats.network_files import NETWORK_ENDINGS
from treebound.network import position_of

if TYPE_CHECKING:
    from rich.table import Table

_BAR_WIDTH = 40
_COMPARISON = re.compile(r"(.+?)([<>])=?(.*)", re.DOTALL)


class UnseenName(StrEnum):
    """What is done about values that the network does not know."""

    ERROR = "error"
    MISSING = "missing"


class ImpossibleName(StrEnum):
    """What is done about rows whose known cells have probability zero together."""

    RAISE = "raise"
    NAN = "nan"


NetworkArgument = Annotated[
    Path, typer.Argument(metavar="NET", help=f"Network: {', '.join(NETWORK_ENDINGS)}.")
]
TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="Table of cases: .csv, .tsv, .dat (also .gz), .parquet, .feather. Columns are matched by name; "
        "values and columns may be missing.",
    ),
]
TableOutput = Annotated[
    Path, typer.Option("--output", "-o", metavar="OUT", help=f"Table to write: {', '.join(TABLE_ENDINGS)}.")
]
UnseenOption = Annotated[
    UnseenName,
    typer.Option(
        help="Values that the network does not know: error, or missing to treat them as missing values."
    ),
]
ImpossibleOption = Annotated[
    ImpossibleName,
    typer.Option(
        help="Rows with probability 0 under the network: raise an error, or nan to return no result for them."
    ),
]
EvidenceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        "-e",
        metavar="NAME=STATE",
        help="Evidence (repeatable): a state; one of several, as in -e rain=light,heavy; a range of a binned "
        "variable, as in -e age=24..32 or -e age=65.. ; or likelihoods of states, as in "
        "-e rain=yes:0.9,no:0.2, where other states get likelihood 0.",
    ),
]

DoOption = Annotated[
    list[str] | None,
    typer.Option(
        "--do",
        metavar="NAME=STATE",
        help="Intervention (repeatable): set a variable, which then no longer depends on its parents.",
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
        meant = as_meant(value, variable, schema)
        if variable.find_all([meant])[0] >= 0:
            evidence[name] = meant
        elif (limits := range_of(value, variable, schema)) is not None:
            evidence[name] = limits
        else:
            several = states_listed(value, variable, schema)
            evidence[name] = _likelihoods(meant, variable, word) if several is None else several
    return evidence


def _split(word: str, schema: Schema, what: str) -> tuple[str, str]:
    """The name and what is said about it: the longest name that fits, else the text before the first =."""
    places = [place for place, sign in enumerate(word) if sign == "="]
    named = [place for place in places if word[:place] in schema]
    if not named and what == "evidence":
        _reject_comparison(word, schema)
    if not places:
        raise typer.BadParameter(f"{what} must read NAME=STATE, got {word!r}.")
    at = max(named, default=places[0])
    position_of(word[:at], schema)
    return word[:at], word[at + 1 :]


def _reject_comparison(word: str, schema: Schema) -> None:
    """Point from NAME>=NUMBER to the range that it means."""
    found = _COMPARISON.fullmatch(word)
    if found and (name := found[1].strip()) in schema:
        limits = f"{found[3].strip()}.." if found[2] == ">" else f"..{found[3].strip()}"
        raise typer.BadParameter(
            f"evidence must read NAME=STATE, got {word!r}. Write a range of a binned variable as "
            f"'{name}={limits}'."
        )


def _likelihoods(value: str, variable: Variable, word: str) -> str | dict[str, float]:
    """Numbers by state, or the value as it is. Known states come first: labels may hold commas and colons."""
    if ":" not in value:
        return value
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
    from rich.table import Table

    table = Table(show_header=False, box=None)
    table.add_column(style="cyan", justify="right")
    table.add_column(justify="right")
    table.add_column(style="green", no_wrap=True)
    for state, probability in zip(states, probabilities, strict=True):
        table.add_row(state, f"{probability:.4f}", "█" * round(_BAR_WIDTH * probability))
    return table


def cells_of(variable: Variable, codes: NDArray[np.integer], output: Path) -> list[Any]:
    """What a table holds for states: values in a Parquet file, labels in a text file."""
    if output.suffix.lower() == ".parquet":
        return list(variable.decode(codes).tolist())
    return [variable.states[code] for code in codes.tolist()]

"""What the verbs that query a network share: its file, evidence, and options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from treebound.cli._options import output_option
from treebound.cli._show import usage_errors
from treebound.data import Schema, Variable
from treebound.formats.network_files import NETWORK_ENDINGS
from treebound.inference import beyond_range, bin_of, parse_evidence, parse_state
from treebound.network import position_of
from treebound.tables import TABLE_ENDINGS

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
    Path, typer.Argument(metavar="NET", help=f"Network or mixture: {', '.join(NETWORK_ENDINGS)}.")
]
TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="Table of cases: .csv, .tsv, .txt, .dat (also .gz), .parquet, .feather, .xlsx; - for stdin. "
        "Columns are matched by name; values and columns may be missing.",
    ),
]
TableOutput = Annotated[Path, output_option("OUT", f"Table to write: {', '.join(TABLE_ENDINGS)}.")]
UnseenOption = Annotated[
    UnseenName,
    typer.Option(
        help="Values that the network does not know: error, or missing to treat them as missing values."
    ),
]
ImpossibleOption = Annotated[
    ImpossibleName,
    typer.Option(help="Rows with probability 0 under the network: raise an error, or nan for no result."),
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


def settings_of(assignments: Iterable[str] | None, schema: Schema) -> dict[str, str]:
    """States by name of the variables that an intervention sets."""
    typed = _by_name(assignments, schema, "an intervention", "--do")
    with usage_errors():
        return {name: parse_state(text, name, schema) for name, text in typed.items()}


def evidence_of(assignments: Iterable[str] | None, schema: Schema) -> dict[str, Any]:
    """Evidence by name."""
    typed = _by_name(assignments, schema, "evidence", "--evidence")
    with usage_errors():
        return {name: parse_evidence(text, name, schema) for name, text in typed.items()}


def conditions(evidence: Mapping[str, Any], typed: Iterable[str], schema: Schema) -> list[str]:
    """The evidence as it was typed, with the bins of numbers."""
    bins = [bin_of(finding, schema[name]) for name, finding in evidence.items()]
    return [
        text if label is None else f"{text} (in {label})" for text, label in zip(typed, bins, strict=True)
    ]


def range_notes(evidence: Mapping[str, Any], schema: Schema) -> list[str]:
    """A note on each number outside the range of the training data."""
    notes = (beyond_range(finding, schema[name]) for name, finding in evidence.items())
    return [note for note in notes if note is not None]


def _by_name(assignments: Iterable[str] | None, schema: Schema, what: str, option: str) -> dict[str, str]:
    """Typed values by name, each name once."""
    typed: dict[str, str] = {}
    for assignment in assignments or ():
        name, value = _split(assignment, schema, what)
        if name in typed:
            raise typer.BadParameter(f"{option} must set {name!r} once, got it again in {assignment!r}.")
        typed[name] = value
    return typed


def _split(assignment: str, schema: Schema, what: str) -> tuple[str, str]:
    """The name and the value: the longest name that fits, else the text before the first =."""
    places = [place for place, character in enumerate(assignment) if character == "="]
    named = [place for place in places if assignment[:place] in schema]
    if not named and what == "evidence":
        _reject_comparison(assignment, schema)
    if not places:
        raise typer.BadParameter(f"{what} must read NAME=STATE, got {assignment!r}.")
    at = max(named, default=places[0])
    position_of(assignment[:at], schema)
    return assignment[:at], assignment[at + 1 :]


def _reject_comparison(assignment: str, schema: Schema) -> None:
    """Point from NAME>=NUMBER to the range that it means."""
    found = _COMPARISON.fullmatch(assignment)
    if found and (name := found[1].strip()) in schema:
        limits = f"{found[3].strip()}.." if found[2] == ">" else f"..{found[3].strip()}"
        raise typer.BadParameter(
            f"evidence must read NAME=STATE, got {assignment!r}. Write a range of a binned variable as "
            f"'{name}={limits}'."
        )


def cells_of(variable: Variable, codes: NDArray[np.integer], output: Path) -> list[Any]:
    """What a table holds for states: values in a Parquet file, labels in a text file."""
    if output.suffix.lower() == ".parquet":
        return [variable.state_values[code] for code in codes.tolist()]
    labels = [*variable.known_states, None]  # a missing cell is empty
    return [labels[code] for code in codes.tolist()]

"""Options that several verbs share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from treebound.data import Table, open_table
from treebound.scoring import Bdeu, Bic
from treebound.scoring._scores import Score


class ScoreName(StrEnum):
    """What a family is worth."""

    BIC = "bic"
    BDEU = "bdeu"

    def with_sample_size(self, equivalent_sample_size: float) -> Score:
        """Return the score of this name; only BDeu has a sample size."""
        return Bic() if self is ScoreName.BIC else Bdeu(equivalent_sample_size)


class DiscretiseName(StrEnum):
    """How numbers are cut into bins."""

    QUANTILE = "quantile"
    MEDIAN = "median"
    WIDTH = "width"


ScoreOption = Annotated[
    ScoreName, typer.Option("--score", help="Score of a family; all logarithms are natural.")
]
SampleSizeOption = Annotated[
    float, typer.Option("--ess", metavar="A", help="Equivalent sample size of BDeu.")
]


def time_option(meaning: str) -> Any:
    """``--time``, which means the same for every verb but ends different work."""
    return typer.Option("--time", metavar="SECONDS", min=0, help=meaning)


def steps_option(meaning: str) -> Any:
    """``--steps``: a budget that gives the same answer on any machine."""
    return typer.Option("--steps", metavar="N", min=1, help=meaning)


ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="T", min=1, help="[default: all cores]")
]
MissingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TEXT",
        help="Text that stands for a missing value (repeatable). [default: no text, NA, NaN, nan, null]",
    ),
]
DiscretiseOption = Annotated[
    DiscretiseName | None, typer.Option("--discretise", help="Cut numeric columns into bins.")
]


def open_marked(path: Path, missing: list[str] | None) -> Table:
    """The columns of a file in which some texts stand for missing values."""
    return open_table(path, missing=missing or None, delimiter=None, encoding="utf-8")


QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
DEFAULT_SAMPLE_SIZE = Bdeu().equivalent_sample_size

"""Options that several verbs share."""

from __future__ import annotations

import warnings
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from treebound._files import MAX_UNPACKED_MB, MAX_UNPACKED_TEXT_MB
from treebound.data import check_hidden
from treebound.formats.structure_files import STRUCTURE_ENDINGS
from treebound.scoring import DEFAULT_SCORE, Bdeu, Bic, Score


class ScoreName(StrEnum):
    """What a family is worth."""

    BIC = "bic"
    BDEU = "bdeu"


ScoreOption = Annotated[
    ScoreName | None,
    typer.Option("--score", help=f"Score: bic or bdeu. [default: {DEFAULT_SCORE.name}]"),
]
SampleSizeOption = Annotated[
    float | None,
    typer.Option(
        "--ess",
        metavar="A",
        help=f"Equivalent sample size of BDeu. [default: {Bdeu().equivalent_sample_size:g}]",
    ),
]


def requested_score(name: ScoreName | None, sample_size: float | None) -> Score | None:
    """The score that --score and --ess select, None if neither is there."""
    if sample_size is not None and name is not ScoreName.BDEU:
        raise ValueError("--ess applies only to BDeu; add --score bdeu.")
    if name is ScoreName.BDEU:
        return Bdeu() if sample_size is None else Bdeu(sample_size)
    return None if name is None else Bic()


def table_argument(meaning: str) -> Any:
    """The table that a verb reads."""
    return typer.Argument(
        metavar="TABLE",
        help=f"{meaning}: .csv, .tsv, .txt, .dat (also .gz), .parquet, .feather, .xlsx; - for stdin.",
    )


def time_option(meaning: str) -> Any:
    """``--time``, which means the same for every verb but ends different work."""
    return typer.Option("--time", metavar="SECONDS", min=0, help=meaning)


HiddenOption = Annotated[
    list[str] | None,
    typer.Option(
        "--hidden",
        metavar="NAME=N",
        help="A hidden variable with N states; bic or held-out choose N (repeatable).",
    ),
]


def requested_hidden(given: list[str] | None) -> dict[str, Any]:
    """Return hidden variables by name, as ``learn`` and ``fit`` take them."""
    found: dict[str, Any] = {}
    for word in given or ():
        name, _, states = word.rpartition("=")
        if not name or name in found:
            raise ValueError(f"--hidden must read NAME=STATES, once for each name, got {word!r}.")
        found[name] = int(states) if states.isdecimal() else states
    return check_hidden(found)


def steps_option(meaning: str) -> Any:
    """``--steps``: a budget that gives the same result on any machine."""
    return typer.Option("--steps", metavar="N", min=1, help=meaning)


def output_option(metavar: str, meaning: str) -> Any:
    """``--output``: the file or folder that a verb writes."""
    return typer.Option("--output", "-o", metavar=metavar, help=meaning)


def treewidth_option(meaning: str, metavar: str = "K") -> Any:
    """``--max-treewidth``: one limit, or several as text."""
    return typer.Option("--max-treewidth", "-k", metavar=metavar, min=0, help=meaning)


StructureArgument = Annotated[
    Path, typer.Argument(metavar="STRUCTURE", help=f"Structure: {', '.join(STRUCTURE_ENDINGS)}.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", min=0, help="Random seed.")]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="T", min=1, help="Number of threads. [default: all cores]")
]
MaxUnpackedOption = Annotated[
    int | None,
    typer.Option(
        "--max-unpacked-mb",
        metavar="MB",
        min=1,
        help="Size limit of decompressed files. "
        f"[default: {MAX_UNPACKED_MB}, or {MAX_UNPACKED_TEXT_MB} for networks and structures]",
    ),
]


def unpacking(max_unpacked_mb: int | None) -> dict[str, Any]:
    """The limit as an argument of a reader, if there is one; each reader has a default of its own."""
    return {} if max_unpacked_mb is None else {"max_unpacked_mb": max_unpacked_mb}


def _silence(is_quiet: bool) -> bool:
    """Ignore warnings, such as one about what a file cannot hold; ``main`` would print them as notes."""
    if is_quiet:
        warnings.simplefilter("ignore")
    return is_quiet


QuietOption = Annotated[bool, typer.Option("--quiet", "-q", callback=_silence, help="Print errors only.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]

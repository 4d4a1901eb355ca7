"""``treebound check``: verify a structure."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated, Any

import typer

from treebound.cli._options import SampleSizeOption, ScoreOption, asked_score
from treebound.cli._show import usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.data import Dataset, complete_rows, load
from treebound.formats.cache_files import CACHE_ENDINGS, load_cache
from treebound.formats.structure_files import STRUCTURE_ENDINGS, load_structure
from treebound.structure import Structure, Verdict
from treebound.structure import check as check_structure


@taking(reading=Reading)
def check(
    structure: Annotated[
        Path, typer.Argument(metavar="STRUCTURE", help=f"Structure to check: {', '.join(STRUCTURE_ENDINGS)}.")
    ],
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="CACHE", help=f"Compare the scores with this cache: {', '.join(CACHE_ENDINGS)}."
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="Count the score of every family again from these rows."),
    ] = None,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    max_treewidth: Annotated[
        int | None,
        typer.Option(metavar="K", min=0, help="A bound on the treewidth besides the one in the file."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing, only exit.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, not sentences.")] = False,
    *,
    reading: Reading,
) -> None:
    """Check a structure: is it what it claims to be?

    No cycle; every family inside a bag of the tree decomposition that comes with it; that decomposition a
    tree that holds every variable in one connected piece; no bag larger than the bound allows; scores that
    add up, are those that the rows of a table give and agree with a cache, if these are given. A file without
    a decomposition gets the best one that simple heuristics find.

    Exits with 0 if all holds, else with 1.

    **Examples**

    `treebound check network.json --max-treewidth 5`

    `treebound check network.res --cache scores.jkl.gz --json`

    `treebound check network.json --table survey.csv`
    """
    with usage_errors():
        local_score = asked_score(score, ess)
        if local_score is not None and table is None:
            raise ValueError("--score says what is counted, and needs --table.")
    limit = reading.limit
    loaded = load_structure(structure, **limit)
    verdict = check_structure(
        loaded,
        None if cache is None else load_cache(cache, **limit),
        max_treewidth,
        data=None if table is None else _rows(table, loaded, reading),
        score=local_score,
    )
    if json:
        print(json_format.dumps(_report(loaded, verdict)))
    elif not quiet:
        print(f"{structure}: {verdict}")
        if verdict:
            print(loaded.guarantee)
    if not verdict:
        raise typer.Exit(1)


def _rows(table: Path, structure: Structure, reading: Reading) -> Dataset:
    """The rows that the structure was learned from, in the states and bins that it was learned with."""
    schema = structure.schema
    if schema is None:
        return load(table, **reading.options)
    opened = reading.open(table, schema)
    return schema.encode(complete_rows(opened, schema) if schema.preparation.rows_dropped else opened)


def _report(structure: Structure, verdict: Verdict) -> dict[str, Any]:
    return {
        "ok": verdict.is_ok,
        "faults": [{"promise": str(fault.promise), "words": fault.words} for fault in verdict.faults],
        "variables": structure.num_variables,
        "arcs": structure.num_arcs,
        "treewidth": verdict.treewidth,
        "max_treewidth": verdict.max_treewidth,
        "score": verdict.score,
        "scores_checked": verdict.scores_checked,
        "compared_with": list(verdict.compared_with),
        "largest_table_cells": structure.guarantee.largest_cells,
        "total_cells": structure.guarantee.total_cells,
    }

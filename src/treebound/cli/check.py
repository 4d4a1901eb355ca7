"""``treebound check``: verify a structure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from treebound.cli._constraint_options import ConstraintOptions
from treebound.cli._options import (
    JsonOption,
    SampleSizeOption,
    ScoreOption,
    StructureArgument,
    requested_score,
    treewidth_option,
)
from treebound.cli._show import report, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.data import Dataset
from treebound.formats.cache_files import CACHE_ENDINGS, load_cache
from treebound.formats.network_files import load_network
from treebound.formats.structure_files import is_network_file, load_structure
from treebound.network import check_observed
from treebound.scoring import DEFAULT_SCORE
from treebound.structure import Structure, Verdict
from treebound.structure import check as check_structure
from treebound.tables import load


@taking(constraint_options=ConstraintOptions, reading=Reading)
def check(
    structure: StructureArgument,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="CACHE", help=f"Compare the scores with this cache: {', '.join(CACHE_ENDINGS)}."
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="Recompute all scores from this table."),
    ] = None,
    score: ScoreOption = None,
    ess: SampleSizeOption = None,
    max_treewidth: Annotated[
        int | None, treewidth_option("Treewidth limit, in addition to that of the file.")
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing; only set the exit code.")
    ] = False,
    json: JsonOption = False,
    *,
    constraint_options: ConstraintOptions,
    reading: Reading,
) -> None:
    """Verify a structure independently of the code that found it.

    Checks that the graph is acyclic, that the tree decomposition is valid and within the treewidth limit,
    that the scores add up and agree with --table and --cache, and that the constraints are obeyed: those
    stored in the file and those given here. If the table has missing values, the score of the observed cells
    is computed by an EM of the checker itself. A file without a tree decomposition gets one from a heuristic.

    The exit code is 0 if every check passes, otherwise 1.

    **Examples**

    `treebound check network.json -k 5`

    `treebound check network.res --cache scores.jkl.gz --json`

    `treebound check network.json --table survey.csv`
    """
    with usage_errors():
        local_score = requested_score(score, ess)
        known = constraint_options.known
        if local_score is not None and table is None:
            raise ValueError("--score applies only with --table; add --table.")
    limit = reading.limit
    loaded = load_structure(structure, **limit)
    scored = None if cache is None else load_cache(cache, **limit)
    data = None if table is None else _rows(table, loaded, reading)
    if data is None or data.is_complete:
        verdict = check_structure(
            loaded, scored, max_treewidth, data=data, score=local_score, constraints=known
        )
    else:
        checked = load_network(structure, **limit) if is_network_file(structure, **limit) else loaded
        verdict = check_observed(
            checked, data, max_treewidth, score=local_score or DEFAULT_SCORE, constraints=known
        )
    guarantee = f"\n{loaded.guarantee}" if verdict else ""
    report(f"{structure}: {verdict}{guarantee}", quiet=quiet, json=json, **_data(loaded, verdict))
    if not verdict:
        raise typer.Exit(1)


def _rows(table: Path, structure: Structure, reading: Reading) -> Dataset:
    """The rows that the structure was learned from, in the states and bins that it was learned with."""
    return load(table, schema=structure.schema, **reading.options)


def _data(structure: Structure, verdict: Verdict) -> dict[str, Any]:
    return {
        "ok": verdict.is_ok,
        "faults": [{"kind": str(fault.kind), "message": fault.message} for fault in verdict.faults],
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

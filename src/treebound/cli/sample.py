"""``treebound sample``: rows drawn from a network."""

from __future__ import annotations

from typing import Annotated

import typer

from treebound.cli._asking import EvidenceOption, NetworkArgument, TableOutput, parse_evidence
from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, unpacking
from treebound.cli._show import exits_at_once, out, print_json, usage_errors
from treebound.data import check_table_path, save_table
from treebound.formats.network_files import load_network


def sample(
    network: NetworkArgument,
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="N", min=0, help="Number of rows to draw.")],
    output: TableOutput,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed; equal seeds give equal rows.")] = 0,
    evidence: EvidenceOption = None,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Draw rows from a network, given evidence if there is any.

    **Examples**

    `treebound sample network.json -n 1000 -o rows.csv`

    `treebound sample network.json -n 1000 -o rows.parquet -e Age=old --seed 7`
    """
    with usage_errors():
        check_table_path(output)
    with exits_at_once():
        asked = load_network(network, **unpacking(max_unpacked_mb))
        known = parse_evidence(evidence, asked.schema)
        drawn = asked.sample(rows, seed, known)
    save_table(drawn, output)
    if json:
        print_json({"path": str(output), "rows": rows, "variables": asked.num_variables, "seed": seed})
    elif not quiet:
        told = f"{output}: {rows:,} rows of {asked.num_variables:,} variables"
        out().print(told, soft_wrap=True, markup=False)

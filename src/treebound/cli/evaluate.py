"""``treebound evaluate``: the log-likelihood of a table under a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from treebound._description import Description, Styled
from treebound.cli._evidence_rows import evidence_rows
from treebound.cli._options import JsonOption, QuietOption, ThreadsOption
from treebound.cli._query_options import NetworkArgument, TableArgument, UnseenName, UnseenOption
from treebound.cli._show import exits_at_once, print_json, show, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.formats.model_files import load_model
from treebound.tables import TABLE_ENDINGS, check_table_path, save_columns


@taking(reading=Reading)
def evaluate(
    network: NetworkArgument,
    table: TableArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help=f"Also write the log-likelihood of each row: {', '.join(TABLE_ENDINGS)}.",
        ),
    ] = None,
    unseen: UnseenOption = UnseenName.ERROR,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Compute the log-likelihood of a table under a network, in nats.

    Missing values are summed out exactly. Rows with probability 0 are counted separately and excluded from
    the sum and the mean.

    **Examples**

    `treebound evaluate network.json test.csv`

    `treebound evaluate network.json test.csv -o rows.csv --json`
    """
    with usage_errors():
        if output is not None:
            check_table_path(output)
    with exits_at_once():
        model = load_model(network, **reading.limit)
        opened = reading.open(table, model.schema)
        known = evidence_rows(opened, model.schema, unseen)
        logs = model.log_likelihood_rows(known.rows, threads=threads)
    if output is not None:
        save_columns({"log_likelihood": logs.tolist()}, output)
    possible = logs[np.isfinite(logs)]
    report: dict[str, Any] = {
        "rows": len(logs),
        "impossible_rows": len(logs) - len(possible),
        "log_likelihood": float(possible.sum()),
        "mean_log_likelihood": float(possible.mean()) if len(possible) else None,
        "lowest": float(possible.min()) if len(possible) else None,
    }
    if json:
        print_json(report | known.report)
    elif not quiet:
        known.print_notes()
        _show(report)


def _show(report: dict[str, Any]) -> None:
    facts: list[tuple[str, str | Styled]] = [("rows", f"{report['rows']:,}")]
    if report["impossible_rows"]:
        facts.append(("impossible rows", Styled(f"{report['impossible_rows']:,}", "bold red")))
    if report["mean_log_likelihood"] is not None:
        mean = Styled(f"{report['mean_log_likelihood']:,.4f}", "bold green")
        facts.append(("mean log-likelihood", mean))
        facts.append(("log-likelihood", f"{report['log_likelihood']:,.4f}"))
        facts.append(("least likely row", f"{report['lowest']:,.4f}"))
    show(Description("", facts))

"""``treebound evaluate``: the log-likelihood of a table under a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treebound._description import Description, Fact
from treebound.cli._evidence_rows import evidence_rows
from treebound.cli._options import JsonOption, QuietOption, ThreadsOption, output_option
from treebound.cli._query_options import NetworkArgument, TableArgument, UnseenName, UnseenOption
from treebound.cli._show import exits_at_once, report, usage_errors
from treebound.cli._table_options import Reading, taking
from treebound.formats.model_files import load_model
from treebound.tables import TABLE_ENDINGS, check_table_path, save_columns


@taking(reading=Reading)
def evaluate(
    network: NetworkArgument,
    table: TableArgument,
    output: Annotated[
        Path | None,
        output_option("OUT", f"Also write the log-likelihood of each row: {', '.join(TABLE_ENDINGS)}."),
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
    if not (quiet or json):
        known.print_notes()
    report(_description(logs), quiet=quiet, json=json, **known.report)


def _description(logs: NDArray[np.float64]) -> Description:
    possible = logs[np.isfinite(logs)]
    facts = [Fact("rows", len(logs), "{:,}", "rows")]
    if num_impossible := len(logs) - len(possible):
        facts.append(Fact("impossible rows", num_impossible, "{:,}", "impossible_rows", "bold red"))
    if len(possible):
        facts += [
            Fact(
                "mean log-likelihood", float(possible.mean()), "{:,.4f}", "mean_log_likelihood", "bold green"
            ),
            Fact("log-likelihood", float(possible.sum()), "{:,.4f}", "log_likelihood"),
            Fact("least likely row", float(possible.min()), "{:,.4f}", "lowest"),
        ]
    absent = {"impossible_rows": 0, "log_likelihood": 0.0, "mean_log_likelihood": None, "lowest": None}
    return Description("", facts, data=absent)

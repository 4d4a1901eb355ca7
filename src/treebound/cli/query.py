"""``treebound query``: probabilities given evidence, as bars."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from treebound.cli._asking import (
    DoOption,
    EvidenceOption,
    NetworkArgument,
    bars,
    parse_evidence,
    parse_settings,
)
from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, unpacking
from treebound.cli._said_numbers import conditions, outside_range
from treebound.cli._show import err, out, print_json
from treebound.formats.network_files import load_network


def query(
    network: NetworkArgument,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", metavar="NAME", help="Variable to ask for (repeatable)."),
    ] = None,
    evidence: EvidenceOption = None,
    do: DoOption = None,
    mpe: Annotated[
        bool, typer.Option("--mpe", help="Show the most probable state of all variables together.")
    ] = False,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Compute how probable the states of a variable are, given what is known.

    The answers are exact. With several targets each gets its own distribution. With --do, they are those
    after an intervention.

    **Examples**

    `treebound query network.json -t Income -e Age=old -e Sex=f`

    `treebound query network.json -t Income -e Age=young:0.2,old:0.8`

    `treebound query network.json --mpe -e Age=old`

    `treebound query network.json -t Income --do Education=high -e Age=old`
    """
    if not target and not mpe:
        raise typer.BadParameter("name a variable with --target, or ask for --mpe.")
    asked = load_network(network, **unpacking(max_unpacked_mb))
    settings = parse_settings(do, asked.schema)
    uncertain = asked.uncertain_arcs(settings, None if mpe else target) if settings else ()
    asked = asked.do(settings) if settings else asked
    known = parse_evidence(evidence, asked.schema)
    report: dict[str, Any] = {"evidence": known, "log_probability": asked.log_probability(known)}
    if settings:
        report["do"] = settings
        report["uncertain_arcs"] = uncertain
    if target:
        found = {name: asked.posterior(name, known).array.tolist() for name in target}
        report["posteriors"] = {
            name: dict(zip(asked.schema[name].states, weights, strict=True))
            for name, weights in found.items()
        }
    if mpe:
        best = asked.most_probable(known)
        report["most_probable"] = best.assignment
        report["most_probable_log_probability"] = best.log_probability
    if json:
        print_json(report)
    elif not quiet:
        said = dict(zip(known, evidence or (), strict=True))
        _show(report, [*(f"do({word})" for word in do or ()), *conditions(known, said, asked.schema)])
        for words in outside_range(known, asked.schema):
            err().print(f"note: {words}.", markup=False, soft_wrap=True)
        for parent, child in uncertain:
            err().print(
                f"note: the arc {parent} -> {child} could point the other way with the same score; "
                "this answer depends on its direction.",
                markup=False,
                soft_wrap=True,
            )


def _show(report: dict[str, Any], conditions: list[str]) -> None:
    given = f" given {', '.join(conditions)}" if conditions else ""
    for name, weights in report.get("posteriors", {}).items():
        out().print(f"{name}{given}", style="bold", markup=False)
        out().print(bars(list(weights), list(weights.values())))
    if "most_probable" in report:
        from rich.markup import escape
        from rich.table import Table

        log = report["most_probable_log_probability"]
        out().print(f"most probable{given}, log-probability {log:.4f}", style="bold", markup=False)
        table = Table(show_header=False, box=None)
        table.add_column(style="cyan", justify="right")
        table.add_column()
        for name, state in report["most_probable"].items():
            table.add_row(escape(name), escape(str(state)))
        out().print(table)

"""``treebound query``: probabilities given evidence, as bars."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, unpacking
from treebound.cli._query_options import (
    DoOption,
    EvidenceOption,
    NetworkArgument,
    conditions,
    evidence_of,
    range_notes,
    settings_of,
)
from treebound.cli._show import note, report, show
from treebound.formats.model_files import load_model
from treebound.network import BayesianNetwork, note_on_arc, note_on_settled


def query(
    network: NetworkArgument,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", metavar="NAME", help="Variable to compute (repeatable)."),
    ] = None,
    evidence: EvidenceOption = None,
    do: DoOption = None,
    mpe: Annotated[
        bool, typer.Option("--mpe", help="Compute the most probable joint state of all variables.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Show how much each piece of evidence adds to the probability of the most probable state.",
        ),
    ] = False,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Compute the exact distribution of variables given evidence.

    Each target gets its own distribution. With --do, the results are those after an intervention.

    **Examples**

    `treebound query network.json -t Income -e Age=old -e Sex=f`

    `treebound query network.json -t Income -e Age=young:0.2,old:0.8`

    `treebound query network.json -t Income -e Age=old -e Sex=f --explain`

    `treebound query network.json --mpe -e Age=old`

    `treebound query network.json -t Income --do Education=high -e Age=old`
    """
    if not target and not mpe:
        raise typer.BadParameter("Name a variable with --target, or pass --mpe.")
    if explain and not (target and evidence):
        raise typer.BadParameter("--explain needs a variable (--target) and evidence (--evidence).")
    model = load_model(network, **unpacking(max_unpacked_mb))
    settings = settings_of(do, model.schema)
    known = evidence_of(evidence, model.schema)
    uncertain: tuple[tuple[str, str], ...] = ()
    settled: tuple[tuple[str, str], ...] = ()
    if settings:
        if not isinstance(model, BayesianNetwork):
            raise typer.BadParameter("--do needs a network; a mixture has no causal arcs.")
        matter = None if mpe else [*(target or ()), *known]
        uncertain = model.uncertain_arcs(settings, matter)
        settled = model.settled_arcs(settings, matter)
        model = model.do(settings)
    data = {"evidence": known, "log_probability": model.log_probability(known)}
    if settings:
        data |= {"do": settings, "uncertain_arcs": uncertain, "settled_arcs": settled}
    found = {name: model.posterior(name, known).describe(None) for name in target or ()}
    if found:
        data["posteriors"] = {name: one.to_json() for name, one in found.items()}
    best = model.most_probable(known) if mpe else None
    if best is not None:
        data |= best.describe().to_json()
    explanations = {name: model.explain(name, known).describe() for name in target or ()} if explain else {}
    if explanations:
        data["explanations"] = {name: one.to_json() for name, one in explanations.items()}
    report("", quiet=True, json=json, **data)
    if not (quiet or json):
        interventions = [f"do({assignment})" for assignment in do or ()]
        conditioned = [*interventions, *conditions(known, evidence or (), model.schema)]
        given = f" given {', '.join(conditioned)}" if conditioned else ""
        for name, one in found.items():
            show(replace(one, title=f"{name}{given}", notes=()))
        if best is not None:
            about = "most probable" if best.is_exact else "most probable (approximate)"
            title = f"{about}{given}, log-probability {best.log_probability:.4f}"
            show(replace(best.describe(None), title=title, notes=()))
        for explanation in explanations.values():
            show(explanation)
        for remark in range_notes(known, model.schema):
            note(f"{remark}.")
        for arc in uncertain:
            note(note_on_arc(arc))
        for arc in settled:
            note(note_on_settled(arc))

"""``treebound demo``: from the table of a clinic to a network, and what it says about a patient."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from treebound._budget import Budget
from treebound.cli._clinic import clinic
from treebound.cli._show import say, show
from treebound.constraints import Constraints
from treebound.data import Dataset
from treebound.formats.network_files import save_network
from treebound.learning import LearnResult, learn
from treebound.network import BayesianNetwork
from treebound.plot import save_figure
from treebound.tables import save_table

_ROWS, _TREEWIDTH, _STEPS = 10_000, 4, 1000
_TARGET = "heart disease"
_KNOWN = Constraints(roots=["age", "sex"], leaves=["hospital"])
_PATIENT = {"smoker": "daily", "chest pain": "yes", "ECG": "abnormal"}


def demo(
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the table, the network and its picture.")
    ] = Path("demo"),
) -> None:
    """Learn a network from the patients of a made-up clinic, query it, and draw it.

    **Example**

    `treebound demo --folder pictures`
    """
    truth = clinic()
    table = truth.sample(_ROWS, seed=1)
    say(
        f"A made-up clinic: {_ROWS:,} patients, {len(truth.schema)} columns from age to hospital stay. "
        f"Learning a network of treewidth at most {_TREEWIDTH} takes a few seconds."
    )
    say("Prior knowledge: nothing causes age or sex, and a hospital stay comes last.")
    result = learn(table, _TREEWIDTH, constraints=_KNOWN, budget=Budget(steps=_STEPS), progress=True)
    show(replace(result.describe(), title="1. The learned network"))
    _compare(result, truth)
    network = result.network
    posterior = network.posterior(_TARGET, _PATIENT).describe()
    show(replace(posterior, title=f"2. A patient: {posterior.title}"))
    by_truth = truth.posterior(_TARGET, _PATIENT)
    say(f"The clinic that made the table gives yes {by_truth['yes']:.4f}.")
    explanation = network.explain(_TARGET, _PATIENT).describe()
    show(replace(explanation, title=f"3. Why: {explanation.title}"))
    _predict(network, truth)
    _save(result, table, folder)


def _compare(result: LearnResult, truth: BayesianNetwork) -> None:
    """Report how much of the true structure was found."""
    true_edges = {frozenset(arc) for arc in truth.arcs}
    found = len(true_edges & {frozenset(arc) for arc in result.structure.arcs})
    say(
        f"{found} of the {len(true_edges)} true arcs were found, in one direction or the other; "
        f"{result.structure.num_arcs - found} arcs are not in the truth."
    )
    say(str(result.structure.guarantee))


def _predict(network: BayesianNetwork, truth: BayesianNetwork) -> None:
    """Report the accuracy on patients that were not learned from."""
    fresh, target = truth.sample(2000, seed=2), truth.schema.names.index(_TARGET)
    states = fresh.codes[target]
    right = (network.posterior_rows(target, fresh).argmax(axis=1) == states).mean()
    best = (truth.posterior_rows(target, fresh).argmax(axis=1) == states).mean()
    often = max((states == state).mean() for state in range(len(truth.schema[target].states)))
    say(
        f"4. {fresh.num_rows:,} new patients: {_TARGET} predicted with accuracy {right:.3f} "
        f"(the clinic itself {best:.3f}, always the most frequent state {often:.3f})."
    )


def _save(result: LearnResult, table: Dataset, folder: Path) -> None:
    """Write the table, the network and its picture, and name commands to go on with."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in ("clinic.csv", "network.json", "network.png")]
    save_table(table, files[0])
    save_network(result.network, files[1])
    save_figure(result, files[2])
    say(f"Written: {', '.join(map(str, files))}")
    say(f"Explore the network in the browser: {shlex.join(['treebound', 'explore', str(files[1])])}")

"""``treebound demo``: from a sampled table to a network and its answers."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from treebound.cli._show import say, show
from treebound.formats.network_files import save_network
from treebound.learning import learn
from treebound.network import BayesianNetwork, random_network
from treebound.plot import save_figure

_VARIABLES, _ROWS, _TREEWIDTH, _SECONDS = 300, 5000, 3, 24.0


def demo(
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the network and its picture.")
    ] = Path("demo"),
) -> None:
    """Sample a table from a random network, learn a network from it, and compare the two.

    **Example**

    `treebound demo --folder pictures`
    """
    truth = random_network(_VARIABLES, max_treewidth=_TREEWIDTH, seed=1)
    table = truth.sample(_ROWS, 1)
    say(
        f"A random network of {_VARIABLES} variables, {truth.num_arcs:,} arcs and treewidth {_TREEWIDTH}, "
        f"and {_ROWS:,} rows sampled from it. Learning from the rows alone takes {_SECONDS:.0f} s."
    )
    result = learn(table, _TREEWIDTH, budget=_SECONDS, progress=True)
    assert result.scoring is not None
    show(result.scoring.describe(), "1. candidate parent sets")
    show(result.describe(), "2. the network")
    true_edges = {frozenset(arc) for arc in truth.arcs}
    found = len(true_edges & {frozenset(arc) for arc in result.structure.arcs})
    say(
        f"{found} of the {len(true_edges)} true arcs are there, in one direction or the other; "
        f"{result.structure.num_arcs - found} arcs are not in the truth."
    )
    say(str(result.structure.guarantee))
    folder.mkdir(parents=True, exist_ok=True)
    network = result.network
    _ask(network, truth)
    save_network(network, folder / "network.json")
    save_figure(result, folder / "network.png")
    say(f"Written: {folder / 'network.json'}, and a picture: {folder / 'network.png'}")
    command = shlex.join(["treebound", "explore", str(folder / "network.json")])
    say(f"Explore the network in the browser: {command}")


def _ask(network: BayesianNetwork, truth: BayesianNetwork) -> None:
    """Show one posterior, exact in the learned network, beside that of the network that made the table."""
    schema = network.schema
    name, given_names = max(network.parents.items(), key=lambda family: len(family[1]))
    evidence = {parent: schema[parent].states[0] for parent in given_names}
    posterior = network.posterior(name, evidence).describe()
    show(posterior, f"3. an exact result: {posterior.title}")
    true_weights = ", ".join(f"{weight:.3f}" for weight in truth.posterior(name, evidence).array)
    say(f"In the network that made the table: {true_weights}.")

"""``treebound demo``: from a sampled table to a network and its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treebound._budget import Budget
from treebound._learn import learn
from treebound.cli._asking import bars
from treebound.cli._scoring import report_table
from treebound.cli._searching import learn_table
from treebound.cli._show import out
from treebound.formats.network_files import save_network
from treebound.network import BayesianNetwork, fit, random_network
from treebound.plot import save_figure

_VARIABLES, _ROWS, _TREEWIDTH, _SECONDS = 300, 5000, 3, 24.0


def demo(
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the network and its picture go.")
    ] = Path("demo"),
) -> None:
    """Sample a table from a random network, and learn a network of bounded treewidth from the table alone.

    **Example**

    `treebound demo --folder pictures`
    """
    console = out()
    truth = random_network(_VARIABLES, max_treewidth=_TREEWIDTH, seed=1)
    table = truth.sample(_ROWS, 1)
    console.print(
        f"A random network of {_VARIABLES} variables, {truth.num_arcs:,} arcs and treewidth {_TREEWIDTH}, "
        f"and {_ROWS:,} rows sampled from it. Learning from the rows alone takes {_SECONDS:.0f} s."
    )
    result = learn(table, _TREEWIDTH, budget=Budget(seconds=_SECONDS), progress=True)
    assert result.scoring is not None
    console.print(report_table(result.scoring, "1. candidate parent sets"))
    console.print(learn_table(result, "2. the network"))
    true_edges = {frozenset(arc) for arc in truth.arcs}
    found = len(true_edges & {frozenset(arc) for arc in result.structure.arcs})
    console.print(
        f"[bold]{found}[/] of the {len(true_edges)} true arcs are there, in one direction or the other; "
        f"{result.structure.num_arcs - found} arcs are not in the truth."
    )
    console.print(str(result.structure.guarantee))
    folder.mkdir(parents=True, exist_ok=True)
    network = fit(result, table)
    _ask(network, truth)
    save_network(network, folder / "network.json")
    save_figure(result, folder / "network.png")
    console.print(f"Written: {folder / 'network.json'}, and a picture: [bold]{folder / 'network.png'}[/]")


def _ask(network: BayesianNetwork, truth: BayesianNetwork) -> None:
    """Show one posterior, exact in the learned network, beside that of the network that made the table."""
    schema = network.schema
    name, given_names = max(network.parents.items(), key=lambda family: len(family[1]))
    evidence = {parent: schema[parent].states[0] for parent in given_names}
    given = ", ".join(f"{name}={state}" for name, state in evidence.items())
    out().print(f"3. an exact answer: {name} given {given}", style="bold", markup=False)
    out().print(bars(list(schema[name].states), network.posterior(name, evidence).array.tolist()))
    true_weights = ", ".join(f"{weight:.3f}" for weight in truth.posterior(name, evidence).array)
    out().print(f"In the network that made the table: {true_weights}.")

"""``treebound generate``: a random network, and a table sampled from it."""

from __future__ import annotations

import inspect
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from treebound.cli._options import JsonOption, QuietOption
from treebound.cli._show import report, usage_errors
from treebound.formats.network_files import WRITTEN_ENDINGS, check_network_path, save_network
from treebound.network import random_inverted_tree, random_network
from treebound.tables import check_table_path, save_table

_DEFAULTS = {name: p.default for name, p in inspect.signature(random_network).parameters.items()}


class Kind(StrEnum):
    """The kinds of network that can be drawn."""

    RANDOM = "random"
    INVERTED_TREE = "inverted-tree"


def generate(
    context: typer.Context,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Table to write: .csv, .tsv (also with .gz) or .parquet.")
    ],
    variables: Annotated[int, typer.Option(metavar="N", min=1, help="Number of variables (columns).")],
    rows: Annotated[int, typer.Option(metavar="N", min=0, help="Number of rows to sample.")],
    kind: Annotated[
        Kind,
        typer.Option(
            metavar="KIND",
            help="random: parents drawn among the preceding variables of a random order; inverted-tree: a "
            "tree of binary variables whose arcs point to the root, with --width parents each.",
        ),
    ] = Kind.RANDOM,
    width: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=1,
            help="Treewidth limit. Without it, exact inference in a large network is usually infeasible.",
        ),
    ] = _DEFAULTS["max_treewidth"],
    min_states: Annotated[int, typer.Option(metavar="N", help="Minimum number of states.")] = _DEFAULTS[
        "min_states"
    ],
    max_states: Annotated[int, typer.Option(metavar="N", help="Maximum number of states.")] = _DEFAULTS[
        "max_states"
    ],
    min_parents: Annotated[int, typer.Option(metavar="N", help="Minimum number of parents.")] = _DEFAULTS[
        "min_parents"
    ],
    max_parents: Annotated[int, typer.Option(metavar="N", help="Maximum number of parents.")] = _DEFAULTS[
        "max_parents"
    ],
    concentration: Annotated[
        float,
        typer.Option(
            metavar="A",
            help="Dirichlet concentration of the probabilities: 1 is uniform, less gives stronger "
            "dependencies, more gives noise.",
        ),
    ] = _DEFAULTS["concentration"],
    seed: Annotated[int, typer.Option(metavar="S", help="Random seed.")] = _DEFAULTS["seed"],
    network: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Also save the network: {', '.join(WRITTEN_ENDINGS)}.",
        ),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Generate a random network and sample a table from it: test data with a known true network.

    The defaults are 2 to 4 states, 0 to 6 parents and uniformly drawn probabilities.

    **Examples**

    `treebound generate wide.parquet --variables 10000 --rows 5000`

    `treebound generate narrow.csv --variables 200 --rows 1000 --width 4 --network truth.json`

    `treebound generate tree.csv --variables 101 --rows 10000 --kind inverted-tree --width 2`
    """
    started = time.perf_counter()
    choices: dict[str, Any] = {
        "min_states": min_states,
        "max_states": max_states,
        "min_parents": min_parents,
        "max_parents": max_parents,
        "concentration": concentration,
    }
    with usage_errors():
        check_table_path(out)
        if network is not None:
            if network.resolve() == out.resolve():
                raise ValueError(f"the table and the network need two files, got {out} for both.")
            check_network_path(network)
        if kind is Kind.INVERTED_TREE:
            drawn = random_inverted_tree(variables, _tree_width(context, width, list(choices)), seed=seed)
        else:
            drawn = random_network(variables, max_treewidth=width, seed=seed, **choices)
    if network is not None:
        save_network(drawn, network)
    save_table(drawn.sample(rows, seed), out)
    data: dict[str, Any] = {
        "path": str(out),
        "variables": drawn.num_variables,
        "rows": rows,
        "arcs": drawn.num_arcs,
        "parameters": drawn.num_parameters,
        "seconds": round(time.perf_counter() - started, 3),
    }
    sentence = (
        "{path}: {rows:,} rows of {variables:,} variables with {arcs:,} arcs and {parameters:,} "
        "parameters in {seconds:.1f} s".format(**data)
    )
    report(sentence, quiet=quiet, json=json, **data)


def _tree_width(context: typer.Context, width: int | None, unused: list[str]) -> int:
    """The width of an inverted tree; reject options that it would have to ignore."""
    for name in unused:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ValueError(f"--{name.replace('_', '-')} does not apply to an inverted tree.")
    if width is None:
        raise ValueError("an inverted tree needs --width, the number of parents of its variables.")
    return width

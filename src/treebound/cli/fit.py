"""``treebound fit``: from a structure and a table to a network."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from treebound.cli._options import (
    HiddenOption,
    JsonOption,
    QuietOption,
    StructureArgument,
    ThreadsOption,
    output_option,
    requested_hidden,
    table_argument,
)
from treebound.cli._show import exits_at_once, report, usage_errors
from treebound.cli._table_options import MissingName, Reading, taking
from treebound.formats.network_files import WRITTEN_ENDINGS, check_network_path, save_network
from treebound.formats.structure_files import load_structure
from treebound.network import (
    BackoffPrior,
    BdeuPrior,
    MarginalPrior,
    MaximumLikelihood,
    PseudoCount,
    Smoothing,
)
from treebound.network import fit as fit_network


class SmoothingName(StrEnum):
    """The priors by name."""

    PSEUDO_COUNT = "pseudo-count"
    MARGINAL = "marginal"
    BACKOFF = "backoff"
    BDEU = "bdeu"
    NONE = "none"

    def with_weight(self, weight: float | None) -> Smoothing:
        """Return the prior; None takes its default weight."""
        if self is SmoothingName.NONE:
            if weight is not None:
                raise ValueError("--weight does not apply to --smoothing none.")
            return MaximumLikelihood()
        kinds: dict[SmoothingName, Callable[..., Smoothing]] = {
            SmoothingName.MARGINAL: MarginalPrior,
            SmoothingName.BACKOFF: BackoffPrior,
            SmoothingName.PSEUDO_COUNT: PseudoCount,
            SmoothingName.BDEU: BdeuPrior,
        }
        return kinds[self]() if weight is None else kinds[self](weight)


@taking(reading=Reading)
def fit(
    structure: StructureArgument,
    table: Annotated[Path, table_argument("Table to fit to")],
    output: Annotated[Path, output_option("NET", f"Network to write: {', '.join(WRITTEN_ENDINGS)}.")],
    smoothing: Annotated[
        SmoothingName,
        typer.Option(
            help="pseudo-count: the same count in every cell; marginal: towards the marginal distribution; "
            "backoff: towards the table with one parent fewer; bdeu: prior of the BDeu score; none: maximum "
            "likelihood."
        ),
    ] = SmoothingName.PSEUDO_COUNT,
    weight: Annotated[
        float | None,
        typer.Option(
            metavar="W",
            help="Weight of the prior. [default: "
            f"pseudo-count {PseudoCount().alpha:g} per cell, marginal {MarginalPrior().weight:g} rows, "
            f"backoff {BackoffPrior().weight:g} rows, bdeu {BdeuPrior().equivalent_sample_size:g} row]",
        ),
    ] = None,
    missing: Annotated[
        MissingName | None,
        typer.Option(
            help="Rows with missing values: error rejects them; drop skips them; keep counts a row in "
            "every probability table whose variables are observed; em uses all observed values. [default: "
            "as the structure was learned]",
        ),
    ] = None,
    hidden: HiddenOption = None,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Random seed for hidden variables.")] = 0,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    *,
    reading: Reading,
) -> None:
    """Estimate the probability tables of a structure and write a network.

    Columns are matched by name. States and bins are those that the structure was learned with, if it stores
    them.

    **Examples**

    `treebound fit structure.json survey.csv -o network.json`

    `treebound fit structure.json survey.csv -o network.json --smoothing pseudo-count --weight 1`
    """
    with usage_errors():
        check_network_path(output)
        prior = smoothing.with_weight(weight)
        unobserved = requested_hidden(hidden)
    with exits_at_once():
        loaded = load_structure(structure, **reading.limit)
        network = fit_network(
            loaded,
            reading.open(table, loaded.schema),
            smoothing=prior,
            missing=None if missing is None else missing.value,
            hidden=unobserved,
            seed=seed,
            threads=threads,
        )
    save_network(network, output)
    size = {
        "variables": network.num_variables,
        "arcs": network.num_arcs,
        "parameters": network.num_parameters,
    }
    sentence = "{}: {variables:,} variables, {arcs:,} arcs, {parameters:,} parameters".format(output, **size)
    report(sentence, quiet=quiet, json=json, path=str(output), **size, smoothing=str(smoothing))

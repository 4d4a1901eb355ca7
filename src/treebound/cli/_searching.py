"""A search as a person sees it when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound._progress import WIDEST_GAP
from treebound._visible import counted
from treebound.cli._show import fact_table, styled
from treebound.learning import LearnResult
from treebound.network import BayesianNetwork

if TYPE_CHECKING:
    from rich.table import Table


def learn_table(result: LearnResult, title: str, network: BayesianNetwork | None = None) -> Table:
    """Return what was learned as a table to print, with the network that was fitted to it, if any."""
    structure, found = result.structure, result.search
    table = fact_table(title, min_width=60)
    table.add_row("variables", f"{structure.num_variables:,}")
    table.add_row("arcs", f"{structure.num_arcs:,}")
    if network is not None:
        table.add_row("parameters", f"{network.num_parameters:,}")
    table.add_row("score", styled(f"{result.score:,.4f}", "bold green"))
    limit = "" if structure.max_treewidth is None else f" (limit {structure.max_treewidth})"
    table.add_row("treewidth", styled(f"{structure.treewidth}{limit}", "bold"))
    table.add_row("check", str(result.verdict))
    table.add_section()
    if result.scoring is not None:
        sets = f"{result.scoring.sets_scored:,} sets, {result.scoring.seconds:.1f} s"
        table.add_row("scoring", sets)
    table.add_row(f"search ({found.solver.name})", f"{counted(found.steps, 'step')}, {found.seconds:.1f} s")
    table.add_row("improvements", f"{len(found.trace):,}")
    if found.bound is not None and found.gap is not None and found.gap <= WIDEST_GAP:
        table.add_row(f"upper bound ({found.bound_source})", f"{found.bound:,.4f}")
        optimal = styled("none: optimal", "bold green")
        table.add_row("gap", optimal if found.is_optimal else f"at most {found.gap:.4%}")
    table.add_row("ended", found.ended)
    table.add_row("peak memory", f"{result.peak_memory_mb:,.0f} MB")
    return table

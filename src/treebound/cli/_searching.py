"""A search as a person sees it when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound._learn import LearnResult
from treebound._run import StopReason
from treebound.cli._show import fact_table
from treebound.network import BayesianNetwork

_WEAK = 0.1
_ENDED = {StopReason.AT_REST: "at rest: nothing better came for long"}

if TYPE_CHECKING:
    from rich.table import Table


def learn_table(result: LearnResult, title: str, network: BayesianNetwork | None = None) -> Table:
    """Return what was learned as a table to print, with the network that was fitted to it, if any."""
    from rich.text import Text

    structure, found = result.structure, result.search
    table = fact_table(title, min_width=60)
    table.add_row("variables", f"{structure.num_variables:,}")
    table.add_row("arcs", f"{structure.num_arcs:,}")
    if network is not None:
        table.add_row("parameters", f"{network.num_parameters:,}")
    table.add_row("score", f"[bold green]{result.score:,.4f}[/]")
    asked = "" if structure.max_treewidth is None else f" (bound {structure.max_treewidth})"
    table.add_row("treewidth", f"[bold]{structure.treewidth}[/]{asked}")
    table.add_row("check", Text(str(result.verdict)))
    table.add_section()
    if result.scoring is not None:
        sets = f"{result.scoring.sets_scored:,} sets, {result.scoring.seconds:.1f} s"
        table.add_row("scoring", sets)
    table.add_row(f"search ({found.solver.name})", f"{found.steps:,} steps, {found.seconds:.1f} s")
    table.add_row("improvements", f"{len(found.trace):,}")
    if found.bound is not None:
        table.add_row(f"upper bound ({found.bound_source})", f"{found.bound:,.4f}")
        table.add_row("gap", "[bold green]none: optimal[/]" if found.is_optimal else _gap(found.gap or 0.0))
    table.add_row("ended", _ENDED.get(found.stopped, str(found.stopped)))
    table.add_row("peak memory", f"{result.peak_memory_mb:,.0f} MB")
    return table


def _gap(gap: float) -> str:
    """How far the optimum may be; where the bound says little, that is told."""
    return f"at most {gap:.4%}" if gap < _WEAK else f"at most {gap:.0%}: the bound is too weak to tell"

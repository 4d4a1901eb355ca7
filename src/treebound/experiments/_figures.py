"""The figures of a comparison: score over time for each source, victories, and W-scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treebound.experiments._result import ComparisonResult
from treebound.plot import INK, plot_curves, plot_victories, plot_w_scores, require_matplotlib, save_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 150
_PER_ROW = 3


def save_figures(result: ComparisonResult, folder: Path) -> list[Path]:
    """Draw all that the runs allow, as ``.png``, and return the paths."""
    require_matplotlib()
    pages = {f"curves-{source}": _curves(result, source) for source in result.sources}
    if len(result.solvers) > 1:
        pages["victories"] = _victories(result)
    if result.w_scores():
        pages["w_scores"] = _w_scores(result)
    paths = []
    for name, page in pages.items():
        paths.append(folder / f"{name}.png")
        save_page(page, paths[-1])
    return paths


def _curves(result: ComparisonResult, source: str) -> Figure:
    """A panel per bound; the solvers without a bound are in each of them."""
    from matplotlib.figure import Figure

    bounds = result.max_treewidths
    columns = min(len(bounds), _PER_ROW)
    rows = -(-len(bounds) // _PER_ROW)
    page = Figure(figsize=(1.0 + 4.1 * columns, 1.0 + 3.1 * rows), dpi=_DPI, layout="constrained")
    panels = page.subplots(rows, columns, squeeze=False).ravel()
    for panel, bound in zip(panels, bounds, strict=False):
        runs = {
            label: [run for run in result.runs_of(source, label, bound) if run.is_ok]
            for label in result.solvers
        }
        plot_curves(runs, reference=result.unbounded_scores.get(source), log_time=True, ax=panel)
        if bound is not None:
            panel.set_title(f"treewidth at most {bound}", size=10, color=INK)
    for panel in panels[len(bounds) :]:
        panel.set_axis_off()
    handles = {
        label: handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    page.suptitle(source, size=13, weight="bold", color=INK, parse_math=False)
    page.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=8, frameon=False, labelcolor=INK
    )
    return page


def _victories(result: ComparisonResult) -> Figure:
    """A heat map per bound."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    labels, bounds = result.solvers, result.max_treewidths
    spacing = ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.08)
    side = 1.4 + 0.62 * len(labels)
    page = Figure(figsize=(max(side * len(bounds), 5.0), side + 0.7), dpi=_DPI, layout=spacing)
    for panel, bound in zip(page.subplots(1, len(bounds), squeeze=False)[0], bounds, strict=True):
        tests = [[result.sign_test(a, b)[bound] for b in labels] for a in labels]
        plot_victories(
            labels,
            [[test.wins for test in row] for row in tests],
            [[test.is_significant for test in row] for row in tests],
            total=len(result.sources),
            ax=panel,
        )
        if bound is not None:
            panel.set_title(f"treewidth at most {bound}", size=10, color=INK)
    sources = f"{len(result.sources):,} source" + ("s" if len(result.sources) > 1 else "")
    page.suptitle(f"Victories of the row over the column on {sources}", size=12, weight="bold", color=INK)
    page.supxlabel("bold and underlined: sign test, p < 0.05", size=8, color=INK)
    return page


def _w_scores(result: ComparisonResult) -> Figure:
    """Boxes over all runs, by solver and bound."""
    values: dict[str, dict[int, list[float]]] = {}
    for row in result.w_scores():
        values.setdefault(row.solver, {}).setdefault(row.max_treewidth, []).append(row.w_score)
    ax = plot_w_scores(values)
    ax.set_title("Loss against the best score without a bound", size=10, color=INK)
    page = ax.get_figure(root=True)
    assert page is not None
    return page

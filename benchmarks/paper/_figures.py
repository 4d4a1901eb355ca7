"""All figures of the report, by experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.paper._definitions import Experiment
from benchmarks.paper._figures_beyond import bounds, inference, published
from benchmarks.paper._figures_searches import boxes, curves, inverted, small, victories
from benchmarks.paper._record import Record
from matplotlib.figure import Figure

from treebound.plot import save_page

Draw = Callable[[Experiment, Record], Figure | None]
# By experiment: the name of each figure, what it shows, and who draws it.
FIGURES: dict[str, Sequence[tuple[str, str, Draw]]] = {
    "small": [
        ("paper-small", "W-scores on the small data sets, k = 4", small),
        ("paper-small-curves", "The median W-score over time on three of them; lower is better", curves),
    ],
    "inverted": [("paper-inverted", "Mean W-score where the truth is an inverted tree", inverted)],
    "large": [
        ("paper-large", "Victories on the large data sets", victories),
        ("paper-large-boxes", "W-scores on the large data sets", boxes),
        ("paper-large-curves", "The median W-score over time on three of them; lower is better", curves),
    ],
    "very_large": [
        ("paper-very-large", "W-scores on the very large data sets", boxes),
        ("paper-very-large-curves", "The median W-score over time on three of them; lower is better", curves),
    ],
    "bounds": [("paper-bounds", "What each pruning rule removes", bounds)],
    "published": [("paper-published", "Regrow beside the published scores of hc-ET", published)],
    "inference": [("paper-inference", "Exact inference with and without a treewidth limit", inference)],
}


def save_figures(experiment: Experiment, record: Record, folder: Path) -> list[tuple[str, str]]:
    """Draw what the record allows; names and captions."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, caption, draw in FIGURES.get(experiment.name, ()):
        page = draw(experiment, record)
        if page is not None:
            save_page(page, folder / f"{name}.png")
            drawn.append((name, caption))
    return drawn

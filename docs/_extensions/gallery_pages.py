"""How sphinx-gallery shows the scripts of examples/: their order, and the figures that plots return."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst

ORDER = [
    "learn",
    "query",
    "census",
    "choose_treewidth",
    "missing_values",
    "prior_knowledge",
    "what_if",
    "classify",
    "outliers",
    "density",
    "synthetic_data",
    "arc_confidence",
    "plots",
]


class Order:
    """Sorts scripts from the first steps to the special ones."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, filename: str) -> int:
        return ORDER.index(Path(filename).stem)


class ShownFigures:
    """Saves the figure of the axes that a block ends with, as a notebook would show it."""

    def __init__(self) -> None:
        self.last: Any = None  # a block without a result leaves that of the block before

    def __repr__(self) -> str:
        return "ShownFigures"

    def __call__(self, block: Any, variables: dict[str, Any], settings: dict[str, Any]) -> str:
        result = variables["example_globals"].get("___")
        if result is self.last or not hasattr(result, "_repr_png_"):
            return ""
        self.last = result
        path = next(variables["image_path_iterator"])
        Path(path).write_bytes(result._repr_png_()[0])
        return figure_rst([path], settings["src_dir"])


SCRAPER = ShownFigures()


def _get_sg_image_scraper() -> Callable[..., str]:
    """What sphinx-gallery calls, before every block."""
    return SCRAPER

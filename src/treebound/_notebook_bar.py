"""A progress bar in a notebook: one output that is replaced as the work goes on, and empty at its end.

Only IPython is needed, which every notebook has; the bars of rich would want ipywidgets there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

_WIDTH = 240  # pixels


def in_notebook() -> bool:
    """Whether this is a kernel of a notebook; the shells of IPython in a terminal are none."""
    module = sys.modules.get("IPython")
    shell: Any = module.get_ipython() if module is not None else None
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def notebook_bar() -> Iterator[Callable[[str, float | None, str], None]]:
    """Yield what draws the bar, which takes the name of the phase, the share that is done, and figures."""
    from IPython import display as ipython

    show: Any = ipython  # which has no types
    shown: list[Any] = []

    def draw(phase: str, share: float | None, figures: str) -> None:
        bar = show.HTML(bar_html(phase, share, figures))
        if shown:
            shown[0].update(bar)
        else:
            shown.append(show.display(bar, display_id=True))

    try:
        yield draw
    finally:
        for one in shown:
            one.update(show.HTML(""))


def bar_html(phase: str, share: float | None, figures: str) -> str:
    """The bar as HTML; without a share, only the words."""
    percent = "" if share is None else f" {share:.0%}"
    done = 0.0 if share is None else _WIDTH * share
    rects = "".join(
        f'<rect width="{width:.1f}" height="12" fill="{colour}"/>'
        for width, colour in ((_WIDTH, "#e5e9ee"), (done, "#6fa8d0"))
    )
    drawn = f'<svg width="{_WIDTH}" height="12">{rects}</svg>' if share is not None else ""
    return f"<div>{escape(phase)} {drawn}{percent} {escape(figures)}</div>"

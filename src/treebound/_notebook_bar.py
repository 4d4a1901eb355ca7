"""A progress bar in a notebook: one line of HTML that is drawn again, and goes when the work is done.

Nothing but IPython is needed, which every notebook has; the bars of rich want ipywidgets there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape

# What is drawn: what is being done, how much of it is done if that is known, and figures.
Draw = Callable[[str, float | None, str], None]


def line(phase: str, share: float | None, told: str) -> str:
    """The bar as HTML; a bar without an end where nobody knows how much there is to do."""
    value = "" if share is None else f' value="{min(max(share, 0.0), 1.0):.4f}"'
    return (
        f'<span style="font-family: monospace">{escape(phase)} <progress max="1"{value}></progress> '
        f"{escape(told)}</span>"
    )


@contextmanager
def notebook_bar() -> Iterator[Draw]:
    """Yield what draws the bar; it appears with the first call."""
    from IPython.display import HTML, DisplayHandle

    handle = DisplayHandle()
    is_shown = False

    def draw(phase: str, share: float | None, told: str) -> None:
        nonlocal is_shown
        show = handle.update if is_shown else handle.display
        show(HTML(line(phase, share, told)))
        is_shown = True

    try:
        yield draw
    finally:
        if is_shown:
            handle.update(HTML(""))

"""The console of the verbs: every string is text, never markup, and unprintable characters are visible."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from treebound._visible import visible_lines


class PlainConsole(Console):
    """A console on which names, labels and file names can be printed as they are; styles come as ``Text``."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Make a string printable; tables and titles come through here too."""
        return super().render_str(visible_lines(text), **{**options, "markup": False, "emoji": False})

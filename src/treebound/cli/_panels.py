"""Which panel of the help an option belongs to; those of tables come from the records that declare them."""

from __future__ import annotations

_SEARCHING = {"learn", "score", "tune", "compare"}
_OUTPUT = {"output", "network", "plot", "cache", "figures", "quiet", "json", "help"}


def panel_of(option: str, verb: str) -> str:
    """Return the title of the panel for an option of a verb."""
    if option in _OUTPUT and (option, verb) != ("cache", "check"):  # which reads it
        return "Output"
    return "Search" if verb in _SEARCHING else "Options"

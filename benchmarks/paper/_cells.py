"""Numbers and names as tables of the report show them."""

from __future__ import annotations

from benchmarks.paper._definitions import load_methods

NONE = "–"
RULES = {
    "in_degree": "Corollary 1",
    "theorem1": "Theorem 1",
    "first_condition": "its first condition",
    "de_campos_ji": "de Campos and Ji",
    "entropy": "entropies (ours)",
    "de_campos_ji+theorem1": "de Campos and Ji, Theorem 1",
    "de_campos_ji+first_condition": "de Campos and Ji, first condition",
    "all": "all",
}


def shown(label: str) -> str:
    """A method as the page calls it."""
    return load_methods()[label].shown.replace("*", "\\*")


def number(value: float | None, digits: int = 0) -> str:
    """A number with thousands apart, or a dash."""
    return NONE if value is None else f"{value:,.{digits}f}"


def percent(share: float | None, digits: int = 2) -> str:
    """A share in percent."""
    return NONE if share is None else f"{100 * share:.{digits}f}"

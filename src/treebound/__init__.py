"""Bayesian networks of bounded treewidth: learn them from wide categorical tables, ask them exact questions.

Public names load on first use, so that ``import treebound`` stays quick. Their one list is the stub
``__init__.pyi`` beside this file, which type checkers read too.
"""

from __future__ import annotations

import logging
from typing import Any

from treebound._lazy import homes_in_stub

# A library stays silent unless the program that uses it asks to hear from it.
logging.getLogger("treebound").addHandler(logging.NullHandler())

_HOMES = homes_in_stub(__file__)

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treebound")
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'treebound' has no attribute {name!r}")


def __dir__() -> list[str]:
    # What this file itself imports is of no use to others.
    own = {name for name in globals() if name.startswith("_")} | {"__version__"}
    parts = {
        name for name, value in globals().items() if getattr(value, "__package__", "") == f"treebound.{name}"
    }
    return sorted({*__all__, *own, *parts})

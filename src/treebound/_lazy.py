"""Public names from a stub: one list for type checkers and for imports on first use."""

from __future__ import annotations

import ast
from pathlib import Path


def homes_in_stub(module_file: str) -> dict[str, str]:
    """Return which module defines each name that the stub beside ``module_file`` imports."""
    stub = Path(module_file).with_suffix(".pyi")
    return {
        alias.name: node.module
        for node in ast.parse(stub.read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }

"""The layers of the package and of the core, and what imports or includes what.

Imports are read from the syntax tree, those inside functions and for type checkers too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "treebound"
CORE = ROOT / "core"

# From the bottom up; those on one line are on one level and may not import each other, except for base.
PACKAGES = [
    [
        "_arguments",
        "_budget",
        "_core",
        "_files",
        "_html",
        "_json",
        "_lazy",
        "_memory",
        "_notebook_bar",
        "_phases",
        "_progress",
        "_run",
    ],
    ["data"],
    ["scoring"],
    ["structure"],
    ["search"],
    ["inference"],
    ["network"],
    ["formats"],
    ["_learn", "plot"],
    ["experiments", "resampling"],
    ["sklearn"],
    ["cli"],
    ["", "__main__"],
]
FOLDERS = [["base"], ["text", "data"], ["scoring"], ["structure"], ["network"], ["search", "inference"]]


def levels(layers: list[list[str]]) -> dict[str, int]:
    return {name: level for level, names in enumerate(layers) for name in names}


def package_of(module: str) -> str:
    """The part of ``treebound.<part>.<rest>`` that has a level; nothing for the package itself."""
    return module.split(".")[1] if "." in module else ""


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path) -> Iterator[str]:
    """Modules of the package that a file names; ``from treebound import x`` names ``treebound.x``."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            module = node.module or ""
            names = [f"{module}.{a.name}" if is_module(module, a.name) else module for a in node.names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "treebound")


def is_module(package: str, name: str) -> bool:
    folder = SOURCE.parent / Path(*package.split("."))
    if package == "treebound" and name == "_core":
        return True
    return (folder / name).is_dir() or (folder / f"{name}.py").exists()


def included_headers(path: Path) -> list[str]:
    """Headers of the core that a file of the core includes; those of its own folder have no slash."""
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)


def python_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def core_files() -> list[Path]:
    return sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])


def folder_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0]

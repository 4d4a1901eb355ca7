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
OUTSIDE = [ROOT / name for name in ("benchmarks", "docs", "examples")]  # what uses the package

# From the bottom up; those on one line are on one level and may not import each other, except for base.
PACKAGES = [
    [
        "_arguments",
        "_budget",
        "_core",
        "_exit",
        "_files",
        "_description",
        "_html",
        "_json",
        "_memory",
        "_notebook_bar",
        "_ordering",
        "_phases",
        "_progress",
        "_run",
        "_version",
        "_visible",
        "_where",
    ],
    ["data"],
    ["tables"],
    ["constraints"],
    ["scoring"],
    ["structure"],
    ["solvers"],
    ["inference"],
    ["network"],
    ["formats"],
    ["learning", "plot"],
    ["density", "experiments", "resampling"],
    ["distributed", "sklearn"],
    ["explorer"],
    ["cli"],
    ["", "__main__"],
]
FOLDERS = [
    ["base"],
    ["text", "data"],
    ["scoring"],
    ["structure"],
    ["network"],
    ["search", "inference"],
    ["density"],
]


def levels(layers: list[list[str]]) -> dict[str, int]:
    return {name: level for level, names in enumerate(layers) for name in names}


def package_of(module: str) -> str:
    """The part of ``treebound.<part>.<rest>`` that has a level; nothing for the package itself."""
    return module.split(".")[1] if "." in module else ""


def is_private(module: str) -> bool:
    """Whether a module belongs to one package only; those of the base are for all."""
    return any(part.startswith("_") for part in module.split(".")[2:])


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


def outside_files() -> list[Path]:
    """Scripts that use the package, which never imports them."""
    return sorted(path for folder in OUTSIDE for path in folder.rglob("*.py"))


def core_files() -> list[Path]:
    return sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])


def folder_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0]

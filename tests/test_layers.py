"""Layers point one way: no import or include reaches up, or into another package's private modules.

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
    ["_arguments", "_budget", "_core", "_files", "_json", "_lazy", "_phases", "_progress", "_run"],
    ["data"],
    ["scoring"],
    ["structure"],
    ["search"],
    ["inference"],
    ["network"],
    ["formats"],
    ["_learn", "plot"],
    ["sklearn"],
    ["cli"],
    ["", "__main__"],
]
FOLDERS = [["base"], ["text", "data"], ["scoring"], ["structure"], ["network"], ["search", "inference"]]

# Known violations, as (file, what it reaches for). Whoever mends one deletes its line.
NOT_YET: set[tuple[str, str]] = {
    ("_learn.py", "treebound.search._arguments"),
    ("_learn.py", "treebound.search._search"),
    ("cli/_scoring.py", "treebound.scoring._rules"),
    ("cli/learn.py", "treebound.search._search"),
    ("cli/score.py", "treebound.scoring._rules"),
    ("cli/score.py", "treebound.scoring._score"),
    ("plot/_layout.py", "treebound.structure._graph"),
}


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


def python_violations() -> Iterator[tuple[str, str]]:
    level = levels(PACKAGES)
    for path in sorted(SOURCE.rglob("*.py")):
        here = package_of(module_of(path))
        for module in sorted(set(imported_modules(path))):
            there = package_of(module)
            if there == here:
                continue
            is_base = level[here] == level[there] == 0
            is_private = any(part.startswith("_") for part in module.split(".")[2:])
            if (level[there] >= level[here] and not is_base) or is_private:
                yield str(path.relative_to(SOURCE)), module


def include_violations() -> Iterator[tuple[str, str]]:
    level = levels(FOLDERS)
    for path in sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")]):
        here = path.relative_to(CORE).parts[0]
        for header in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
            there = header.split("/")[0] if "/" in header else here
            if there != here and level[there] >= level[here]:
                yield str(path.relative_to(CORE)), header


def test_imports_and_includes_point_down():
    found = {*python_violations(), *include_violations()}
    listed = "\n".join(f"    {violation}," for violation in sorted(found - NOT_YET))
    assert not found - NOT_YET, f"these reach up, or into private modules:\n{listed}"
    assert not NOT_YET - found, f"mended, so delete from NOT_YET: {sorted(NOT_YET - found)}"


def test_the_names_of_all_packages_and_folders_have_a_level():
    packages = {package_of(module_of(path)) for path in SOURCE.rglob("*.py")}
    assert packages <= {name for names in PACKAGES for name in names}
    assert {path.name for path in CORE.iterdir() if path.is_dir()} <= {
        name for names in FOLDERS for name in names
    }

"""Which names a test file compares: what is used together, read from its syntax tree.

A name counts as used by a function, class or constant of the file if it stands in it, or in another of the
file that it uses. Names are told with the path that they were imported by, so that a twin ``posterior`` is
not taken for the method of that name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@cache
def used_together(path: Path) -> tuple[frozenset[str], ...]:
    """The dotted names that each test function or class of the file uses."""
    tree = ast.parse(path.read_text())
    imported = dict(_imports(tree))
    direct = {
        name: {_dotted(node, imported) for node in ast.walk(part)} - {""}
        for part in tree.body
        if isinstance(part, Definition)
        for name in _names_of(part)
    }
    tests = [
        part.name for part in tree.body if isinstance(part, ast.ClassDef | ast.FunctionDef) and _is_test(part)
    ]
    return tuple(frozenset(_reached(test, direct)) for test in tests)


def _is_test(part: ast.ClassDef | ast.FunctionDef) -> bool:
    return isinstance(part, ast.ClassDef) or part.name.startswith("test_")


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Local names and what they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _names_of(part: Definition) -> list[str]:
    if isinstance(part, ast.FunctionDef | ast.ClassDef):
        return [part.name]
    targets = part.targets if isinstance(part, ast.Assign) else [part.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def _dotted(node: ast.AST, imported: dict[str, str]) -> str:
    """The name that stands here; a method of something else than a name starts with a dot."""
    if isinstance(node, ast.Name):
        return imported.get(node.id, node.id)
    if isinstance(node, ast.arg):
        return node.arg  # of a fixture
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, imported)}.{node.attr}"
    return ""


def _reached(name: str, direct: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        fresh = direct.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return reached

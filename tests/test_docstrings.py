"""Docstrings of the public functions: numpydoc sections for every parameter, and examples that run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import types
from pathlib import Path

import pytest

import treebound as tb

FUNCTIONS = [name for name in tb.__all__ if isinstance(getattr(tb, name), types.FunctionType)]
VALUES = [
    *("Budget", "PseudoCount", "BdeuPrior", "MarginalPrior", "BackoffPrior"),
    *("Bic", "Bdeu", "Exhaustive", "Independence"),
]
EXAMPLES = [
    *(f"treebound.{name}" for name in FUNCTIONS),
    *(f"treebound.{name}" for name in VALUES),
    "treebound.Structure.from_parents",
    "treebound.ParentSetCache.from_sets",
]

SOURCE = Path(tb.__file__).parent
MODULES = [
    ".".join(("treebound", *path.relative_to(SOURCE).with_suffix("").parts))
    for path in sorted(SOURCE.rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def found(name):
    value = tb
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [test for test in finder.find(importlib.import_module(module)) if test.examples]
    assert tests
    for test in tests:
        test.globs.clear()
        assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("name", EXAMPLES)
def test_sections_are_complete(name):
    value = found(name)
    text = inspect.getdoc(value)
    first, *_ = text.split("\n")
    assert first.endswith(".")
    sections = ("Examples",) if isinstance(value, type) else ("Parameters", "Raises", "Examples")
    for section in sections:
        assert f"\n{section}\n{'-' * len(section)}\n" in text, f"{name}: no section {section}"
    assert ">>> " in text
    described = set(re.findall(r"\w+", " ".join(re.findall(r"^([\w, ]+) : ", text, flags=re.MULTILINE))))
    assert described <= set(inspect.signature(value).parameters)
    if value is not tb.inspect:  # which refers to load
        assert described == set(inspect.signature(value).parameters)

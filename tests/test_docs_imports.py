"""What the documents say can be imported, can."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IMPORT = re.compile(r"^from (treebound[\w.]*) import ([\w, ]+)$", re.MULTILINE)
ANNOUNCED = sorted(
    {
        (module, name.strip())
        for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
        for module, names in IMPORT.findall(document.read_text("utf-8"))
        for name in names.split(",")
    }
)


@pytest.mark.parametrize(("module", "name"), ANNOUNCED)
def test_an_announced_import_works(module, name):
    assert hasattr(importlib.import_module(module), name)


def test_search_is_a_function_and_not_a_package():
    assert ("treebound", "search") in ANNOUNCED
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("treebound.search")

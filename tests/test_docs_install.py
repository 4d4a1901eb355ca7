"""Install commands on the pages work from a checkout: treebound is not on PyPI."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("examples/*.md"))]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
LINE = re.compile(r"pip install ('?)([^\s`']+)\1")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pip_installs_the_checkout_with_extras_that_there_are(page):
    for _, what in LINE.findall(page.read_text()):
        named = re.fullmatch(r"\.(?:\[([a-z,]+)\])?", what)
        assert named, what
        assert set((named[1] or "all").split(",")) <= set(EXTRAS)


def test_the_pages_are_there():
    assert sum(len(LINE.findall(page.read_text())) for page in PAGES) > 5

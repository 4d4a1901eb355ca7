"""Links between the pages lead somewhere. Sphinx checks anchors and names when it builds the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages import ROOT, pages

PAGES = sorted({*ROOT.glob("*.md"), *pages()})
FENCES = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|^:link: (\S+)$", re.MULTILINE)


def targets(page: Path) -> list[str]:
    links = LINK.findall(FENCES.sub("", page.read_text("utf-8")))
    return [target for link in links for target in link if target and "://" not in target]


def leads_somewhere(page: Path, target: str) -> bool:
    """Whether there is such a file; pages of the gallery are written from their scripts."""
    path = page.parent / target
    if path.parent.name == "gallery":
        return path.stem == "index" or (ROOT / "examples" / f"{path.stem}.py").exists()
    return any(candidate.exists() for candidate in (path, Path(f"{path}.md")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page):
    assert [target for target in targets(page) if not leads_somewhere(page, target)] == []


def test_the_readme_has_links():
    assert len(targets(ROOT / "README.md")) > 5

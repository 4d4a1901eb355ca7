"""The pictures of the pages: each is shown somewhere, and its script draws it again."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
PICTURES = sorted(path.name for path in FIGURES.iterdir() if path.suffix in (".svg", ".png"))
SCRIPTS = sorted(
    path.name for path in FIGURES.glob("[a-z]*.py") if "\ndef draw() " in path.read_text("utf-8")
)
# Pictures of pages that tests or benchmarks draw have their scripts there.
ELSEWHERE = ["tests/explorer_pictures.py", "tests/layers_figure.py", "benchmarks/paper/_figures.py"]
DRAWING = [
    path.read_text("utf-8") for path in [*FIGURES.glob("[a-z]*.py"), *(ROOT / path for path in ELSEWHERE)]
]


@pytest.fixture
def in_figures(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(FIGURES))


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_is_on_a_page(picture):
    assert any(f"figures/{picture}" in page.read_text("utf-8") for page in PAGES)


@pytest.mark.parametrize("picture", PICTURES)
def test_a_committed_script_draws_a_picture(picture):
    name = Path(picture).stem
    ways = (picture, f'"{name}"', f'save("{name.removeprefix("explorer-")}")')
    assert any(way in script for way in ways for script in DRAWING)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_has_a_picture_and_draws(script, in_figures):
    try:
        figure = runpy.run_path(str(FIGURES / script))["draw"]()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    assert figure.axes
    assert re.sub(r"\.py$", "", script) in {Path(picture).stem for picture in PICTURES}


def test_the_picture_of_a_notebook_has_cells_that_are_there(in_figures):
    page = runpy.run_path(str(FIGURES / "notebook.py"))["page"]()
    assert page.count("<pre>") == 2
    assert "probability" in page


def test_the_pictures_of_terminals_show_what_commands_print(in_figures):
    pytest.importorskip("pandas")
    found = runpy.run_path(str(FIGURES / "terminal.py"))["pictures"]()
    assert {f"{name}.svg" for name in found} <= set(PICTURES)
    words = {"terminal-inspect": "binned", "terminal-learn": "treewidth", "terminal-query": "diabetes"}
    for name, word in words.items():
        assert word in found[name]
        assert word in (FIGURES / f"{name}.svg").read_text("utf-8")
        assert "http" not in found[name].replace("http://www.w3.org/2000/svg", "")

"""Names with square brackets, which the terminal library would take for styles, are told as they are."""

from __future__ import annotations

import pytest

ROWS = "rain,[wet],slip\n" + "no,no,no\nyes,yes,no\nyes,yes,no\nno,no,no\n" * 5

pytestmark = pytest.mark.core


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "[bold]table.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_verb_tells_the_names_of_its_files(folder, run):
    table = "[bold]table.csv"
    learning = ("learn", table, "-k", 1, "--steps", 2, "-o", "[red]n.json")
    asked = {
        "[bold]table.csv -> [red]c.tbc": ("score", table, "-o", "[red]c.tbc", "--steps", 9),
        "[bold]table.csv -> [red]n.json": learning,
        "[red]f.json: 3 variables": ("fit", "[red]n.json", table, "-o", "[red]f.json"),
        "[red]r.csv: 4 rows": ("sample", "[red]n.json", "-n", 4, "-o", "[red]r.csv"),
        "[red]i.csv: 20 rows": ("impute", "[red]n.json", table, "-o", "[red]i.csv"),
        "figures in [red]out": (
            *("compare", "[red]c.tbc", "-k", 1, "--solvers", "kg,hc-et", "--steps", 1),
            *("-o", "[red]out", "--no-figures"),
        ),
    }
    for words, command in asked.items():
        code, out, err = run(*command)
        assert code == 0, err
        assert words in out
    assert "hc-et needs rows, and [red]c is a bare cache" in err


def test_constant_columns_are_told_by_name(folder, run):
    (folder / "t.csv").write_text("a,[b]\n1,0\n2,0\n")
    _, _, err = run("score", "t.csv", "-o", "c.tbc", "--steps", 9)
    assert "with one state: [b]" in err

"""Names that look like markup, or hold escapes that move the cursor, are printed as text by every verb."""

from __future__ import annotations

import pytest

from attack import printing

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
    assert "hc-et needs rows, and [red]c is a cache" in err


def test_constant_columns_are_told_by_name(folder, run):
    (folder / "t.csv").write_text("a,[b]\n1,0\n2,0\n")
    _, _, err = run("score", "t.csv", "-o", "c.tbc", "--steps", 9)
    assert "with one state: [b]" in err


CASE = printing.Case(
    ("[/b]", "a\x1b[2Jb", "[red]"), (("[/]", "y"), ("\u202ex", "z"), (":smile:", "w")), "[red]\x1b"
)


@pytest.mark.parametrize("case", [CASE, CASE._replace(names=("a\rb", "[bold", "\x9b2J"))])
def test_no_name_is_taken_for_markup_or_sent_to_the_terminal(case):
    printing.check(case)


def test_names_are_shown_whole(folder, run):
    (folder / "t.csv").write_text("[/b],a\x1b[2Jb,:smile:\n" + "x,y,[red]\nu,v,w\n" * 5)
    learned = run("learn", "t.csv", "-k", 1, "--steps", 2, "-o", "n.json")
    assert (learned[0], "[/b]" in learned[1]) == (0, True)
    for command in (
        ("inspect", "t.csv"),
        ("query", "n.json", "--mpe"),
        ("query", "n.json", "-t", "[/b]", "-t", ":smile:", "-e", "a\x1b[2Jb=v"),
    ):
        code, out, err = run(*command)
        assert code == 0, err
        for name in ("[/b]", "a\\x1b[2Jb", ":smile:"):
            assert name in out
    assert "[red]" in out


def test_usage_errors_are_printable(folder, run):
    code, _, err = run("query", "n\x1b.json", "-t", "a", "--explain")
    assert (code, "\x1b" in err) == (2, False)
    code, _, err = run("check", "n\x1b.json")
    assert (code, err) == (1, "treebound: there is no file n\\x1b.json.\n")

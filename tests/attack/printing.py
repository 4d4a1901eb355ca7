"""Attacks on what is printed: names, labels and files that look like markup or hold escapes."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import tempfile
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from ._laws import expect

SECONDS = 240.0  # a case runs every verb
MEMORY_MB = None

_PIECES = [
    *("[/b]", "[red]", "[/]", "[", "]", "[bold", "\\[", ":smile:", "[link=x]", "`", "**", "<b>", "&"),
    *("\x1b[2J", "\x1b]0;t\x07", "\x1b", "\x07", "\x08", "\r", "\x7f", "\x85", "\x9b2J", "\t"),
    *("\u202e", "\u2066", "\u200f", "\u200b", "\ufeff", "\u2028", "\xa0", "a", "b", "é", "中", " "),
]
_FILE_PIECES = [piece for piece in _PIECES if "/" not in piece]
_NUM_ROWS = 8


class Case(NamedTuple):
    """Names of three columns, two labels for each, and what the name of every file starts with."""

    names: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    stem: str


def make(random: Random) -> Case:
    """Draw texts of few pieces, most of which have a meaning to a terminal or to the library that prints."""
    names = _distinct(random, 3)
    labels = tuple(_distinct(random, 2) for _ in names)
    stem = "".join(random.choice(_FILE_PIECES) for _ in range(random.randint(0, 2)))
    return Case(names, labels, f"f{stem}")  # type: ignore[arg-type]


def _distinct(random: Random, count: int) -> tuple[str, ...]:
    found: list[str] = []
    while len(found) < count:
        text = "".join(random.choice(_PIECES) for _ in range(random.randint(1, 3)))
        # A letter at both ends: whitespace there, and a byte order mark, mean something to a reader.
        if (text := f"x{text}x") not in found:
            found.append(text)
    return tuple(found)


def check(case: Case) -> None:
    """Run every verb on a table with these names, and print every result; only text may come out."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _wide():
        _write(case)
        for words in commands(case):
            code, printed = _outcome(words)
            _expect_clean(words, code, printed)
            if words[0] in ("inspect", "query") and code == 0:
                hidden = [text for text in _named(words, case) if _seen(text) not in printed]
                expect(not hidden, f"{words[0]} shows every name whole", (hidden, printed))
        for result in _results(case):
            for shown in (str(result), repr(result)):
                _expect_printable(f"print of {type(result).__name__}", shown)


def _write(case: Case) -> None:
    rows = [[labels[(row >> v) & 1] for v, labels in enumerate(case.labels)] for row in range(_NUM_ROWS)]
    rows += rows[:3]
    for name, cells in (("t", rows), ("gaps", [["", *row[1:]] for row in rows[:2]] + rows)):
        with open(f"{case.stem}{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([case.names, *cells])


def commands(case: Case) -> list[list[str]]:
    """A line for every verb that reads or names something of the case, and a few that are rejected."""
    f, (a, b, _), ((first, _), *_) = case.stem, case.names, case.labels
    evidence = ["-e", f"{a}={first}"]
    learned = [
        ["inspect", f"{f}t.csv"],
        ["score", f"{f}t.csv", "-o", f"{f}c.tbc", "--steps", "9"],
        ["learn", f"{f}t.csv", "-k", "1", "--steps", "2", "-o", f"{f}n.json"],
        ["fit", f"{f}n.json", f"{f}t.csv", "-o", f"{f}m.json"],
        ["learn", f"{f}gaps.csv", "-k", "1", "--steps", "1", "--missing", "em", "-o", f"{f}e.json"],
        ["density", f"{f}t.csv", "--steps", "1", "-o", f"{f}d.json"],
        ["tune", f"{f}t.csv", "-k", "1", "--steps", "1", "--split", "0.3"],
    ]
    asked = [
        ["query", f"{f}n.json", "-t", b, "--mpe", "--explain", *evidence],
        ["query", f"{f}n.json", "-t", b, "--do", f"{a}={first}"],
        ["sample", f"{f}n.json", "-n", "4", "-o", f"{f}s.csv"],
        ["evaluate", f"{f}n.json", f"{f}gaps.csv"],
        ["predict", f"{f}n.json", f"{f}gaps.csv", "-t", a, "-o", f"{f}p.csv"],
        ["predict", f"{f}d.json", f"{f}gaps.csv", "-t", a, "-o", f"{f}q.csv", "--append"],
        ["query", f"{f}d.json", "-t", b, "--mpe", *evidence],
        ["impute", f"{f}n.json", f"{f}gaps.csv", "-o", f"{f}i.csv"],
        ["impute", f"{f}gaps.csv", "--steps", "1", "-o", f"{f}j.csv"],
        ["plot", f"{f}n.json", "--no-tables", "-o", f"{f}n.svg"],
        ["check", f"{f}n.json", "--table", f"{f}t.csv"],
        ["diff", f"{f}n.json", f"{f}m.json"],
        ["convert", f"{f}n.json", f"{f}n.bif"],
        [
            "compare",
            f"{f}c.tbc",
            *["-k", "1", "--solvers", "kg,hc-et", "--steps", "1", "--no-figures", "-o"],
            f"{f}o",
        ],
    ]
    rejected = [
        ["learn", f"{f}gaps.csv", "-k", "1", "--steps", "1", "-o", f"{f}x.json"],
        ["query", f"{f}n.json", "-t", f"{b}?"],
        ["query", f"{f}n.json", "-t", b, "-e", f"{a}=?"],
        ["query", f"{f}n.json", "-t", b, *evidence, *evidence],
        ["check", f"{f}nothing.json"],
        ["convert", f"{f}t.csv", f"{f}x.json"],
    ]
    return [*learned, *asked, *rejected]


@contextlib.contextmanager
def _wide() -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(COLUMNS="300", TERMINAL_WIDTH="300")
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _outcome(words: list[str]) -> tuple[object, str]:
    """The exit code, and all that was printed."""
    from treebound.cli import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as left:
            code = left.code or 0
    printed = ""
    for stream in (out, err):
        stream.flush()
        printed += stream.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return code, printed


def _named(words: list[str], case: Case) -> tuple[str, ...]:
    """What the output of a verb must show: all columns, or the target and its states."""
    return case.names if words[0] == "inspect" else (case.names[1], *case.labels[1])


def _seen(text: str) -> str:
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def _expect_clean(words: list[str], code: object, printed: str) -> None:
    expect(code in (0, 1, 2), f"{words[0]} ends with an exit code", (words, code))
    expect("Traceback" not in printed, f"{words[0]} ends without a traceback", printed)
    _expect_printable(words[0], printed)


def _expect_printable(what: str, printed: str) -> None:
    odd = sorted({sign for sign in printed if not sign.isprintable()} - {"\n"})
    expect(not odd, f"{what} prints text alone", (odd, printed))


def _results(case: Case) -> Iterator[Any]:
    """Every result that names something."""
    import treebound as tb

    network = tb.load_network(f"{case.stem}n.json")
    (a, b, c), ((first, _), *_) = case.names, case.labels
    known = {a: first}
    yield from (network.posterior(b, known), network.posterior([b, c], known), network.marginals(known))
    yield from (network.most_probable(known), network.explain(b, known), network.structure)
    yield from (network.do(known).posterior(b), network.do(known).marginals(), network.structure.guarantee)
    yield from network.parameter_sensitivity(b, case.labels[1][0], known, most=2)
    yield from (tb.inspect(f"{case.stem}t.csv"), network.anomaly_scores(f"{case.stem}t.csv"))
    yield from tb.load_cache(f"{case.stem}c.tbc")
    yield tb.structure.diff(network, tb.Structure.from_parents({a: [], b: [a], c: [b]}))
    yield tb.load(f"{case.stem}t.csv", drop=[a]).schema.preparation


def shrink(case: Case) -> Iterator[Case]:
    """Plain names, then plain labels, then fewer characters."""
    for v, name in enumerate(case.names):
        if name != f"v{v}":
            yield case._replace(names=(*case.names[:v], f"v{v}", *case.names[v + 1 :]))
    for v, own in enumerate(case.labels):
        if own != ("p", "q"):
            yield case._replace(labels=(*case.labels[:v], ("p", "q"), *case.labels[v + 1 :]))
    if case.stem != "f":
        yield case._replace(stem="f")

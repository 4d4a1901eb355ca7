"""The command line from a table to answers, with odd names and labels, against counting and enumeration."""

from __future__ import annotations

import csv
import io
import json
import math
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from . import truth
from ._laws import expect
from ._tables import Table, random_table, smaller_tables

SECONDS = 120.0
MEMORY_MB = 6000

_NAMES = [
    "a", "b b", 'q"q', "com,ma", "semi;colon", "tab\tt", "line\nbreak", "é", "中", "=1+1", "a=b", "a:b",
    " lead", "trail ", "[x]", "x|y", "{", "#c", "-e", "--json", "score", "None", "'", "1x", "a,b:c=d",
    "\u200b", "(a)", "~", "%",
]  # fmt: skip
_LABELS = [
    [f"s{i}" for i in range(4)],
    ["0", "1", "2", "3"],
    ["a:0.5", "b,c", '"', "ü=1"],
    ["true", "false", "maybe", "so"],
    [" x", "x ", "x", "X"],
    ["line\nend", "tab\t", ";", "|"],
    ["[0, 1)", "<3", ">=3", "inf"],
]
_NEAR = 1e-9
_SAMPLED = 20


class Case(NamedTuple):
    """A table with names and labels, and how to go through the pipeline."""

    table: Table
    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    max_treewidth: int
    sample_size: float  # 0: BIC
    weight: float  # of the pseudo-count; 0: none
    seed: int


def make(random: Random) -> Case:
    """Draw a table of up to 5 columns."""
    table = random_table(random, max_variables=5, max_states=3, max_rows=60, min_rows=2)
    return Case(
        table,
        tuple(random.sample(_NAMES, len(table.columns))),
        tuple(tuple(random.choice(_LABELS)) for _ in table.columns),
        random.randint(0, 4),
        random.choice([0.0, 0.0, 1.0, 7.5]),
        random.choice([0.0, 0.1, 1.0]),
        random.randrange(2**32),
    )


class Rows(NamedTuple):
    """The table as a reader must see it: states are the labels that occur, in the order of ``states``."""

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]  # one tuple for each row

    def coded(self, states: dict[str, list[str]]) -> tuple[list[list[int]], list[int]]:
        """Codes of each column, and numbers of states."""
        columns = [[states[name].index(row[v]) for row in self.cells] for v, name in enumerate(self.names)]
        return columns, [len(states[name]) for name in self.names]


def check(case: Case) -> None:
    """Go through all verbs."""
    rows = _rows(case)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_csv(folder / "table.csv", rows.names, rows.cells)
        check_scores(case, rows, folder)
        check_learned(case, rows, folder)
        network = check_fitted(case, rows, folder)
        check_answers(case, network, folder)
        check_rows(case, rows, network, folder)
        check_stale(case, rows, folder)


def _rows(case: Case) -> Rows:
    columns = [
        [labels[code] for code in column]
        for column, labels in zip(case.table.columns, case.labels, strict=True)
    ]
    return Rows(case.names, tuple(zip(*columns, strict=True)))


def write_csv(path: Path, names: Any, cells: Any) -> None:
    """A table as RFC 4180 wants it, every cell in quotes but the empty ones, which are missing."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(names)
        writer.writerows(cells)


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    """Names and cells."""
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def cli(*words: object) -> tuple[int, str, str]:
    """Run the command line in this process: its exit code, output and errors."""
    from treebound.cli import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([str(word) for word in words])
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, out.getvalue(), err.getvalue()


def ok(*words: object) -> str:
    """Run a verb that has to end well; what it printed."""
    code, out, err = cli(*words)
    expect(code == 0, f"{words[0]} ends well", (code, err[-800:], words))
    return out


def _score_words(case: Case) -> list[object]:
    return ["--score", "bdeu", "--ess", case.sample_size] if case.sample_size else []


def true_score(case: Case, rows: Rows, states: dict[str, list[str]], child: int, parents: Any) -> float:
    """The score of a family, by definition."""
    columns, cards = rows.coded(states)
    if case.sample_size:
        return truth.bdeu(columns, cards, child, parents, case.sample_size)
    return truth.bic(columns, cards, child, parents)


def _states(rows: Rows) -> dict[str, list[str]]:
    return {name: sorted({row[v] for row in rows.cells}) for v, name in enumerate(rows.names)}


def is_near(found: float, true: float) -> bool:
    """Within 1e-9, relative where it is large."""
    return found == true or abs(found - true) <= _NEAR * max(1.0, abs(true))


def check_scores(case: Case, rows: Rows, folder: Path) -> None:
    """All sets of up to two parents."""
    words = ["--parent-sets", "exhaustive", "--max-parents", 2, "--no-pruning", *_score_words(case)]
    ok("score", folder / "table.csv", "-o", folder / "all.tbc", *words)
    names, sets = read_cache(folder / "all.tbc")
    expect(names == list(rows.names), "a cache has the names of the table", names)
    states = _states(rows)
    for child, own in enumerate(sets):
        others = [v for v in range(len(names)) if v != child]
        expect(set(own) == set(truth.subsets(others, 2)), "every set is scored", own)
        for parents, found in own.items():
            true = true_score(case, rows, states, child, parents)
            expect(
                is_near(found, true),
                "scores in a file are those of the definition",
                (child, parents, found, true),
            )


def read_cache(path: Path) -> tuple[list[str], list[dict[tuple[int, ...], float]]]:
    """Names and sets of a ``.tbc`` file."""
    import numpy as np

    with zipfile.ZipFile(path) as archive:
        names = json.loads(archive.read("header.json"))["names"]
        counts, sizes, scores, parents = (
            np.load(io.BytesIO(archive.read(f"{name}.npy"))).tolist()
            for name in ("set_counts", "sizes", "scores", "parents")
        )
    sets, at, used = [], 0, 0
    for count in counts:
        own = {}
        for place in range(at, at + count):
            own[tuple(parents[used : used + sizes[place]])] = scores[place]
            used += sizes[place]
        at += count
        sets.append(own)
    return names, sets


def check_learned(case: Case, rows: Rows, folder: Path) -> None:
    """A structure within the bound whose score is true."""
    words = ["-k", case.max_treewidth, "--steps", 3, "--seed", case.seed, "--cache", folder / "kept.tbc"]
    told = json.loads(
        ok(
            "learn",
            folder / "table.csv",
            "-o",
            folder / "structure.json",
            "--json",
            *words,
            *_score_words(case),
        )
    )
    found = json.loads((folder / "structure.json").read_text())
    names = [one["name"] for one in found["schema"]["variables"]]
    expect(names == list(rows.names), "a network has the names of the table", names)
    expect(truth.is_acyclic(found["parents"]), "a structure is acyclic", found["parents"])
    width = truth.treewidth(found["parents"])
    expect(width <= case.max_treewidth, "a structure keeps the bound", (width, found["parents"]))
    _check_score("the score told is that of the rows", case, rows, told["score"], found["parents"])


def _check_score(law: str, case: Case, rows: Rows, told: float, parents: Any) -> None:
    states = _states(rows)
    true = math.fsum(true_score(case, rows, states, child, family) for child, family in enumerate(parents))
    expect(is_near(told, true), law, (told, true))


def check_fitted(case: Case, rows: Rows, folder: Path) -> dict[str, Any]:
    """Tables by counting."""
    prior = (
        ["--smoothing", "pseudo-count", "--weight", case.weight] if case.weight else ["--smoothing", "none"]
    )
    ok("fit", folder / "structure.json", folder / "table.csv", "-o", folder / "network.json", *prior)
    network = json.loads((folder / "network.json").read_text())
    states = {one["name"]: one["states"] for one in network["schema"]["variables"]}
    expect(
        {name: sorted(own) for name, own in states.items()} == _states(rows), "states are the labels", states
    )
    columns, cards = rows.coded(states)
    for child, parents in enumerate(network["parents"]):
        counts = truth.family_counts(columns, child, parents)
        place = 0
        for joint in _joint_states([cards[p] for p in parents]):
            own = [counts.get(joint, {}).get(state, 0) + case.weight for state in range(cards[child])]
            total = sum(own)
            wanted = [count / total if total else 1 / cards[child] for count in own]
            found = network["tables"][child][place : place + cards[child]]
            is_right = all(is_near(a, b) for a, b in zip(found, wanted, strict=True))
            expect(is_right, "tables are those of the counts", (child, joint, found, wanted))
            place += cards[child]
    return network


def _joint_states(cards: list[int]) -> Iterator[tuple[int, ...]]:
    if not cards:
        yield ()
        return
    for first in range(cards[0]):
        for rest in _joint_states(cards[1:]):
            yield (first, *rest)


class Asked(NamedTuple):
    """What enumeration needs of a network."""

    names: list[str]
    states: list[list[str]]
    joint: truth.Joint


def _asked(network: dict[str, Any]) -> Asked:
    variables = network["schema"]["variables"]
    states = [one["states"] for one in variables]
    joint = truth.joint(network["parents"], network["tables"], [len(own) for own in states])
    return Asked([one["name"] for one in variables], states, joint)


def check_answers(case: Case, network: dict[str, Any], folder: Path) -> None:
    """Posteriors of every variable given a finding about one, and rows drawn."""
    asked, random = _asked(network), Random(case.seed)
    v = random.randrange(len(asked.names))
    code = random.randrange(len(asked.states[v]))
    given = truth.given_row(asked.joint, [code if u == v else -1 for u in range(len(asked.names))])
    total = sum(given.values())
    words: list[object] = [f"--target={name}" for name in asked.names]
    words += [f"--evidence={asked.names[v]}={asked.states[v][code]}", "--mpe", "--json"]
    if total == 0:
        expect(cli("query", folder / "network.json", *words)[0] == 1, "query refuses impossible evidence")
        return
    told = json.loads(ok("query", folder / "network.json", *words))
    expect(is_near(told["log_probability"], truth.log(total)), "query tells the probability", told)
    for u, name in enumerate(asked.names):
        marginal = truth.marginal(given, [u])
        wanted = [float(marginal[(state,)] / total) for state in range(len(asked.states[u]))]
        found = [told["posteriors"][name][label] for label in asked.states[u]]
        is_right = all(abs(a - b) <= _NEAR for a, b in zip(found, wanted, strict=True))
        expect(is_right, "query tells the posterior", (name, found, wanted))
    best = tuple(
        own.index(told["most_probable"][name]) for name, own in zip(asked.names, asked.states, strict=True)
    )
    expect(_is_best(given, best), "query tells the most probable state", told)
    ok("sample", folder / "network.json", "-n", _SAMPLED, "-o", folder / "sampled.csv", "--seed", case.seed)
    header, cells = read_csv(folder / "sampled.csv")
    expect(
        header == asked.names and len(cells) == _SAMPLED,
        "sample writes what was asked for",
        (header, len(cells)),
    )
    for row in cells:
        expect(asked.joint[_codes(asked, row)] > 0, "rows drawn are possible", row)


def _is_best(given: truth.Joint, states: tuple[int, ...]) -> bool:
    return given[states] >= max(given.values()) * (1 - Fraction(_NEAR))


def _codes(asked: Asked, row: Any) -> tuple[int, ...]:
    """Codes of a row of labels, -1 for a missing one."""
    return tuple(own.index(cell) if cell else -1 for own, cell in zip(asked.states, row, strict=True))


def check_rows(case: Case, rows: Rows, network: dict[str, Any], folder: Path) -> None:
    """Log-likelihoods and completions of rows with gaps."""
    asked, random = _asked(network), Random(case.seed + 1)
    cells = [tuple("" if random.random() < 0.3 else cell for cell in row) for row in rows.cells[:10]]
    write_csv(folder / "gaps.csv", rows.names, cells)
    ok("evaluate", folder / "network.json", folder / "gaps.csv", "-o", folder / "logs.csv")
    ok("impute", folder / "network.json", folder / "gaps.csv", "-o", folder / "full.csv")
    _, logs = read_csv(folder / "logs.csv")
    header, filled = read_csv(folder / "full.csv")
    expect(header == list(rows.names), "impute keeps the names", header)
    for row, (log,), completed in zip(cells, logs, filled, strict=True):
        given = truth.given_row(asked.joint, _codes(asked, row))
        expect(
            is_near(float(log), truth.log(sum(given.values()))),
            "evaluate tells the log-likelihood",
            (row, log),
        )
        is_kept = all(new == old for new, old in zip(completed, row, strict=True) if old)
        expect(is_kept, "impute leaves known cells alone", (row, completed))
        expect(
            _is_best(given, _codes(asked, completed)), "impute finds the best completion", (row, completed)
        )


def check_stale(case: Case, rows: Rows, folder: Path) -> None:
    """A cache of other rows, or of another score, is refused before OUT is touched, or not believed."""
    random = Random(case.seed + 2)
    columns = [random.sample(column, len(column)) for column in zip(*rows.cells, strict=True)]
    others = Rows(rows.names, tuple(zip(*columns, strict=True)))
    write_csv(folder / "table.csv", others.names, others.cells)
    out = folder / "structure.json"
    before = out.read_bytes()
    words = ["-k", case.max_treewidth, "--steps", 3, "--cache", folder / "kept.tbc", "--resume", "--json"]
    code, told, _ = cli("learn", folder / "table.csv", "-o", out, *words, *_score_words(case))
    if code == 0:
        law = "a cache of other rows is not believed"
        _check_score(law, case, others, json.loads(told)["score"], json.loads(out.read_text())["parents"])
    else:
        expect(out.read_bytes() == before, "a stale cache is refused before OUT is replaced")
    write_csv(folder / "table.csv", rows.names, rows.cells)
    out.write_bytes(before)
    other = ["--score", "bic" if case.sample_size else "bdeu"]
    code, told, _ = cli("learn", folder / "table.csv", "-o", out, *words, *other)
    if code == 0:
        changed = case._replace(sample_size=0.0 if case.sample_size else 1.0)
        law = "a cache of another score is not believed"
        _check_score(law, changed, rows, json.loads(told)["score"], json.loads(out.read_text())["parents"])
    else:
        expect(out.read_bytes() == before, "a cache of another score is refused before OUT is replaced")


def shrink(case: Case) -> Iterator[Case]:
    """A smaller table, plain names and labels."""
    for table in smaller_tables(case.table, min_rows=2):
        n = len(table.columns)
        yield case._replace(table=table, names=case.names[:n], labels=case.labels[:n])
    for v, name in enumerate(case.names):
        if name != f"v{v}":
            yield case._replace(names=(*case.names[:v], f"v{v}", *case.names[v + 1 :]))
    for v, labels in enumerate(case.labels):
        if labels != tuple(_LABELS[0]):
            yield case._replace(labels=(*case.labels[:v], tuple(_LABELS[0]), *case.labels[v + 1 :]))
    for field, least in [("max_treewidth", 1), ("sample_size", 0.0), ("weight", 1.0), ("seed", 0)]:
        if getattr(case, field) != least:
            yield case._replace(**{field: least})

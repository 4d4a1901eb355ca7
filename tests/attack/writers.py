"""What we write we read again, whatever names and labels, in every format; and a link as OUT stays a link."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ._laws import expect

SECONDS = 60.0
MEMORY_MB = 6000

_SIGNS = [
    *",;\t|\"'\n\r #=:()[]{}<>&%~\\/.-+$@!?*^`_",
    "\0",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x1a",
    "é",
    "中",
    "😀",
    "a",
    "B",
    "1",
]
_WORDS = [
    "",
    "NA",
    "nan",
    "null",
    "None",
    "true",
    "inf",
    "1e5",
    "-0",
    "01",
    "table",
    "node",
    "net",
    "default",
    "x_1",
]
_NETWORK_ENDINGS = [".json", ".bif", ".xmlbif", ".uai", ".net", ".xdsl"]
_STRUCTURE_ENDINGS = [".json", ".res", ".dot", ".graphml", ".modelstring"]
_TABLE_ENDINGS = [".csv", ".tsv", ".parquet"]


class Case(NamedTuple):
    """Names and states of a chain of variables, what of it to write, and how."""

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    kind: str  # network, structure, table or cache
    ending: str
    is_link: bool
    is_packed: bool


def make(random: Random) -> Case:
    """Draw names and labels of few signs, most of them with a meaning somewhere."""
    n = random.randint(1, 4)
    kind = random.choice(["network", "structure", "table", "table", "cache"])
    endings = {
        "network": _NETWORK_ENDINGS,
        "structure": _STRUCTURE_ENDINGS,
        "table": _TABLE_ENDINGS,
        "cache": [".jkl", ".tbc"],
    }
    ending = random.choice(endings[kind])
    return Case(
        _distinct(random, n, least=1),
        tuple(_distinct(random, random.randint(1, 3), least=0) for _ in range(n)),
        kind,
        ending,
        random.random() < 0.2,
        random.random() < 0.2 and ending not in (".parquet", ".tbc"),
    )


def _distinct(random: Random, count: int, least: int) -> tuple[str, ...]:
    found: list[str] = []
    while len(found) < count:
        text = "".join(random.choice(_SIGNS) for _ in range(random.randint(least, 4)))
        text = random.choice([text, text, random.choice(_WORDS)])
        # A space after the text makes it another one; an empty name is none.
        while text in found or len(text) < least:
            text += "x"
        found.append(text)
    return tuple(found)


def check(case: Case) -> None:
    """Write, read, compare; what cannot be written is refused and leaves no file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / f"out{case.ending}{'.gz' if case.is_packed else ''}"
        target = folder / f"target{case.ending}"
        if case.is_link:
            path.symlink_to(target.name)
        write, read_back, wanted = _job(case)
        try:
            write(path)
        except ValueError as error:
            expect(not target.exists(), "what is refused leaves no file", error)
            expect(
                str(error).endswith((".", "?")), f"{case.kind} {case.ending} is refused by a sentence", error
            )
            return
        if case.is_link:
            expect(path.is_symlink() and target.exists(), "a link is followed, not replaced", path.name)
        try:
            found = read_back(path)
        except ValueError as error:
            expect(
                False, f"a {case.kind} written as {case.ending} is read", f"{type(error).__name__}: {error}"
            )
        expect(found == wanted, f"a {case.kind} written as {case.ending} is read as it was", (found, wanted))


def _job(case: Case) -> tuple[Callable[[Path], None], Callable[[Path], Any], Any]:
    """How to write, how to read what can be compared, and what that must be."""
    import treebound as tb
    from treebound.tables import save_table

    n = len(case.names)
    parents = [() if v == 0 else (v - 1,) for v in range(n)]
    by_name = {name: [case.names[p] for p in parents[v]] for v, name in enumerate(case.names)}
    if case.kind == "network":
        tables = [
            _table(len(own), 1 if v == 0 else len(case.states[v - 1])) for v, own in enumerate(case.states)
        ]
        network = tb.BayesianNetwork.from_indices(_schema(case), parents, tables)
        return (
            lambda path: tb.save_network(network, path),
            lambda path: _network(tb.load_network(path)),
            (list(case.names), [list(own) for own in case.states], tables, parents),
        )
    if case.kind == "structure":
        structure = tb.Structure.from_parents(by_name)
        return (
            lambda path: tb.save_structure(structure, path),
            lambda path: _arcs(tb.load_structure(path)),
            by_name,
        )
    if case.kind == "cache":
        sets = {
            name: [((), -2.0), *((p, -1.5) for p in [parents[v]] if p)] for v, name in enumerate(case.names)
        }
        cache = tb.ParentSetCache.from_sets(sets)
        return (
            lambda path: tb.save_cache(cache, path),
            lambda path: _sets(tb.load_cache(path)),
            {name: sorted(own) for name, own in sets.items()},
        )
    dataset, cells = _dataset(case)
    return lambda path: save_table(dataset, path), _cells, cells


def _schema(case: Case) -> Any:
    import treebound as tb

    return tb.Schema(tuple(tb.Variable(name, own) for name, own in zip(case.names, case.states, strict=True)))


def _table(num_states: int, num_rows: int) -> list[float]:
    row = [1 / 3, 2 / 3] if num_states == 2 else [0.1, 0.2, 0.7] if num_states == 3 else [1.0]
    return row * num_rows


def _network(network: Any) -> Any:
    return (
        list(network.schema.names),
        [list(variable.states) for variable in network.schema],
        [table.tolist() for table in network.tables],
        list(network.parent_indices),
    )


def _arcs(structure: Any) -> dict[str, list[str]]:
    return {
        name: [structure.names[p] for p in structure.parent_indices[v]]
        for v, name in enumerate(structure.names)
    }


def _sets(cache: Any) -> dict[str, list[tuple[tuple[int, ...], float]]]:
    return {
        name: sorted((one.parent_indices, one.score) for one in cache[v])
        for v, name in enumerate(cache.names)
    }


def _dataset(case: Case) -> tuple[Any, list[list[str]]]:
    """A table of six rows; labels of a kind that is read as such get a letter in front."""
    import numpy as np

    import treebound as tb

    states = [tuple(f"s{label}" for label in own) for own in case.states]
    names = [f"n{name}" if name.isdigit() else name for name in case.names]
    columns = [[row % len(own) for row in range(6)] for own in states]
    schema = tb.Schema(tuple(tb.Variable(name, own) for name, own in zip(names, states, strict=True)))
    cells = [[own[code] for code in column] for own, column in zip(states, columns, strict=True)]
    return tb.Dataset(schema, np.array(columns)), [names, *cells]


def _cells(path: Path) -> list[list[str]]:
    import treebound as tb

    found = tb.load(path)
    columns = zip(found.schema, found.codes, strict=True)
    return [
        list(found.schema.names),
        *([variable.states[code] for code in codes] for variable, codes in columns),
    ]


def shrink(case: Case) -> Iterator[Case]:
    """Fewer variables, states and signs."""
    if len(case.names) > 1:
        yield case._replace(names=case.names[1:], states=case.states[1:])
        yield case._replace(names=case.names[:-1], states=case.states[:-1])
    if case.is_packed:
        yield case._replace(is_packed=False)
    if case.is_link:
        yield case._replace(is_link=False)
    for v, name in enumerate(case.names):
        for less in [f"v{v}", *(name[:i] + name[i + 1 :] for i in range(len(name)))]:
            if less and less not in case.names and not name.startswith("v"):
                yield case._replace(names=(*case.names[:v], less, *case.names[v + 1 :]))
    for v, own in enumerate(case.states):
        if own != ("s0", "s1"):
            yield case._replace(states=(*case.states[:v], ("s0", "s1"), *case.states[v + 1 :]))

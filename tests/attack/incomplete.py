"""Incomplete tables: EM for tables and structures, hidden variables, imputation, against enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from . import truth
from ._laws import expect
from ._tables import Table, dataset_of, random_table, smaller_tables

SECONDS = 60.0
MEMORY_MB = 6000

_NEAR = 1e-9


class Case(NamedTuple):
    """A table, which of its cells are missing by a seed, and how much is learned from the others."""

    table: Table
    share_missing: float
    seed: int
    max_treewidth: int
    steps: int
    num_hidden: int  # states of a hidden variable, 0 for none
    strategy: str
    threads: int


def make(random: Random) -> Case:
    """Draw few columns of few states: all completions of a row are enumerated."""
    return Case(
        random_table(random, max_variables=4, max_states=3, max_rows=40, min_rows=2),
        random.choice([0.0, 0.1, 0.3, 0.7]),
        random.randrange(2**32),
        random.randint(0, 3),
        random.choice([1, 2, 5]),
        random.choice([0, 0, 2, 3]),
        random.choice(["most_probable", "draw"]),
        random.randint(1, 2),
    )


def incomplete(case: Case) -> Any:
    """The table without some of its cells; each column keeps one."""
    import numpy as np

    data = dataset_of(case.table)
    codes = np.array(data.codes, dtype=np.int64)
    is_missing = np.random.default_rng(case.seed).random(codes.shape) < case.share_missing
    is_missing[:, 0] = False
    codes[is_missing] = -1
    return type(data)(data.schema, codes)


def check(case: Case) -> None:
    """Learn by EM, then compare likelihoods, completions and the structure with the truth."""
    import treebound

    data = incomplete(case)
    hidden = {"H": case.num_hidden} if case.num_hidden else None
    results = [
        treebound.learn(
            data,
            case.max_treewidth,
            budget=treebound.Budget(steps=case.steps),
            missing="em",
            hidden=hidden,
            seed=case.seed,
            where=treebound.Local(threads=threads),
        )
        for threads in (1, case.threads)
    ]
    result = results[0]
    expect(bool(result.verdict), "the checker accepts the structure", result.verdict)
    same = results[1].structure.parents == result.structure.parents
    expect(same, "equal steps and seed give equal structures", results)
    network = result.network
    names = set(data.schema.names) | set(hidden or ())
    expect(set(network.schema.names) == names, "a network has all columns", network.schema.names)
    check_rows(case, network, data)
    check_complete_rows(case, data)


def check_rows(case: Case, network: Any, data: Any) -> None:
    """Likelihoods and completions of all rows, by enumeration."""
    codes = rows_in(network, {name: data.codes[v].tolist() for v, name in enumerate(data.schema.names)})
    cards = [variable.cardinality for variable in network.schema]
    parents = [list(chosen) for chosen in network.parent_indices]
    joint = truth.joint(parents, [list(map(float, flat(network, v))) for v in range(len(cards))], cards)
    found = network.score_samples(data)
    cells = network.impute(data, strategy=case.strategy, seed=case.seed)
    filled = rows_in(network, {name: list(map(_code, column)) for name, column in cells.items()})
    for row, log, full in zip(codes, found, filled, strict=True):
        given = truth.given_row(joint, row)
        total = sum(given.values())
        expect(total > 0, "a row of the table is possible", row)
        near = _NEAR * max(1.0, abs(float(log)))
        expect(abs(truth.log(total) - log) <= near, "a row has its log-likelihood", (row, log))
        kept = all(old in (-1, new) for old, new in zip(row, full, strict=True))
        expect(kept, "observed cells stay as they are", (row, full))
        gaps = {v for v, code in enumerate(full) if code < 0}
        hidden = {v for v, one in enumerate(network.schema) if one.name not in data.schema.names}
        expect(gaps <= hidden, "every missing cell is filled in", (row, full))
        reached = sum(truth.given_row(joint, full).values())
        expect(reached > 0, "a completion is possible", (row, full))
        if case.strategy == "most_probable" and not hidden:
            best = max(given.values())
            expect(float(reached / best) >= 1 - _NEAR, "the most probable completion is", (row, full))


def rows_in(network: Any, columns: dict[str, list[int]]) -> list[tuple[int, ...]]:
    """The rows in the order of the network's variables; those of hidden ones are missing."""
    absent = [-1] * len(next(iter(columns.values())))
    return list(zip(*(columns.get(name, absent) for name in network.schema.names), strict=True))


def _code(label: str | None) -> int:
    return -1 if label is None else int(label[1:])


def flat(network: Any, v: int) -> Any:
    """The probability table of a variable, its own states innermost."""
    return network.tables[v].ravel()


def check_complete_rows(case: Case, data: Any) -> None:
    """Where nothing is missing, EM counts as always."""
    import treebound

    if case.share_missing:
        return
    parents = {name: list(data.schema.names[:v])[:1] for v, name in enumerate(data.schema.names)}
    found, expected = (treebound.fit(parents, data, missing=missing) for missing in ("em", "error"))
    for one, other in zip(found.tables, expected.tables, strict=True):
        expect(bool(abs(one - other).max() <= _NEAR), "EM of complete rows is counting", (one, other))


def shrink(case: Case) -> Iterator[Case]:
    """A smaller table, a smaller job."""
    for table in smaller_tables(case.table, min_rows=2):
        yield case._replace(table=table)
    for field, least in [
        ("num_hidden", 0),
        ("share_missing", 0.0),
        ("steps", 1),
        ("threads", 1),
        ("max_treewidth", 1),
    ]:
        if getattr(case, field) != least:
            yield case._replace(**{field: least})

"""Scores by their definition; no set is pruned that is better than all its subsets that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from . import truth
from ._laws import expect
from ._tables import Table, dataset_of, random_table, smaller_tables

SECONDS = 60.0
MEMORY_MB = 6000

_RULES = {
    "bic": ["in_degree", "theorem1", "de_campos_ji", "entropy", "dominated"],
    "bdeu": ["configurations", "dominated"],
}


class Case(NamedTuple):
    """A table and how to score it; ``sample_size`` 0 is BIC."""

    table: Table
    sample_size: float
    rules: tuple[str, ...]
    method: str
    max_parents: int
    threads: int


def make(random: Random) -> Case:
    """Draw a table of up to 6 columns, a score, some rules and a method."""
    sample_size = random.choice([0.0, 0.0, 1.0, 0.01, 5.5, 1000.0])
    rules = _RULES["bdeu" if sample_size else "bic"]
    chosen = random.choice(
        [rules, [], [random.choice(rules)], random.sample(rules, random.randint(0, len(rules)))]
    )
    method = random.choice(["exhaustive", "exhaustive", "independence"])
    threads, max_parents = random.randint(1, 3), random.randint(0, 5)
    return Case(random_table(random), sample_size, tuple(chosen), method, max_parents, threads)


def check(case: Case) -> None:
    """Compare the cache with all sets, scored by definition."""
    import treebound

    local = treebound.Bdeu(case.sample_size) if case.sample_size else treebound.Bic()
    kinds = {"exhaustive": treebound.Exhaustive, "independence": treebound.Independence}
    cache = treebound.score(
        dataset_of(case.table),
        parent_sets=kinds[case.method](max_parents=case.max_parents),
        score=local,
        pruning=case.rules,
        budget=None,
        where=treebound.Local(threads=case.threads),
    ).cache
    for v in range(len(case.table.columns)):
        check_variable(case, v, {found.parent_indices: found.score for found in cache[v]})


def check_variable(case: Case, v: int, kept: dict[tuple[int, ...], float]) -> None:
    """The laws for the sets of one variable."""
    table, size = case.table, case.sample_size
    expect(() in kept, "the empty set is kept", f"variable {v}")
    others = [u for u in range(len(table.columns)) if u != v]
    for parents in truth.subsets(others, case.max_parents):
        true = (
            truth.bdeu(table.columns, table.cards, v, parents, size)
            if size
            else truth.bic(table.columns, table.cards, v, parents)
        )
        near = 1e-9 * max(1.0, abs(true), size)
        if parents in kept:
            found = kept[parents]
            expect(abs(found - true) <= near, "scores are those of the definition", (v, parents, found, true))
        best = max(value for smaller, value in kept.items() if set(smaller) <= set(parents))
        is_whole = case.method == "exhaustive"
        expect(
            not is_whole or best >= true - near,
            "a pruned set has a subset as good",
            (v, parents, "true", true, "best kept subset", best),
        )
        expect(
            bool(case.rules) or not is_whole or parents in kept,
            "without rules every set is kept",
            (v, parents, true),
        )
    expect(all(len(parents) <= case.max_parents for parents in kept), "no set has too many parents", kept)


def shrink(case: Case) -> Iterator[Case]:
    """Smaller tables, fewer rules, fewer parents."""
    for table in smaller_tables(case.table):
        yield case._replace(table=table)
    for rule in case.rules:
        yield case._replace(rules=tuple(other for other in case.rules if other != rule))
    if case.max_parents:
        yield case._replace(max_parents=case.max_parents - 1)
    if case.threads > 1:
        yield case._replace(threads=1)

"""From a table to a structure by every solver: scores by their definition, never better than the optimum."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from . import truth
from ._laws import expect
from ._tables import Table, dataset_of, random_table, smaller_tables

SECONDS = 60.0
MEMORY_MB = 6000


class Case(NamedTuple):
    """A table, a bound, and which solver to ask for how long; ``sample_size`` 0 is BIC."""

    table: Table
    solver: str
    sample_size: float
    max_treewidth: int
    steps: int
    seed: int
    threads: int


def make(random: Random) -> Case:
    """Draw few columns most of the time, so that brute force can say what is best."""
    from treebound.solvers import SOLVERS

    return Case(
        random_table(random, max_variables=random.choice([4, 4, 4, 8]), min_rows=2),
        random.choice(sorted(SOLVERS)),
        random.choice([0.0, 0.0, 1.0, 5.5]),
        random.randint(0, 4),
        random.choice([1, 2, 5, 30]),
        random.randrange(2**64),
        random.randint(1, 3),
    )


def check(case: Case) -> None:
    """Learn, and compare with the table; a solver that keeps no bound is asked without one."""
    import treebound
    from treebound.solvers import SOLVERS

    entry = SOLVERS[case.solver]
    bound = case.max_treewidth if entry.is_bounded else len(case.table.columns)
    result = treebound.learn(
        dataset_of(case.table),
        bound if entry.is_bounded else None,
        solver=entry.solver if case.seed % 2 else by_moves(entry.solver),
        score=treebound.Bdeu(case.sample_size) if case.sample_size else treebound.Bic(),
        budget=treebound.Budget(steps=case.steps),
        seed=case.seed,
        where=treebound.Local(threads=case.threads),
    )
    expect(bool(result.verdict), "the checker accepts the structure", result.verdict)
    parents = [tuple(chosen) for chosen in result.structure.parent_indices]
    expect(truth.is_acyclic(parents), "structures are acyclic", parents)
    witness = result.structure.witness
    expect(witness is not None, "a structure has its witness")
    expect(
        truth.is_decomposition(witness.bags, witness.edges, parents),
        "the witness is a tree decomposition",
        (parents, witness),
    )
    width = max(map(len, witness.bags)) - 1
    expect(width <= bound, "the witness is within the bound", (width, witness))
    true = math.fsum(family_score(case, v, chosen) for v, chosen in enumerate(parents))
    near = 1e-9 * max(1.0, abs(true))
    expect(abs(true - result.score) <= near, "the score is that of the rows", (result.score, true))
    if len(parents) <= 4:
        best = best_score(case, bound)
        expect(result.score <= best + near, "no structure beats the optimum", (result.score, best))
        is_proved = bool(result.search.is_optimal) and bound >= 3  # where all sets were scored
        expect(not is_proved or result.score >= best - near, "what is proved is best", (result.score, best))


def by_moves(solver: Any) -> Any:
    """Regrow as it is where nothing finds the optimum of a small table before it; others as they are."""
    return dataclasses.replace(solver, exact=False) if solver.name == "regrow" else solver


def family_score(case: Case, v: int, parents: tuple[int, ...]) -> float:
    """The score of a family by its definition."""
    columns, cards = case.table
    if case.sample_size:
        return truth.bdeu(columns, cards, v, parents, case.sample_size)
    return truth.bic(columns, cards, v, parents)


def best_score(case: Case, bound: int) -> float:
    """The optimum over all parent sets, by brute force."""
    n = len(case.table.columns)
    sets = [
        [
            (family_score(case, v, parents), parents)
            for parents in truth.subsets([u for u in range(n) if u != v], n)
        ]
        for v in range(n)
    ]
    return truth.best_structure_score(
        sets,
        lambda parents: (
            truth.cheapest_elimination(truth.moral_graph(parents), lambda bag: len(bag) - 1) <= bound
        ),
    )


def shrink(case: Case) -> Iterator[Case]:
    """A smaller table, a smaller job."""
    for table in smaller_tables(case.table, min_rows=2):
        yield case._replace(table=table)
    for field, least in [("sample_size", 0.0), ("threads", 1), ("steps", 1), ("seed", 0)]:
        if getattr(case, field) != least:
            yield case._replace(**{field: least})

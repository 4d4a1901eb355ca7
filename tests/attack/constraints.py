"""Every solver under random constraints against brute force over all structures that obey them.

Contradictions are recognised exactly when no structure exists, no solver violates a constraint, none beats
the optimum, and exact solvers reach it. Cases are caches, and tables that are scored under the constraints.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ._laws import expect

sys.path.insert(0, str(Path(__file__).parents[1]))

SECONDS = 120.0
MEMORY_MB = 6000


class Case(NamedTuple):
    """Scored sets of each variable, or rows; what is known; the limit; and the seed of the solvers."""

    knowledge: str  # JSON
    sets: tuple[tuple[tuple[float, tuple[int, ...]], ...], ...]
    rows: tuple[tuple[int, ...], ...]
    max_treewidth: int
    seed: int
    solvers: tuple[str, ...]


def make(random: Random) -> Case:
    """Draw few variables most of the time."""
    from strategies_constraints import random_constraints
    from treebound.solvers import SOLVERS

    is_table = random.random() < 0.3
    n = random.choice([1, 2, 3, 3, 4, 4] if is_table else [1, 2, 3, 3, 4, 4, 5, 5, 6])
    knowledge = random_constraints(random, n)
    sets = () if is_table else tuple(_sets_of(random, n, v) for v in range(n))
    rows: tuple[tuple[int, ...], ...] = ()
    if is_table:
        rows = tuple(_row(random, n) for _ in range(random.randint(2, 30)))
    # Programs for SCIP and HiGHS take ten times as long as all others together.
    slow = {"gobnilp", "exact-ilp"}
    chosen = [name for name in SOLVERS if name not in slow or random.random() < 0.2]
    return Case(
        json.dumps(knowledge), sets, rows, random.randint(0, 3), random.randrange(2**32), tuple(chosen)
    )


def _sets_of(random: Random, n: int, v: int) -> tuple[tuple[float, tuple[int, ...]], ...]:
    """All sets of up to four variables, so that none is missing; of more a few."""
    others = [u for u in range(n) if u != v]
    subsets = [tuple(u for i, u in enumerate(others) if mask >> i & 1) for mask in range(2 ** len(others))]
    if n > 4:
        small = [subset for subset in subsets if len(subset) < 2]
        subsets = [*small, *random.sample(subsets, 5)]
    return tuple((round(random.uniform(-9, 0), 3), subset) for subset in dict.fromkeys(subsets))


def _row(random: Random, n: int) -> tuple[int, ...]:
    first = random.randint(0, 1)
    return tuple(first if random.random() < 0.6 else random.randint(0, 1 + v % 2) for v in range(n))


def check(case: Case) -> None:
    """Search with every solver and compare."""
    from reference import constraints as truth
    from treebound import Constraints

    names = tuple(f"x{v}" for v in range(len(case.sets) or len(case.rows[0])))
    knowledge = json.loads(case.knowledge)
    constraints = Constraints.from_dict(knowledge)
    sets = case.sets or true_sets(case, names)
    best: dict[int, float | None] = {}  # by treewidth limit; None if no structure obeys
    for name in case.solvers:
        width = width_of(name, case.max_treewidth, len(names))
        if width not in best:
            is_possible = truth.is_possible(knowledge, names, width)
            best[width] = truth.best_score(knowledge, names, sets, width) if is_possible else None
        check_solver(case, name, names, constraints, best[width])


def width_of(solver: str, limit: int, n: int) -> int:
    from treebound.solvers import SOLVERS

    return limit if SOLVERS[solver].is_bounded else n


def check_solver(case: Case, solver: str, names: Any, constraints: Any, best: float | None) -> None:
    """The laws for one solver."""
    from reference import constraints as truth
    from treebound.solvers import SOLVERS

    entry = SOLVERS[solver]
    try:
        result = searched(case, solver, names, constraints)
    except ValueError as error:
        text = str(error)
        is_missing = "no score for the required parents" in text and len(case.sets) > 4
        is_forest = entry.max_parents is not None
        expect(best is None or is_missing or is_forest, "contradictions are those without a structure", text)
        return
    if result is None:
        return
    expect(best is not None, "a contradiction is recognised", (solver, result.structure.parents))
    assert best is not None
    knowledge = json.loads(case.knowledge)
    parents = result.structure.parent_indices
    expect(truth.obeys(knowledge, names, parents), "constraints are obeyed", (solver, parents))
    near = 1e-6 * max(1.0, abs(best))
    if entry.max_parents is None:
        expect(result.bound is None or result.bound >= best - near, "the bound holds", (result.bound, best))
    expect(result.score <= best + near, "no structure beats the optimum", (solver, result.score, best))
    if "bound" in entry.gives or (result.is_optimal and entry.max_parents is None):
        expect(result.score >= best - near, "the optimum is reached", (solver, result.score, best))


def searched(case: Case, solver: str, names: Any, constraints: Any) -> Any:
    """The result of a solver; None if it needs rows and there are none."""
    import treebound
    from treebound.solvers import SOLVERS, search

    entry = SOLVERS[solver]
    width = case.max_treewidth if entry.is_bounded else None
    how: dict[str, Any] = {"budget": treebound.Budget(steps=12), "seed": case.seed}
    if case.sets:
        if "rows" in entry.needs:
            return None
        pairs = {name: [(p, s) for s, p in own] for name, own in zip(names, case.sets, strict=True)}
        cache = treebound.ParentSetCache.from_sets(pairs)
        return search(cache, width, solver=entry.solver, constraints=constraints, threads=1, **how)
    data = dataset(case, names)
    where = treebound.Local(threads=1)
    learned = treebound.learn(
        data,
        width,
        solver=solver,
        constraints=constraints,
        where=where,
        score=treebound.Bic() if case.seed % 2 else treebound.Bdeu(),
        **how,
    )
    expect(bool(learned.verdict), "the checker accepts the structure", str(learned.verdict))
    return learned.search


def dataset(case: Case, names: Any) -> Any:
    """The rows as a table."""
    import treebound

    columns = list(zip(*case.rows, strict=True))
    variables = [treebound.Variable(name, ("a", "b", "c")[: 2 + v % 2]) for v, name in enumerate(names)]
    import numpy as np

    return treebound.Dataset(treebound.Schema(tuple(variables)), np.array(columns, dtype=np.int16))


def true_sets(case: Case, names: Any) -> Any:
    """All families with their scores, from the rows."""
    from reference import scoring

    cards = [2 + v % 2 for v in range(len(names))]
    sets: list[list[tuple[float, tuple[int, ...]]]] = [[] for _ in names]
    for child, parents in scoring.all_families(len(names), len(names)):
        family = sorted(parents)
        if case.seed % 2:
            value = scoring.bic(child, family, case.rows, cards)
        else:
            value = scoring.bdeu(child, family, case.rows, cards, 1.0)
        sets[child].append((value, tuple(family)))
    return sets


def shrink(case: Case) -> Iterator[Case]:
    """One solver, fewer constraints, fewer sets or rows."""
    if len(case.solvers) > 1:
        yield from (case._replace(solvers=(name,)) for name in case.solvers)
    knowledge = json.loads(case.knowledge)
    for kind, value in knowledge.items():
        rest = {other: kept for other, kept in knowledge.items() if other != kind}
        yield case._replace(knowledge=json.dumps(rest))
        if isinstance(value, list):
            for i in range(len(value)):
                fewer = [*value[:i], *value[i + 1 :]]
                yield case._replace(knowledge=json.dumps({**rest, kind: fewer} if fewer else rest))
    for i in range(len(case.rows)) if len(case.rows) > 2 else ():
        yield case._replace(rows=(*case.rows[:i], *case.rows[i + 1 :]))

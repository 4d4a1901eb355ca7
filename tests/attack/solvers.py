"""Every solver against brute force: acyclic, within the bound, true scores, never better than the optimum."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from enum import Enum
from random import Random
from typing import Any, NamedTuple

from . import truth
from ._laws import expect

SECONDS = 60.0
MEMORY_MB = 6000

Sets = tuple[tuple[tuple[float, tuple[int, ...]], ...], ...]


class Case(NamedTuple):
    """Scored sets of each variable, a bound, and which solver to ask for how long."""

    sets: Sets
    solver: str
    options: tuple[tuple[str, Any], ...]  # other than the defaults
    max_treewidth: int
    max_cells: int  # 0: none
    steps: int
    seed: int
    threads: int


def all_solvers() -> dict[str, Any]:
    """The entries of the registry by name; a solver that needs rows has no use for the sets drawn here."""
    from treebound.solvers import SOLVERS

    return {name: entry for name, entry in SOLVERS.items() if "rows" not in entry.needs}


def make(random: Random) -> Case:
    """Draw few variables most of the time, so that brute force can say what is best."""
    solver = random.choice(sorted(all_solvers()))
    entry = all_solvers()[solver]
    n = random.choice([1, 2, 3, 4, 5, 5, 5, random.randint(6, 8 if entry.is_for_few else 14)])
    has_ties = random.random() < 0.3
    sets = tuple(_sets_of(random, n, v, has_ties) for v in range(n))
    max_cells = random.choice([0, 0, random.randint(4, 40)]) if "max_cells" in entry.takes else 0
    return Case(
        sets,
        solver,
        _options(random, entry.solver) if random.random() < 0.5 else (),
        random.randint(0, 5),
        max_cells,
        random.choice([1, 2, 5, 30]),
        random.randrange(2**64),
        random.randint(1, 4),
    )


def _options(random: Random, solver: Any) -> tuple[tuple[str, Any], ...]:
    """Switches and choices at random, small numbers for numbers."""
    drawn: list[tuple[str, Any]] = []
    for field in dataclasses.fields(solver):
        if isinstance(field.default, bool):
            drawn.append((field.name, random.random() < 0.5))
        elif isinstance(field.default, Enum):
            drawn.append((field.name, str(random.choice(list(type(field.default))).value)))
        elif isinstance(field.default, int):
            drawn.append((field.name, random.randint(1, 4)))
    return tuple(drawn)


def _sets_of(random: Random, n: int, v: int, has_ties: bool) -> tuple[tuple[float, tuple[int, ...]], ...]:
    others = [u for u in range(n) if u != v]
    found = {()}
    for _ in range(random.randint(0, 8)):
        found.add(tuple(sorted(random.sample(others, random.randint(0, min(4, len(others)))))))
    scale = random.choice([1.0, 1e-6, 1e5])
    value = (lambda: float(random.randint(-3, 0))) if has_ties else (lambda: scale * random.uniform(-9, 0))
    return tuple((value() - (0 if parents else 3), parents) for parents in sorted(found))


def cards_of(case: Case) -> list[int]:
    """Numbers of states, for the bound on joint states: 2, 3, 4 in turn."""
    return [2 + v % 3 for v in range(len(case.sets))]


def check(case: Case) -> None:
    """Search and compare; a solver that keeps no bound is asked without one."""
    import treebound
    from treebound.solvers import search

    states = [[f"s{i}" for i in range(card)] for card in cards_of(case)]
    schema = treebound.Schema(
        tuple(treebound.Variable(f"v{v}", tuple(labels)) for v, labels in enumerate(states))
    )
    cache = treebound.ParentSetCache.from_sets(
        {f"v{v}": [(parents, score) for score, parents in own] for v, own in enumerate(case.sets)},
        schema=schema,
    )
    how = {
        "constraints": treebound.Constraints(max_cells=case.max_cells or None),
        "solver": dataclasses.replace(all_solvers()[case.solver].solver, **dict(case.options)),
        "budget": treebound.Budget(steps=case.steps),
        "seed": case.seed,
        "threads": case.threads,
    }
    bound: int | None = case.max_treewidth
    if not all_solvers()[case.solver].is_bounded:
        bound, case = None, case._replace(max_treewidth=len(case.sets))
    first = search(cache, bound, **how)
    check_found(case, first.structure.parent_indices, first.score, first.structure.witness)
    again = search(cache, bound, start=first.structure, **how)
    check_found(case, again.structure.parent_indices, again.score, again.structure.witness)
    expect(again.score >= first.score, "going on makes nothing worse", (first.score, again.score))


def check_found(case: Case, parents: Sequence[Sequence[int]], score: float, witness: Any) -> None:
    """The laws for a structure that a solver found."""
    expect(truth.is_acyclic(parents), "structures are acyclic", parents)
    own = [{chosen: value for value, chosen in sets} for sets in case.sets]
    chosen = [tuple(sorted(family)) for family in parents]
    expect(
        all(family in sets for family, sets in zip(chosen, own, strict=True)),
        "every family is in the cache",
        chosen,
    )
    true = math.fsum(sets[family] for family, sets in zip(chosen, own, strict=True))
    near = 1e-9 * max(1.0, abs(true))
    expect(abs(true - score) <= near, "the score is the sum of its families", (score, true))
    expect(witness is not None, "a structure has its witness")
    expect(
        truth.is_decomposition(witness.bags, witness.edges, parents),
        "the witness is a tree decomposition",
        (parents, witness),
    )
    cards = cards_of(case)
    width = max(map(len, witness.bags)) - 1
    expect(width <= case.max_treewidth, "the witness is within the bound", (width, witness))
    dearest = max(math.prod(cards[v] for v in bag) for bag in witness.bags)
    is_cheap = not case.max_cells or dearest <= case.max_cells
    expect(is_cheap, "the witness is within the bound on states", (dearest, witness))
    if len(case.sets) <= 5:
        best = best_score(case)
        expect(score <= best + near, "no structure beats the optimum", (score, best))


def best_score(case: Case) -> float:
    """The optimum by brute force; one tree decomposition must keep both bounds."""
    cards = cards_of(case)

    def cost(bag: set[int]) -> float:
        is_small = not case.max_cells or math.prod(cards[v] for v in bag) <= case.max_cells
        return len(bag) - 1 if is_small else math.inf

    return truth.best_structure_score(
        case.sets,
        lambda parents: truth.cheapest_elimination(truth.moral_graph(parents), cost) <= case.max_treewidth,
    )


def shrink(case: Case) -> Iterator[Case]:
    """Fewer variables, fewer sets, rounder scores, a smaller job."""
    n = len(case.sets)
    if n > 1:
        yield case._replace(sets=_without_variable(case.sets, n - 1))
    for v, own in enumerate(case.sets):
        for one in own:
            if one[1]:
                less = tuple(other for other in own if other != one)
                yield case._replace(sets=(*case.sets[:v], less, *case.sets[v + 1 :]))
    if case.max_treewidth > 0:
        yield case._replace(max_treewidth=case.max_treewidth - 1)
    for field, least in [("options", ()), ("threads", 1), ("steps", 1), ("seed", 0), ("max_cells", 0)]:
        if getattr(case, field) != least:
            yield case._replace(**{field: least})


def _without_variable(sets: Sets, gone: int) -> Sets:
    return tuple(tuple(one for one in own if gone not in one[1]) for own in sets[:gone])

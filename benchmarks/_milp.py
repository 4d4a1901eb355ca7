"""The best network of bounded treewidth by integer programming: for small problems, independent of the core.

A network of treewidth k is a DAG whose families are cliques of a k-tree. The program chooses both: a parent
set per variable; a root clique of k+1 variables; and for each other variable the k-clique that it joins. It
differs from the program of Nie, Maua, de Campos and Ji (2014) in two ways: all neighbours that a variable
meets when it leaves are one choice, where theirs has one per edge; and cycles are excluded by clusters
instead of positions (Jaakkola et al. 2010): in any set of variables, one has no parent inside the set.
Clusters are added where they are violated.

A cache is a list that has, for each variable, its (score, parents) pairs.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

Pair = tuple[float, tuple[int, ...]]
Choice = tuple[int, frozenset[int]]  # a variable of the program, and what it chooses
TOLERANCE = 1e-6
CUTS_PER_ROUND = 50
MAX_SECONDS = 120


class NotProved(Exception):
    """HiGHS has found no optimum in time."""


class Program:
    """Binary variables, and constraints on sums of them."""

    def __init__(self) -> None:
        self.costs: list[float] = []
        self.entries: list[tuple[int, int, int]] = []
        self.limits: list[tuple[float, float]] = []

    def variable(self, cost: float = 0.0) -> int:
        """Return a new binary variable."""
        self.costs.append(cost)
        return len(self.costs) - 1

    def demand(self, low: float, high: float, plus: Iterable[int], minus: Iterable[int] = ()) -> None:
        """Demand that the sum of some variables, less that of others, is between two limits."""
        row = len(self.limits)
        self.entries += [(row, x, 1) for x in plus] + [(row, x, -1) for x in minus]
        self.limits.append((low, high))

    def solve(self, is_integer: bool) -> np.ndarray:
        """Return the values of all variables at the minimum, proved."""
        rows, columns, factors = np.array(self.entries).T
        matrix = coo_array((factors, (rows, columns)), shape=(len(self.limits), len(self.costs))).tocsr()
        found = milp(
            np.array(self.costs),
            integrality=np.full(len(self.costs), int(is_integer)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(matrix, *np.array(self.limits).T),
            options={"mip_rel_gap": 0, "time_limit": MAX_SECONDS},
        )
        if not found.success:
            raise NotProved(found.message)
        return np.asarray(found.x)


class Clusters:
    """Sets of variables in each of which one must have chosen nothing inside, or be in the root."""

    def __init__(self, num_variables: int, choices: list[list[Choice]], roots: list[Choice]) -> None:
        masks = np.arange(1, 2**num_variables)
        owned = [(x, 1 << v, members) for v, own in enumerate(choices) for x, members in own]
        self._columns = np.array([x for x, _, _ in owned] + [x for x, _ in roots], dtype=int)
        serves = [(masks & v > 0) & (masks & mask_of(members) == 0) for _, v, members in owned]
        serves += [masks & mask_of(members) > 0 for _, members in roots]
        self._serves = np.array(serves)

    def cut(self, program: Program, values: np.ndarray) -> bool:
        """Add the clusters that are violated most; returns whether there were any."""
        sums = values[self._columns] @ self._serves
        worst = np.argsort(sums)[:CUTS_PER_ROUND]
        violated = worst[sums[worst] < 1 - TOLERANCE]
        for cluster in violated:
            program.demand(1, np.inf, self._columns[self._serves[:, cluster]])
        return len(violated) > 0


def best_network(sets: list[list[Pair]], max_treewidth: int) -> tuple[float, list[tuple[int, ...]]]:
    """Return the score and the parents of the best network."""
    n, k = len(sets), min(max_treewidth, len(sets) - 1)
    sets = [useful(pairs, k) for pairs in sets]
    program = Program()
    families = [
        # Losses instead of scores keep the numbers small.
        [(program.variable(pairs[0][0] - score), frozenset(parents)) for score, parents in pairs]
        for pairs in sets
    ]
    for choices in families:
        program.demand(1, 1, (x for x, _ in choices))
    joined, roots = ktree(program, n, k, families)
    clusters = [Clusters(n, families, []), Clusters(n, joined, roots)]
    for is_integer in (False, True):
        values = program.solve(is_integer)
        while sum(kind.cut(program, values) for kind in clusters):
            values = program.solve(is_integer)
    best = [
        pairs[int(np.argmax(values[[x for x, _ in choices]]))]
        for pairs, choices in zip(sets, families, strict=True)
    ]
    return sum(score for score, _ in best), [parents for _, parents in best]


def ktree(
    program: Program, n: int, k: int, families: list[list[Choice]]
) -> tuple[list[list[Choice]], list[Choice]]:
    """Add a k-tree that holds the families: returns what each variable may join, and the roots."""
    # Any variable can be in the root: let it be the first.
    roots = [(program.variable(), frozenset((0, *rest))) for rest in itertools.combinations(range(1, n), k)]
    program.demand(1, 1, (x for x, _ in roots))
    joined: list[list[Choice]] = [[]]
    for v in range(1, n):
        cliques = itertools.combinations(sorted({*range(n)} - {v}), k)
        joined.append([(program.variable(), frozenset(clique)) for clique in cliques])
        program.demand(1, 1, [x for x, root in roots if v in root] + [x for x, _ in joined[v]])
    # A set of variables is a clique if it is in the root, or all but its newest were joined by the newest.
    holders = defaultdict(list)
    for x, root in roots:
        for part in subsets(root):
            holders[part].append(x)
    for v, choices in enumerate(joined):
        for x, clique in choices:
            for part in subsets(clique):
                holders[part | {v}].append(x)
    for x, clique in itertools.chain.from_iterable(joined):
        program.demand(-np.inf, 0, [x], holders[clique])
    # In a DAG only one of a set of variables can have all others as parents.
    askers = defaultdict(list)
    for v, choices in enumerate(families):
        for x, parents in choices:
            for part in subsets(parents):
                askers[part | {v}].append(x)
    for family, variables in askers.items():
        if len(family) >= 2:
            program.demand(-np.inf, 0, variables, holders[family])
    return joined, roots


def mask_of(members: Iterable[int]) -> int:
    """Return a set of variables as bits."""
    return sum(1 << v for v in members)


def subsets(members: frozenset[int]) -> Iterable[frozenset[int]]:
    """All subsets."""
    sizes = range(len(members) + 1)
    return (frozenset(part) for size in sizes for part in itertools.combinations(sorted(members), size))


def useful(pairs: list[Pair], max_parents: int) -> list[Pair]:
    """Sets within the bound that are better than all their subsets, best first."""
    kept: list[Pair] = []
    for score, parents in sorted(pairs, key=lambda pair: (len(pair[1]), -pair[0])):
        is_dominated = any(other >= score and {*fewer} <= {*parents} for other, fewer in kept)
        if len(parents) <= max_parents and not is_dominated:
            kept.append((score, parents))
    return sorted(kept, reverse=True)

"""What is true, by definition: scores by counting, graphs by their definitions, probabilities as fractions.

Written for this attack alone: neither the package nor the twins in ``tests/reference`` are asked.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

Rows = Sequence[Sequence[int]]  # one sequence of codes per variable
Parents = Sequence[Iterable[int]]
Joint = dict[tuple[int, ...], Fraction]


# Scores


def family_counts(columns: Rows, child: int, parents: Iterable[int]) -> dict[tuple[int, ...], Counter[int]]:
    """How often each state of the child occurs with each joint state of the parents."""
    counts: dict[tuple[int, ...], Counter[int]] = {}
    for state, *given in zip(columns[child], *(columns[p] for p in parents), strict=True):
        counts.setdefault(tuple(given), Counter())[state] += 1
    return counts


def bic(columns: Rows, cards: Sequence[int], child: int, parents: Sequence[int]) -> float:
    """Log-likelihood less half a log N for every free parameter."""
    likelihood = 0.0
    for counts in family_counts(columns, child, parents).values():
        total = sum(counts.values())
        likelihood += sum(count * math.log(count / total) for count in counts.values())
    free = (cards[child] - 1) * math.prod(cards[p] for p in parents)
    return likelihood - math.log(len(columns[child])) / 2 * free


def bdeu(columns: Rows, cards: Sequence[int], child: int, parents: Sequence[int], size: float) -> float:
    """Log of the marginal likelihood under Dirichlet priors that spread ``size`` rows evenly."""
    per_state = size / math.prod(cards[p] for p in parents)
    per_cell = per_state / cards[child]
    return sum(
        math.lgamma(per_state)
        - math.lgamma(per_state + sum(counts.values()))
        + sum(math.lgamma(per_cell + count) - math.lgamma(per_cell) for count in counts.values())
        for counts in family_counts(columns, child, parents).values()
    )


# Graphs


def is_acyclic(parents: Parents) -> bool:
    """Whether variables can be taken away one by one, each without parents when its turn comes."""
    left = {v: set(chosen) for v, chosen in enumerate(parents)}
    while left:
        free = [v for v, chosen in left.items() if not chosen & left.keys()]
        if not free:
            return False
        for v in free:
            del left[v]
    return True


def moral_graph(parents: Parents) -> list[set[int]]:
    """Neighbours of each variable once every family is joined."""
    around: list[set[int]] = [set() for _ in parents]
    for child, chosen in enumerate(parents):
        for a, b in itertools.combinations({child, *chosen}, 2):
            around[a].add(b)
            around[b].add(a)
    return around


def elimination_bags(around: Sequence[set[int]], order: Sequence[int]) -> list[set[int]]:
    """Each variable with the neighbours that it has when it is eliminated."""
    graph = [set(one) for one in around]
    bags = []
    for v in order:
        bags.append({v, *graph[v]})
        for a in graph[v]:
            graph[a] |= graph[v] - {a}
            graph[a].discard(v)
    return bags


def cheapest_elimination(around: Sequence[set[int]], cost: Callable[[set[int]], float]) -> float:
    """The least cost of the dearest bag over all elimination orders, by dynamic programming over sets.

    With one less than its size as the cost of a bag this is the treewidth.
    """
    n = len(around)
    best = {frozenset(): -math.inf}
    for _ in range(n):
        grown: dict[frozenset[int], float] = {}
        for gone, dearest in best.items():
            for v in set(range(n)) - gone:
                value = max(dearest, cost({v, *_reachable(around, v, gone)}))
                key = gone | {v}
                grown[key] = min(value, grown.get(key, math.inf))
        best = grown
    return best[frozenset(range(n))]


def treewidth(parents: Parents) -> int:
    """Treewidth of the moral graph."""
    return int(cheapest_elimination(moral_graph(parents), lambda bag: len(bag) - 1))


def _reachable(around: Sequence[set[int]], start: int, through: frozenset[int]) -> set[int]:
    """Neighbours of ``start`` once those in ``through`` are eliminated."""
    found: set[int] = set()
    seen, waiting = {start}, [start]
    while waiting:
        for u in around[waiting.pop()] - seen:
            seen.add(u)
            if u in through:
                waiting.append(u)
            else:
                found.add(u)
    return found


def is_decomposition(
    bags: Sequence[Iterable[int]], edges: Iterable[tuple[int, int]], parents: Parents
) -> bool:
    """Whether these are a tree of bags, each family in one, the bags of each variable connected."""
    sets = [set(bag) for bag in bags]
    links = [frozenset(edge) for edge in edges]
    if not _is_tree(range(len(sets)), links):
        return False
    for child, chosen in enumerate(parents):
        if not any({child, *chosen} <= bag for bag in sets):
            return False
        holding = [i for i, bag in enumerate(sets) if child in bag]
        if not _is_tree(holding, [link for link in links if link <= set(holding)]):
            return False
    return True


def _is_tree(nodes: Iterable[int], links: list[frozenset[int]]) -> bool:
    """Whether the links make one tree, or several, of the nodes: connected where linked, without a cycle."""
    group = {node: node for node in nodes}

    def root(node: int) -> int:
        while group[node] != node:
            node = group[node]
        return node

    for link in links:
        if len(link) != 2:
            return False
        a, b = map(root, link)
        if a == b:
            return False
        group[a] = b
    return sum(group[node] == node for node in group) <= 1


def best_structure_score(
    sets: Sequence[Sequence[tuple[float, tuple[int, ...]]]], is_allowed: Callable[[Parents], bool]
) -> float:
    """The best sum of scores of one set per variable, acyclic and allowed; by depth-first search."""
    ordered = [sorted(own, reverse=True) for own in sets]
    optimistic = [0.0]
    for own in reversed(ordered):
        optimistic.append(optimistic[-1] + own[0][0])
    best = -math.inf

    def choose(chosen: list[tuple[int, ...]], score: float) -> None:
        nonlocal best
        v = len(chosen)
        if score + optimistic[len(ordered) - v] <= best:
            return
        if v == len(ordered):
            if is_acyclic(chosen) and is_allowed(chosen):
                best = score
            return
        for value, parents in ordered[v]:
            choose([*chosen, parents], score + value)

    choose([], 0.0)
    return best


# Probabilities


def joint(parents: Sequence[Sequence[int]], tables: Sequence[Sequence[float]], cards: Sequence[int]) -> Joint:
    """P(all variables), exactly; rows of tables scaled to sum to one."""
    exact = [_scaled(table, card) for table, card in zip(tables, cards, strict=True)]
    result = {}
    for states in itertools.product(*map(range, cards)):
        value = Fraction(1)
        for v, chosen in enumerate(parents):
            row = 0
            for p in chosen:
                row = row * cards[p] + states[p]
            value *= exact[v][row * cards[v] + states[v]]
        result[states] = value
    return result


def _scaled(table: Sequence[float], card: int) -> list[Fraction]:
    numbers = [Fraction(number) for number in table]
    rows = [numbers[i : i + card] for i in range(0, len(numbers), card)]
    return [number / sum(row) for row in rows for number in row]


def weighted(distribution: Joint, likelihoods: Mapping[int, Sequence[float]]) -> Joint:
    """P(all variables, evidence)."""
    exact = {v: [Fraction(weight) for weight in weights] for v, weights in likelihoods.items()}
    return {
        states: value * math.prod(weights[states[v]] for v, weights in exact.items())
        for states, value in distribution.items()
    }


def given_row(distribution: Joint, row: Sequence[int]) -> Joint:
    """P(all variables, the known cells of a row); -1 is not known."""
    return {
        states: value
        if all(code in (-1, state) for code, state in zip(row, states, strict=True))
        else Fraction()
        for states, value in distribution.items()
    }


def marginal(distribution: Joint, variables: Sequence[int]) -> Joint:
    """The sum over all other variables."""
    result: Joint = {}
    for states, value in distribution.items():
        key = tuple(states[v] for v in variables)
        result[key] = result.get(key, Fraction()) + value
    return result


def log(number: Fraction) -> float:
    """Natural logarithm of a fraction of any size."""
    if number == 0:
        return -math.inf
    return math.log(number.numerator) - math.log(number.denominator)


def subsets(items: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """All subsets of at most so many items."""
    for size in range(min(most, len(items)) + 1):
        yield from itertools.combinations(items, size)

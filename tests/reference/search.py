"""Slow twins of the solvers: explicit lists of cliques, brute force over everything else.

A cache is a list that has, for each variable, its ``(score, parents)`` pairs, best first.
"""

from __future__ import annotations

import itertools
import math

Sets = list[list[tuple[float, tuple[int, ...]]]]


def best_within(sets, v, allowed, max_parents):
    """Best pair of ``v`` with at most ``max_parents`` parents, all of them in ``allowed``."""
    return next(pair for pair in sets[v] if len(pair[1]) <= max_parents and set(pair[1]) <= set(allowed))


def best_root_score(sets, root):
    """Score of the best DAG on ``root``: try all orders."""
    k = len(root) - 1
    return max(
        sum(best_within(sets, v, order[:i], k)[0] for i, v in enumerate(order))
        for order in itertools.permutations(root)
    )


def partners(sets, v, k):
    """Variables beside ``v`` in useful sets of at most ``k`` parents, by the gain that they keep together."""
    weights = {}
    for pairs in sets:
        useful = [pair for pair in pairs if len(pair[1]) <= k]
        empty = next(i for i, pair in enumerate(useful) if not pair[1])
        best, worst = useful[0][0], useful[empty][0]
        for score, parents in useful[:empty]:
            if v in parents:
                for u in set(parents) - {v}:
                    weights[u] = weights.get(u, 0.0) + (score - worst) / (best - worst)
    return sorted(weights, key=lambda u: (-weights[u], u))[:32]


def choose_separator(sets, cliques, inserted, v, parents, k, policy):
    """Return the k-clique that ``v`` joins. ``cliques`` lists the (k+1)-cliques as they were made."""
    members = list(parents)
    if policy == "partners":
        for u in partners(sets, v, k):
            if len(members) < k and u not in members and any({*members, u} <= c for c in cliques):
                members.append(u)
    if len(members) == k:
        return set(members)
    newest_of_each = [max(i for i, c in enumerate(cliques) if u in c) for u in members]
    first_with_all = next((i for i, c in enumerate(cliques) if set(members) <= c), None)
    holders = [i for i in [*newest_of_each, first_with_all] if i is not None and set(members) <= cliques[i]]
    clique = cliques[max(holders)] if members else cliques[-1]
    return clique - {min(clique - set(members), key=inserted.index)}


def grow(sets, k, root, following, policy):
    """Insert variables behind a root clique; ``following`` names the next one, given the cliques so far."""
    inserted, cliques = list(root), [set(root)]
    chosen, separators = {}, {}
    while (v := following(inserted, cliques)) is not None:
        chosen[v] = best_in_cliques(sets, v, cliques, k)
        separators[v] = choose_separator(sets, cliques, inserted, v, chosen[v][1], k, policy)
        cliques.append(separators[v] | {v})
        inserted.append(v)
    return chosen, separators, inserted


def best_in_cliques(sets, v, cliques, k):
    """Best pair of ``v`` whose parents lie in one clique."""
    return max((best_within(sets, v, c, k) for c in cliques), key=lambda pair: (pair[0], -len(pair[1])))


def k_greedy(sets, k, order, policy):
    """k-G behind the root clique: pairs chosen, separators, insertion order."""
    rest = iter(order[k + 1 :])
    return grow(sets, k, order[: k + 1], lambda *_: next(rest, None), policy)


def k_max(sets, k, priority, policy):
    """k-MAX behind the root clique; of equal losses the earlier in ``priority`` goes first."""

    def loss(v, cliques):
        useful = [pair for pair in sets[v] if len(pair[1]) <= k]
        best = useful[0][0]
        worst = next(score for score, parents in useful if not parents)
        available = best_in_cliques(sets, v, cliques, k)[0]
        return (best - available) / (best - worst) if best > worst else 0.0

    def following(inserted, cliques):
        waiting = [v for v in priority if v not in inserted]
        return min(waiting, key=lambda v: loss(v, cliques), default=None)

    return grow(sets, k, priority[: k + 1], following, policy)


def best_for_order(sets, k, order):
    """Return the optimum that k-A* looks for: all choices of cliques tried."""

    def rest(i, cliques):
        if i == len(order):
            return 0.0
        v = order[i]
        separators = {frozenset(s) for c in cliques for s in itertools.combinations(sorted(c), k)}
        return max(
            best_within(sets, v, s, k)[0] + rest(i + 1, [*cliques, s | {v}])
            for s in sorted(separators, key=sorted)
        )

    return best_root_score(sets, order[: k + 1]) + rest(k + 1, [frozenset(order[: k + 1])])


def is_acyclic(parents):
    """Whether variables can be removed one by one, parents first."""
    left = set(range(len(parents)))
    while removable := {v for v in left if not left & set(parents[v])}:
        left -= removable
    return not left


def treewidth(parents):
    """Exact treewidth of a DAG: the best of all elimination orders of its moral graph."""
    n = len(parents)
    if all(not own for own in parents):
        return 0
    best = n - 1
    for order in itertools.permutations(range(n)):
        edges = {frozenset(e) for v in range(n) for e in itertools.combinations({v, *parents[v]}, 2)}
        width = 0
        for v in order:
            neighbours = {u for e in edges if v in e for u in e} - {v}
            width = max(width, len(neighbours))
            edges = {e for e in edges if v not in e}
            edges |= {frozenset(e) for e in itertools.combinations(neighbours, 2)}
        best = min(best, width)
    return best


def best_score(sets, k):
    """Score of the best DAG of treewidth at most ``k``: all combinations of parent sets."""
    best = -math.inf
    for choice in itertools.product(*sets):
        total = sum(score for score, _ in choice)
        parents = [p for _, p in choice]
        if total > best and is_acyclic(parents) and treewidth(parents) <= k:
            best = total
    return best

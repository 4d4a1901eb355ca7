"""Slow twins of what S2 and S2+ do with k-trees: brute force over all of them, and over all orders.

A k-tree is a frozen set of edges, each a frozen set of two variables; a cache as in ``search.py``.
"""

from __future__ import annotations

import functools
import itertools
import math


def pairs_of(variables):
    """All edges between the variables."""
    return frozenset(map(frozenset, itertools.combinations(variables, 2)))


def is_clique(edges, variables):
    """Whether all of them are joined."""
    return pairs_of(variables) <= edges


def edges_of(order, separators, k):
    """The k-tree of an insertion order and the separators behind its first k+1 variables."""
    edges = set(pairs_of(order[: k + 1]))
    for v, separator in zip(order[k + 1 :], separators, strict=True):
        assert len(separator) == k
        assert is_clique(edges, separator)
        edges |= {frozenset((v, u)) for u in separator}
    return frozenset(edges)


def grown_from(root, n, k):
    """All k-trees on ``n`` variables in which ``root`` is a clique of k+1."""
    states = {(frozenset(root), pairs_of(root))}
    for _ in range(n - k - 1):
        states = {
            (inside | {v}, edges | {frozenset((v, u)) for u in separator})
            for inside, edges in states
            for v in set(range(n)) - inside
            for separator in itertools.combinations(sorted(inside), k)
            if is_clique(edges, separator)
        }
    return {edges for _, edges in states}


@functools.cache
def all_ktrees(n, k):
    """All k-trees on ``n`` variables."""
    return set().union(*(grown_from(root, n, k) for root in itertools.combinations(range(n), k + 1)))


def num_ktrees(n, k):
    """Their number (Beineke and Pippert 1969)."""
    return math.comb(n, k) * (k * (n - k) + 1) ** max(n - k - 2, 0) if n > k + 1 else 1


def code_of(edges, n, k):
    """The Dandelion code of a k-tree: Q, and n-k-2 pairs (Caminiti, Fusco and Petreschi 2010, section 5)."""
    near = {v: {u for edge in edges if v in edge for u in edge} - {v} for v in range(n)}
    leaf = max(v for v in range(n) if len(near[v]) == k)
    q = sorted(near[leaf])
    number = numbers(n, k, q)
    # Prune leaves outside Q one by one; what is left around a leaf is what it joined.
    joined, left = {}, set(range(n))
    while outside := left - set(q):
        v = next(v for v in outside if len(near[v] & left) == k)
        joined[v] = near[v] & left
        left.remove(v)
    parent = {}
    for v in reversed(joined):
        inner = joined[v] - set(q)
        # Its latest member; the rest of the separator was there when this one joined.
        parent[v] = next((u for u in inner if joined[v] - {u} <= joined[u]), None)
    above = {}
    for v, p in parent.items():
        if p is None:
            above[number[v]] = (0, 0)
        else:
            ranked = sorted(number[u] for u in joined[p])
            (left_out,) = joined[p] - joined[v]
            above[number[v]] = (number[p], ranked.index(number[left_out]))
    x = number[min(set(range(n)) - set(q))]
    while above[x][0] != 0:
        path = [above[x][0]]
        while above[path[-1]][0] != 0:
            path.append(above[path[-1]][0])
        largest = max(path)
        above[x], above[largest] = above[largest], above[x]
    return q, [above[i] for i in sorted(above) if i not in (x, number[leaf])]


def numbers(n, k, q):
    """New numbers 1..n: the last k for Q, what they displace goes along the chain to its begin."""
    number = {v: n - k + 1 + i for i, v in enumerate(q)}
    for v in q:
        if v < n - k:
            end = v
            while end in q:
                end = number[end] - 1
            number[end] = v + 1
    return {v: number.get(v, v + 1) for v in range(n)}


def covered(sets, edges):
    """The pairs of each variable whose family is a clique."""
    return [[pair for pair in own if is_clique(edges, (v, *pair[1]))] for v, own in enumerate(sets)]


def pseudo_score(sets, edges, k):
    """S_l: each variable takes its best set of at most k parents in a clique, cycles or not."""
    return sum(max(score for score, parents in own if len(parents) <= k) for own in covered(sets, edges))


def information(sets, a, b, k):
    """Gain of the better direction of a pair, as far as it is positive."""
    gains = [0.0]
    for child, parent in ((a, b), (b, a)):
        scores = {parents: score for score, parents in sets[child]}
        if k >= 1 and (parent,) in scores:
            gains.append(scores[(parent,)] - scores[()])
    return max(gains)


def informative_score(sets, edges, k):
    """IS = S_mi / |S_l|."""
    divisor = abs(pseudo_score(sets, edges, k))
    total = sum(information(sets, *sorted(edge), k) for edge in edges)
    return total / divisor if divisor else total


def best_in(sets, edges, n):
    """Score of the best DAG whose families are cliques of the k-tree: all orders tried."""
    choices = covered(sets, edges)
    return max(
        sum(
            max(score for score, parents in choices[v] if set(parents) <= set(order[:i]))
            for i, v in enumerate(order)
        )
        for order in itertools.permutations(range(n))
    )


def clique_value(sets, members, k):
    """Informative score of k+1 variables by themselves."""
    total = sum(information(sets, a, b, k) for a, b in itertools.combinations(members, 2))
    inside = [
        max(score for score, parents in sets[v] if set(parents) <= set(members) and len(parents) <= k)
        for v in members
    ]
    return total / abs(sum(inside)) if sum(inside) else total


def most_informative_clique(sets, n, k):
    """The clique that S2+ begins with: from each variable, always the one with the most information."""
    cliques = []
    for first in range(n):
        members = [first]
        while len(members) <= k:
            others = [u for u in range(n) if u not in members]
            members.append(max(others, key=lambda u: (sum(information(sets, u, m, k) for m in members), -u)))
        cliques.append(members)
    return max(cliques, key=lambda members: clique_value(sets, members, k))


def draw_code(stream, n, k):
    """A uniform Dandelion code from a stream of random numbers."""
    order = list(range(n))
    for i in range(k):
        j = i + stream.below(n - i)
        order[i], order[j] = order[j], order[i]
    pairs = []
    for _ in range(n - k - 2):
        choice = stream.below((n - k) * k + 1)
        pairs.append((0, 0) if choice == 0 else (1 + (choice - 1) // k, (choice - 1) % k))
    return sorted(order[:k]), pairs


def s2(sets, n, k, streams, decode, per_round=16):
    """S2 for as many steps as there are streams: k-trees drawn, best score of a DAG."""
    drawn, best, largest = 0, -math.inf, 0.0
    value = functools.cache(lambda edges: informative_score(sets, edges, k))
    optimum = functools.cache(lambda edges: best_in(sets, edges, n))
    for first in range(0, len(streams), per_round):
        values = []
        for stream in streams[first : first + per_round]:
            while True:
                edges = decode(*draw_code(stream, n, k))
                drawn += 1
                values.append(value(edges))
                if values[-1] >= largest or stream.uniform() * largest < values[-1]:
                    break
            best = max(best, optimum(edges))
        largest = max(largest, *values)
    return drawn, best

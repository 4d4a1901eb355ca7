"""Treewidth, elimination and tree decompositions by trying everything, in plain Python."""

from __future__ import annotations

from itertools import combinations, permutations


def moral_edges(parents):
    families = [{v, *chosen} for v, chosen in enumerate(parents)]
    return {frozenset(pair) for family in families for pair in combinations(family, 2)}


def edges_of(neighbours):
    return {frozenset((v, u)) for v, around in enumerate(neighbours) for u in around}


def around(edges, v):
    return {u for edge in edges if v in edge for u in edge if u != v}


def without(edges, v):
    """Take v away and join its neighbours."""
    fill = {frozenset(pair) for pair in combinations(around(edges, v), 2)}
    return {edge for edge in edges if v not in edge} | fill


def missing(edges, v):
    return sum(frozenset(pair) not in edges for pair in combinations(around(edges, v), 2))


def width_of_order(edges, order):
    width = 0
    for v in order:
        width = max(width, len(around(edges, v)))
        edges = without(edges, v)
    return width


def greedy_order(edges, vertices, cost):
    left, order = set(vertices), []
    while left:
        v = min(left, key=lambda u: (cost(edges, u), u))
        order.append(v)
        left.remove(v)
        edges = without(edges, v)
    return tuple(order)


def min_degree_order(edges, n):
    return greedy_order(edges, range(n), lambda left, v: len(around(left, v)))


def min_fill_order(edges, n):
    return greedy_order(edges, range(n), missing)


def min_weight_order(edges, n, weights):
    return greedy_order(
        edges, range(n), lambda left, v: weights[v] + sum(weights[u] for u in around(left, v))
    )


def weighted_min_fill_order(edges, n, weights):
    def cost(left, v):
        pairs = combinations(sorted(around(left, v)), 2)
        return sum(weights[a] * weights[b] for a, b in pairs if frozenset((a, b)) not in left)

    return greedy_order(edges, range(n), cost)


def treewidth(edges, n):
    return min(width_of_order(edges, order) for order in permutations(range(n)))


def is_acyclic(parents):
    left = set(range(len(parents)))
    while True:
        roots = {v for v in left if not left & set(parents[v])}
        if not roots:
            return not left
        left -= roots


def is_connected(vertices, edges):
    """Whether the edges inside ``vertices`` join all of them."""
    vertices = set(vertices)
    if not vertices:
        return True
    reached = {min(vertices)}
    for _ in vertices:
        reached |= {u for a, b in edges if {a, b} <= vertices and {a, b} & reached for u in (a, b)}
    return reached == vertices


def is_tree_decomposition(bags, tree_edges, families, n):
    """The definition, word for word: a tree; all variables; all families; connected bags of a variable."""
    indexes = range(len(bags))
    pairs = {frozenset(edge) for edge in tree_edges}
    is_tree = len(pairs) == len(tree_edges) == len(bags) - 1 and is_connected(indexes, tree_edges)
    return (
        is_tree
        and set().union(*bags) == set(range(n))
        and all(any(set(family) <= set(bag) for bag in bags) for family in families)
        and all(is_connected([i for i in indexes if v in bags[i]], tree_edges) for v in range(n))
    )


def is_structure(parents, bags, tree_edges, max_treewidth):
    families = [(v, *chosen) for v, chosen in enumerate(parents)]
    return (
        is_acyclic(parents)
        and is_tree_decomposition(bags, tree_edges, families, len(parents))
        and all(len(bag) <= max_treewidth + 1 for bag in bags)
    )

"""Slow twins of the optimal forest: all choices tried."""

from __future__ import annotations

import itertools

from reference.search import is_acyclic


def best_branching_weight(num_vertices, arcs):
    """Largest sum of weights with at most one arc into each vertex and no cycle."""
    into = [[None, *(arc for arc in arcs if arc[1] == v)] for v in range(num_vertices)]
    best = 0.0
    for choice in itertools.product(*into):
        if is_acyclic([() if arc is None else (arc[0],) for arc in choice]):
            best = max(best, sum(arc[2] for arc in choice if arc is not None))
    return best


def best_forest_score(sets):
    """Score of the best network in which no variable has two parents."""
    few = [[pair for pair in pairs if len(pair[1]) <= 1] for pairs in sets]
    return max(
        sum(score for score, _ in choice)
        for choice in itertools.product(*few)
        if is_acyclic([parents for _, parents in choice])
    )


def spanning_forest(num_vertices, edges):
    """Greedily, the largest weight first: the edges that join two trees."""
    trees = [{v} for v in range(num_vertices)]
    taken = []
    for a, b, weight in sorted(edges, key=lambda edge: (-edge[2], edge[0], edge[1])):
        of_a, of_b = (next(tree for tree in trees if v in tree) for v in (a, b))
        if weight > 0 and of_a is not of_b:
            trees = [tree for tree in trees if tree is not of_a and tree is not of_b] + [of_a | of_b]
            taken.append((a, b, weight))
    return taken

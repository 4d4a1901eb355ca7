"""Slow twins of the triangulation of Elidan and Gould, and of the choice of arcs that share no bag."""

from __future__ import annotations

import itertools


def paths_from(start, edges):
    """The path from one vertex of a tree to every other."""
    paths, todo = {start: [start]}, [start]
    for v in todo:
        for other in {a + b - v for a, b in edges if v in (a, b)} - paths.keys():
            paths[other] = [*paths[v], other]
            todo.append(other)
    return paths


def neighbours_needed(bags, edges, s, family):
    """What s must be joined to: the family and what separates it from s; the family alone without a link."""
    family = set(family)
    best = None
    for home in (b for b, members in enumerate(bags) if family <= set(members)):
        for end, path in paths_from(home, edges).items():
            if s in bags[end] and (best is None or len(path) < len(best)):
                best = path
    separators = [set(bags[a]) & set(bags[b]) for a, b in itertools.pairwise(best)]
    return family if not all(separators) else family.union(*separators)


def joined(bags):
    """All edges of the graph whose cliques these are."""
    return {frozenset(pair) for members in bags for pair in itertools.combinations(members, 2)}


def best_packing(paths):
    """Largest sum of weights of paths that share no vertex: all subsets tried."""
    best = 0.0
    for size in range(len(paths) + 1):
        for chosen in itertools.combinations(paths, size):
            used = [v for _, vertices in chosen for v in vertices]
            if len(used) == len(set(used)):
                best = max(best, sum(weight for weight, _ in chosen))
    return best

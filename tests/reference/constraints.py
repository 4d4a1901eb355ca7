"""Slow twin of constraints: by name, arc by arc, over all structures; ``knowledge`` is a plain dictionary."""

from __future__ import annotations

import fnmatch
import re
from itertools import product

from reference.search import is_acyclic, treewidth


def chosen(patterns, names, groups):
    """The names that one or several patterns stand for."""
    if not isinstance(patterns, str):
        return {name for pattern in patterns for name in chosen(pattern, names, groups)}
    if patterns in groups:
        return chosen(groups[patterns], names, groups)
    if patterns.startswith("re:"):
        return {name for name in names if re.fullmatch(patterns[3:], name)}
    return {name for name in names if name == patterns or fnmatch.fnmatchcase(name, patterns)}


def pairs(knowledge, kind, names):
    """All pairs of different names, or the one pair of a name with itself."""
    groups = knowledge.get("groups", {})
    for left, right in knowledge.get(kind, ()):
        ones, others = chosen(left, names, groups), chosen(right, names, groups)
        for a, b in product(ones, others):
            if a != b or len(ones) == len(others) == 1:
                yield a, b


def tier_of(levels, name, names, groups):
    """The number of the tier that lists a name, or None: by its name, by a pattern, or by a star."""
    by_name = [i for i, level in enumerate(levels) if name in as_list(level)]
    by_pattern = [
        i
        for i, level in enumerate(levels)
        if name in chosen([p for p in as_list(level) if p != "*"], names, groups)
    ]
    by_star = [i for i, level in enumerate(levels) if "*" in as_list(level)]
    return next(iter([*by_name, *by_pattern, *by_star]), None)


def as_list(level):
    return [level] if isinstance(level, str) else list(level)


def later_pairs(knowledge, names):
    """The pairs of the order, with all that follow from them."""
    groups = knowledge.get("groups", {})
    later = set()
    for chain in knowledge.get("order", ()):
        for i, j in product(range(len(chain)), repeat=2):
            if i < j:
                later |= set(product(chosen(chain[i], names, groups), chosen(chain[j], names, groups)))
    while more := {(a, d) for a, b in later for c, d in later if b == c} - later:
        later |= more
    return later


def forbidden_by_tiers(knowledge, names, parent, child):
    for tiers in knowledge.get("tiers", ()):
        if not isinstance(tiers, dict):
            raise TypeError("pass tiers as dictionaries")
        levels, within = tiers["levels"], tiers.get("within", True)
        groups = knowledge.get("groups", {})
        above, below = (tier_of(levels, name, names, groups) for name in (parent, child))
        if above is None or below is None:
            continue
        inside = within if isinstance(within, bool) else within[below]
        if above > below or (above == below and not inside):
            return True
        if tiers.get("only_next", False) and above < below - 1:
            return True
    return False


def obeys(knowledge, names, parents):
    """Whether a structure, as tuples of parent indexes, obeys."""
    arcs = {(names[p], names[v]) for v, chosen_parents in enumerate(parents) for p in chosen_parents}
    groups = knowledge.get("groups", {})
    later = later_pairs(knowledge, names)
    if any(a == b for a, b in later):
        return False  # an order that contradicts itself is none
    joined = arcs | {(b, a) for a, b in arcs}
    apart = set(pairs(knowledge, "not_adjacent", names))
    roots = chosen(knowledge.get("roots", []), names, groups)
    leaves = chosen(knowledge.get("leaves", []), names, groups)
    limits = knowledge.get("max_parents", {})
    return (
        set(pairs(knowledge, "required", names)) <= arcs
        and not set(pairs(knowledge, "forbidden", names)) & arcs
        and set(pairs(knowledge, "adjacent", names)) <= joined
        and not apart & joined
        and not any((b, a) in later for a, b in arcs)
        and not any(forbidden_by_tiers(knowledge, names, a, b) for a, b in arcs)
        and not any(b in roots or a in leaves for a, b in arcs)
        and all(
            len(of_child) <= most
            for pattern, most in limits.items()
            for v, of_child in enumerate(parents)
            if names[v] in chosen(pattern, names, groups)
        )
    )


def all_structures(n):
    """Every acyclic choice of parents for n variables, as tuples."""
    choices = [
        [tuple(u for u in range(n) if mask >> u & 1) for mask in range(2**n) if not mask >> v & 1]
        for v in range(n)
    ]
    return [parents for parents in product(*choices) if is_acyclic(parents)]


def without(knowledge, *kinds):
    return {kind: value for kind, value in knowledge.items() if kind not in kinds}


def allowed_sets(knowledge, names, sets):
    """The parent sets of each variable that are allowed by themselves."""
    n = len(names)
    kept = [[] for _ in range(n)]
    arcs_only = without(knowledge, "required", "adjacent", "max_parents")
    is_allowed = {
        (p, v): obeys(arcs_only, names, [(p,) if u == v else () for u in range(n)])
        for v in range(n)
        for p in range(n)
        if p != v
    }
    required = {
        v: {names.index(a) for a, b in pairs(knowledge, "required", names) if b == names[v]} for v in range(n)
    }
    for v in range(n):
        for score, parents in sets[v]:
            alone = [tuple(parents) if u == v else () for u in range(n)]
            limits = {"max_parents": knowledge.get("max_parents", {}), "groups": knowledge.get("groups", {})}
            if (
                required[v] <= set(parents)
                and all(is_allowed[p, v] for p in parents)
                and obeys(limits, names, alone)
            ):
                kept[v].append((score, tuple(parents)))
    return kept


def best_score(knowledge, names, sets, k):
    """The best score of an acyclic structure that obeys, of treewidth at most k; -inf if there is none."""
    n = len(names)
    choices = [
        sorted((pair for pair in own if len(pair[1]) <= k), reverse=True)
        for own in allowed_sets(knowledge, names, sets)
    ]
    if not all(choices) or not obeys(without(knowledge, "required", "adjacent"), names, [()] * n):
        return float("-inf")
    ceiling = [sum(own[0][0] for own in choices[v:]) for v in range(n + 1)]
    joined = {frozenset(names.index(name) for name in pair) for pair in pairs(knowledge, "adjacent", names)}
    best = float("-inf")

    def extend(chosen, score):
        nonlocal best
        v = len(chosen)
        if score + ceiling[v] <= best:
            return
        if v == n:
            arcs = {frozenset((p, c)) for c, own in enumerate(chosen) for p in own}
            # A graph of treewidth k has at most k n - k (k + 1) / 2 edges; computing it takes long.
            few = k >= n or len(arcs) <= k * n - k * (k + 1) / 2
            if joined <= arcs and few and is_acyclic(chosen) and treewidth(chosen) <= k:
                best = score
            return
        for local, parents in choices[v]:
            extend([*chosen, parents], score + local)

    extend([], 0.0)
    return best


def is_possible(knowledge, names, k):
    """Whether some structure obeys: if any does, one with required arcs and one arc per joined pair does."""
    required = set(pairs(knowledge, "required", names))
    joined = sorted({tuple(sorted(pair)) for pair in pairs(knowledge, "adjacent", names)})
    for turned in product((False, True), repeat=len(joined)):
        arcs = required | {(b, a) if turn else (a, b) for (a, b), turn in zip(joined, turned, strict=True)}
        if any(a == b for a, b in arcs):
            return False
        parents = [tuple(u for u in range(len(names)) if (names[u], v) in arcs) for v in names]
        if obeys(knowledge, names, parents) and is_acyclic(parents) and treewidth(parents) <= k:
            return True
    return False

"""Hypothesis generators of rules for families, and of caches and tables to search under them."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from strategies_search import random_sets, seeds
from treebound import Constraints


def as_constraints(required=None, forbidden=None, max_parents=None, names=tuple(f"x{v}" for v in range(30))):
    """Constraints of three dictionaries by child."""

    def arcs(by_child):
        return [(names[p], names[v]) for v, parents in (by_child or {}).items() for p in parents]

    limits = {names[v]: most for v, most in (max_parents or {}).items()}
    return Constraints(required=arcs(required), forbidden=arcs(forbidden), max_parents=limits)


def random_rules(source, n, share):
    """Three dictionaries by child that do not contradict each other; a ``share`` of all arcs has a rule."""
    order = source.sample(range(n), n)
    required, forbidden, max_parents = {}, {}, {}
    for i, child in enumerate(order):
        if i > 0 and source.random() < share:
            required[child] = sorted(source.sample(order[:i], min(i, source.choice((1, 1, 2)))))
        others = [u for u in range(n) if u != child and u not in required.get(child, ())]
        if source.random() < share:
            forbidden[child] = [u for u in others if source.random() < 0.5]
        if source.random() < share:
            max_parents[child] = len(required.get(child, ())) + source.choice((0, 1))
    return required, forbidden, max_parents


@st.composite
def sets_with_rules(draw, max_variables=5, max_sets=5):
    """Parent sets of a cache in which the required ones are scored, and rules."""
    n = draw(st.integers(1, max_variables))
    source = random.Random(draw(seeds))
    rules = random_rules(source, n, source.choice((0.2, 0.5)))
    return random_sets_for(source, n, max_sets, rules), rules


def random_sets_for(source, n, num_sets, rules):
    """Random parent sets of each variable, best first, with the required ones."""
    result = []
    for v in range(n):
        pairs = random_sets(source, n, v, num_sets, 4, False)
        least = tuple(rules[0].get(v, ()))
        if least not in [parents for _, parents in pairs]:
            pairs.append((source.uniform(-9, 0), least))
        result.append(sorted(pairs, key=lambda pair: (-pair[0], len(pair[1]), pair[1])))
    return result

"""Hypothesis generators of small searchable caches: every variable has its empty set."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import strategies as st

from treebound import ParentSetCache, check
from treebound.solvers import Gives, Takes, entry_of

seeds = st.integers(0, 2**32)


@st.composite
def searchable_sets(draw, max_variables=6, max_sets=8, max_parents=4, with_ties=False):
    """``[[(score, parents)]]``, best first; scores differ unless ties are asked for."""
    n = draw(st.integers(1, max_variables))
    source = random.Random(draw(seeds))
    num_sets = draw(st.lists(st.integers(0, max_sets), min_size=n, max_size=n))
    return [random_sets(source, n, v, num_sets[v], max_parents, with_ties) for v in range(n)]


def random_sets(source, n, v, num_sets, max_parents, with_ties):
    """Up to ``num_sets`` random parent sets of ``v``, some of them worse than the empty one."""
    others = [u for u in range(n) if u != v]
    found = {()}
    for _ in range(num_sets):
        found.add(tuple(sorted(source.sample(others, source.randint(0, min(max_parents, len(others)))))))
    draw_score = (lambda: float(source.randint(-4, 0))) if with_ties else (lambda: source.uniform(-9, 0))
    pairs = [(draw_score() - (0 if parents else 3), parents) for parents in sorted(found)]
    return sorted(pairs, key=lambda pair: (-pair[0], len(pair[1]), pair[1]))


def as_cache(sets):
    """``ParentSetCache`` that holds these sets."""
    return ParentSetCache.from_sets(
        {f"x{v}": [(parents, score) for score, parents in pairs] for v, pairs in enumerate(sets)}
    )


def random_cache(num_variables, sets_per_variable, seed=0, max_parents=4):
    """Return a larger cache, for tests of budgets and threads."""
    source = random.Random(seed)
    return as_cache(
        [
            random_sets(source, num_variables, v, sets_per_variable, max_parents, False)
            for v in range(num_variables)
        ]
    )


def faults_of(cache, result, max_treewidth):
    """The checker accepts; and what it does not see: the k-tree is the witness, an order topological."""
    structure, ktree = result.structure, result.ktree
    assert (ktree is not None) == (Gives.KTREE in entry_of(result.solver).gives)
    if ktree is not None:
        assert ktree.k == min(max_treewidth, cache.num_variables - 1)
        assert structure.witness == ktree.decomposition
        assert structure.insertion_order == ktree.insertion_order
        if Takes.ORDER in entry_of(result.solver).takes:
            place = {v: i for i, v in enumerate(ktree.insertion_order)}
            assert all(place[parent] < place[child] for parent, child in structure.arc_indices)
    assert structure.score == pytest.approx(sum(structure.local_scores), abs=1e-9)
    verdict = check(structure, cache, max_treewidth)
    assert verdict.scores_checked
    return verdict.faults


def all_orders(n, k):
    """Orders that differ in more than their first k+1 places."""
    for order in itertools.permutations(range(n)):
        if list(order[: k + 1]) == sorted(order[: k + 1]):
            yield list(order)

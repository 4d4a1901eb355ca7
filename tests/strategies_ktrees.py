"""Hypothesis generators of small k-trees."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from strategies_search import searchable_sets, seeds
from treebound.structure import KTree


def random_ktree(source, n, k):
    """Grow a k-tree by joining each variable to a random k-clique."""
    order = source.sample(range(n), n)
    cliques, separators = [order[: k + 1]], []
    for v in order[k + 1 :]:
        separator = source.sample(source.choice(cliques), k)
        separators.append(tuple(separator))
        cliques.append([*separator, v])
    return KTree(tuple(order), tuple(separators))


@st.composite
def sets_and_ktrees(draw, max_variables=6, max_width=4, **how):
    """Scored sets of a few variables, and a k-tree on them."""
    sets = draw(searchable_sets(max_variables=max_variables, **how))
    width = draw(st.integers(0, min(max_width, len(sets) - 1)))
    return sets, random_ktree(random.Random(draw(seeds)), len(sets), width)

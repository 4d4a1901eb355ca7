"""Hypothesis generators of graphs, k-trees and structures inside them."""

from __future__ import annotations

from hypothesis import strategies as st

from treebound import Structure
from treebound.structure import KTree


@st.composite
def graphs(draw, max_vertices=7, min_vertices=1):
    """Neighbours per vertex of an undirected graph."""
    n = draw(st.integers(min_vertices, max_vertices))
    around = [set() for _ in range(n)]
    pairs = [(a, b) for a in range(n) for b in range(a)]
    for a, b in draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []:
        around[a].add(b)
        around[b].add(a)
    return tuple(tuple(sorted(one)) for one in around)


@st.composite
def dags(draw, max_variables=7, max_parents=4):
    """Parents per variable, without a cycle."""
    n = draw(st.integers(1, max_variables))
    order = draw(st.permutations(range(n)))
    parents = [()] * n
    for i, v in enumerate(order):
        chosen = draw(st.sets(st.sampled_from(order[:i]), max_size=max_parents)) if i else ()
        parents[v] = tuple(sorted(chosen))
    return tuple(parents)


@st.composite
def ktrees(draw, max_variables=8):
    n = draw(st.integers(1, max_variables))
    k = draw(st.integers(0, n - 1))
    order = draw(st.permutations(range(n)))
    cliques = [tuple(order[: k + 1])]
    separators = []
    for v in order[k + 1 :]:
        host = draw(st.sampled_from(cliques))
        separator = draw(st.permutations(host))[:k]
        separators.append(tuple(separator))
        cliques.append((*separator, v))
    return KTree(tuple(order), tuple(separators))


@st.composite
def structures(draw, names=None, scores=True, max_variables=8):
    """A DAG whose families lie in the cliques of a k-tree, with that as its witness."""
    tree = draw(ktrees(max_variables))
    n = tree.num_variables
    rank = {v: i for i, v in enumerate(draw(st.permutations(range(n))))}
    parents = []
    for v in range(n):
        host = draw(st.sampled_from([c for c in tree.decomposition.bags if v in c]))
        earlier = [u for u in host if rank[u] < rank[v]]
        parents.append(tuple(sorted(draw(st.sets(st.sampled_from(earlier))))) if earlier else ())
    labels = None if names is None else draw(st.lists(names, min_size=n, max_size=n, unique=True))
    local = draw(st.lists(st.floats(-1e4, 0), min_size=n, max_size=n)) if scores else None
    return Structure.from_parents(parents, names=labels, ktree=tree, local_scores=local, max_treewidth=tree.k)

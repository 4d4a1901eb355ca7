"""The best DAG inside a given k-tree: all its families lie in cliques, so its treewidth is at most k."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise

from treebound import _core
from treebound._arguments import check_choice, check_integer, check_seed, check_type
from treebound._run import complete, new_run
from treebound.scoring.cache import ParentSetCache
from treebound.solvers._problem import searchable
from treebound.solvers._within_ktree_ilp import best_families_within
from treebound.structure import KTree, Structure

DEFAULT_SAMPLES = 100
MAX_SAMPLES = 2**31


class WithinKTree(StrEnum):
    """How the DAG is found."""

    DP = "dp"  # the best one, by dynamic programming; not for large k
    ILP = "ilp"  # the best one, by integer programming, as the paper does with GOBNILP
    SAMPLING = "sampling"  # the best of many random partial orders


def best_in_ktree(
    cache: ParentSetCache,
    ktree: KTree,
    method: WithinKTree | str = WithinKTree.DP,
    *,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
) -> Structure:
    """Return the best structure whose families lie in cliques of a k-tree.

    Parameters
    ----------
    cache : ParentSetCache
        The scored parent sets.
    ktree : KTree
        The k-tree.
    method : {"dp", "ilp", "sampling"}
        ``dp`` is exact, and rejects k-trees that it cannot solve in a few seconds (mostly k > 6); ``ilp`` is
        exact too and has no such limit, but is slower and needs the extra ``ilp``; ``sampling`` returns the
        best of ``samples`` random partial orders.
    samples : int
        Number of partial orders of ``sampling``.
    seed : int
        Random seed of ``sampling``.

    Returns
    -------
    Structure
    """
    check_type("cache", cache, ParentSetCache, "a ParentSetCache, such as score(table).cache")
    check_type("ktree", ktree, KTree, "a KTree, such as search(...).ktree")
    if ktree.num_variables != cache.num_variables:
        raise ValueError(
            f"The k-tree must have the {cache.num_variables} variables of the cache,"
            f" got {ktree.num_variables}."
        )
    method = check_choice("method", method, WithinKTree)
    samples = check_integer("samples", samples, 1, MAX_SAMPLES)
    return _CHOOSERS[method](cache, ktree, samples, check_seed(seed))


def _by_programming(cache: ParentSetCache, ktree: KTree, samples: int, seed: int) -> Structure:
    structure, is_best = _in_core(cache, ktree, samples, seed, exact=True)
    if not is_best:
        raise ValueError(
            f"The best DAG in this k-tree (k = {ktree.k}) takes too long by dynamic programming; use another"
            " method."
        )
    return structure


def _by_sampling(cache: ParentSetCache, ktree: KTree, samples: int, seed: int) -> Structure:
    return _in_core(cache, ktree, samples, seed, exact=False)[0]


def _by_integer_program(cache: ParentSetCache, ktree: KTree, samples: int, seed: int) -> Structure:
    run = new_run(None, 1)
    found = complete(
        "the DAG in a k-tree", run, lambda: best_families_within(cache, ktree.decomposition.bags, run)
    )
    return Structure.from_parents(found.parents, cache=cache, ktree=ktree, max_treewidth=ktree.k)


_CHOOSERS = {
    WithinKTree.DP: _by_programming,
    WithinKTree.ILP: _by_integer_program,
    WithinKTree.SAMPLING: _by_sampling,
}


def _in_core(
    cache: ParentSetCache, ktree: KTree, samples: int, seed: int, *, exact: bool
) -> tuple[Structure, bool]:
    order, k = ktree.insertion_order, ktree.k
    place = {v: i for i, v in enumerate(order)}
    joined = [
        (v, sorted(separator, key=place.__getitem__))
        for v, separator in zip(order[k + 1 :], ktree.separators, strict=True)
    ]
    run, problem, root = new_run(None, 1), searchable(cache, k), list(order[: k + 1])
    found, is_best = complete(
        "the DAG in a k-tree",
        run,
        lambda: _core.best_in_ktree(problem, root, joined, exact, samples, seed, run),
    )
    flat, offsets = found.parents.tolist(), found.parent_offsets.tolist()
    parents = [sorted(flat[a:b]) for a, b in pairwise(offsets)]
    return Structure.from_parents(parents, cache=cache, ktree=ktree, max_treewidth=k), is_best

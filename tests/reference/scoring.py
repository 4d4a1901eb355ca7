"""Slow twins of scoring: local scores, bounds that prune parent sets, and exact structures for tiny caches.

Rows are sequences of state codes, ``cards`` the number of states of each variable, logarithms natural, and
everything is scaled to the whole table (a log-likelihood of N rows, not of one). Inside docstrings X is the
child, P a parent set, |P| the number of its joint states, c = (log N / 2)(|X| - 1), so that
BIC(X, P) = LL(X | P) - c |P|. Nothing here imports the package.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product

from reference.graphs import is_acyclic, moral_edges, treewidth

Rows = Sequence[Sequence[int]]
Cache = dict[int, dict[frozenset[int], float]]


# Counts and entropies


def num_states(variables: Collection[int], cards: Sequence[int]) -> int:
    """Number of joint states, 1 for no variables at all."""
    return math.prod(cards[v] for v in variables)


def count_family(child: int, parents: Collection[int], rows: Rows) -> dict[tuple[int, ...], Counter[int]]:
    """Child counts per joint parent state that occurs, parents in the order given."""
    counts: dict[tuple[int, ...], Counter[int]] = {}
    for row in rows:
        counts.setdefault(tuple(int(row[p]) for p in parents), Counter())[int(row[child])] += 1
    return counts


def count_set(members: Sequence[int], rows: Rows, cards: Sequence[int]) -> list[int]:
    """Rows per joint state of some variables, the last of which runs fastest."""
    counts = Counter(tuple(int(row[v]) for v in members) for row in rows)
    return [counts[state] for state in product(*(range(cards[v]) for v in members))]


def log_likelihood(child: int, parents: Collection[int], rows: Rows, cards: Sequence[int]) -> float:
    """Sum of N_xp log(N_xp / N_p); joint states that never occur add 0 log 0 = 0."""
    return sum(
        n_xp * math.log(n_xp / counts.total())
        for counts in count_family(child, parents, rows).values()
        for n_xp in counts.values()
    )


def conditional_entropy(child: int, parents: Collection[int], rows: Rows, cards: Sequence[int]) -> float:
    """Entropy per row, in nats: H(X | P) = -LL(X | P) / N."""
    return -log_likelihood(child, parents, rows, cards) / len(rows)


def mutual_information(child: int, parents: Collection[int], rows: Rows, cards: Sequence[int]) -> float:
    """Information per row, in nats: I(X; P) = H(X) - H(X | P)."""
    return conditional_entropy(child, (), rows, cards) - conditional_entropy(child, parents, rows, cards)


# Scores


def penalty(child: int, parents: Collection[int], num_rows: int, cards: Sequence[int]) -> float:
    """What BIC takes off: c |P|, not negative."""
    return math.log(num_rows) / 2 * (cards[child] - 1) * num_states(parents, cards)


def bic(child: int, parents: Collection[int], rows: Rows, cards: Sequence[int]) -> float:
    """LL(X | P) - (log N / 2)(|X| - 1)|P|."""
    return log_likelihood(child, parents, rows, cards) - penalty(child, parents, len(rows), cards)


def aic(child: int, parents: Collection[int], rows: Rows, cards: Sequence[int]) -> float:
    """LL(X | P) - (|X| - 1)|P|."""
    return log_likelihood(child, parents, rows, cards) - (cards[child] - 1) * num_states(parents, cards)


def bdeu(
    child: int, parents: Collection[int], rows: Rows, cards: Sequence[int], equivalent_sample_size: float
) -> float:
    """Log marginal likelihood under Dirichlet priors that share the sample size over all cells alike.

    A joint parent state that never occurs adds log 1 = 0.
    """
    prior_row = equivalent_sample_size / num_states(parents, cards)
    prior_cell = prior_row / cards[child]
    return sum(
        math.lgamma(prior_row)
        - math.lgamma(prior_row + counts.total())
        + sum(math.lgamma(prior_cell + n) - math.lgamma(prior_cell) for n in counts.values())
        for counts in count_family(child, parents, rows).values()
    )


def bic_star(
    child: int, first: Collection[int], second: Collection[int], rows: Rows, cards: Sequence[int]
) -> float:
    """BIC of X with both disjoint sets as parents, without the interaction of X and the sets.

    BIC(X, P1) + BIC(X, P2) + c (|P1| + |P2| - |P1||P2| - 1) - BIC(X, {}); exact if the interaction is zero.
    """
    c = penalty(child, (), len(rows), cards)
    p1, p2 = num_states(first, cards), num_states(second, cards)
    apart = bic(child, first, rows, cards) + bic(child, second, rows, cards)
    return apart + c * (p1 + p2 - p1 * p2 - 1) - bic(child, (), rows, cards)


def interaction_information(
    child: int, first: Collection[int], second: Collection[int], rows: Rows, cards: Sequence[int]
) -> float:
    """Per row, in nats: I(X; P1 | P2) - I(X; P1), positive for synergy."""
    given_second = conditional_entropy(child, second, rows, cards)
    given_both = conditional_entropy(child, [*first, *second], rows, cards)
    return given_second - given_both - mutual_information(child, first, rows, cards)


# Pruning rules. Each says whether P with Y (or every proper superset of P), and all its supersets, can be
# skipped because a subset scores at least as well. They need at least two states per variable.


def gain_bound(child: int, extra: int, rows: Rows, cards: Sequence[int]) -> float:
    """The paper's w(X, Y) = MI(X, Y) - max{LL(X), LL(Y)}, everything scaled to N rows (Lemma 2)."""
    information = len(rows) * mutual_information(child, [extra], rows, cards)
    return information - max(log_likelihood(v, (), rows, cards) for v in (child, extra))


def pruned_by_first_condition(
    child: int, parents: Collection[int], extra: int, rows: Rows, cards: Sequence[int]
) -> bool:
    """Condition (a) of the paper's Theorem 1, enough by itself: w(X, Y0) <= (|Y0| - 1) c |P|."""
    saved = (cards[extra] - 1) * penalty(child, parents, len(rows), cards)
    return gain_bound(child, extra, rows, cards) <= saved


def pruned_by_theorem_1(
    child: int, parents: Collection[int], extra: int, rows: Rows, cards: Sequence[int]
) -> bool:
    """The paper's Theorem 1 as printed: P not empty, condition (a), and (b) for the best other variable.

    (b) asks w(X, Y') <= c |P u {Y'}| of the Y' with the largest difference, hence of all of them.
    """
    others = set(range(len(cards))) - {child, extra, *parents}
    return (
        len(parents) > 0
        and pruned_by_first_condition(child, parents, extra, rows, cards)
        and all(
            gain_bound(child, y, rows, cards) <= penalty(child, [*parents, y], len(rows), cards)
            for y in others
        )
    )


def pruned_by_entropy(
    child: int, parents: Collection[int], extra: int, rows: Rows, cards: Sequence[int]
) -> bool:
    """N min{H(X | P), H(Y | P)} <= (|Y| - 1) c |P|."""
    smaller = min(conditional_entropy(v, parents, rows, cards) for v in (child, extra))
    return len(rows) * smaller <= (cards[extra] - 1) * penalty(child, parents, len(rows), cards)


def pruned_by_de_campos_ji(
    child: int, parents: Collection[int], extra: int, rows: Rows, cards: Sequence[int]
) -> bool:
    """BIC(X, P) >= -c |P u {Y}|: the score that a perfect fit with Y would have."""
    return bic(child, parents, rows, cards) >= -penalty(child, [*parents, extra], len(rows), cards)


def supersets_pruned_by_in_degree(
    child: int, parents: Collection[int], num_rows: int, cards: Sequence[int]
) -> bool:
    """If c |P| >= N log|X|, no proper superset of P can win back what its penalty costs."""
    return penalty(child, parents, num_rows, cards) >= num_rows * math.log(cards[child])


def bdeu_bound(child: int, parents: Collection[int], rows: Rows, cards: Sequence[int]) -> float:
    """-K(P) log|X|, no less than BDeu of P and of all its supersets, whatever the sample size.

    K counts the joint states of P that occur: the first row in each is predicted with probability 1/|X|.
    """
    return -len(count_family(child, parents, rows)) * math.log(cards[child])


def pruned_by_bdeu_bound(
    child: int, parents: Collection[int], best_subset_score: float, rows: Rows, cards: Sequence[int]
) -> bool:
    """P and its supersets cannot beat a subset of P that scores ``best_subset_score``."""
    return bdeu_bound(child, parents, rows, cards) <= best_subset_score


# Caches and exact structures


def all_families(num_variables: int, max_parents: int) -> Iterator[tuple[int, frozenset[int]]]:
    """Every child with every set of at most ``max_parents`` other variables."""
    for child in range(num_variables):
        others = [v for v in range(num_variables) if v != child]
        for size in range(min(max_parents, len(others)) + 1):
            for parents in combinations(others, size):
                yield child, frozenset(parents)


def dominated(cache: Cache) -> dict[int, set[frozenset[int]]]:
    """The sets of each child that have a proper subset with at least their score."""
    return {
        child: {p for p in scores if any(q < p and scores[q] >= scores[p] for q in scores)}
        for child, scores in cache.items()
    }


def without_dominated(cache: Cache) -> Cache:
    """The cache with only those sets that beat all their subsets; the best structure keeps its score."""
    out = dominated(cache)
    return {
        child: {p: score for p, score in scores.items() if p not in out[child]}
        for child, scores in cache.items()
    }


def best_structure(cache: Cache, num_variables: int) -> tuple[float, tuple[frozenset[int], ...]]:
    """Score and parents of the best DAG, by dynamic programming over sets of variables.

    The best DAG on S has a sink v, which takes its best parents within S - {v}, the home of all the rest.
    """
    best: dict[frozenset[int], tuple[float, dict[int, frozenset[int]]]] = {frozenset(): (0.0, {})}
    for size in range(1, num_variables + 1):
        for members in map(frozenset, combinations(range(num_variables), size)):
            choices = []
            for sink in members:
                below = members - {sink}
                allowed = [(score, parents) for parents, score in cache[sink].items() if parents <= below]
                score, parents = max(allowed, key=lambda choice: choice[0])
                choices.append((best[below][0] + score, {**best[below][1], sink: parents}))
            best[members] = max(choices, key=lambda choice: choice[0])
    score, chosen = best[frozenset(range(num_variables))]
    return score, tuple(chosen[v] for v in range(num_variables))


def parent_choices(cache: Cache, num_variables: int) -> tuple[tuple[frozenset[int], ...], ...]:
    """The parent sets of each variable, without their scores."""
    return tuple(tuple(cache[v]) for v in range(num_variables))


@functools.cache
def all_dags(choices: tuple[tuple[frozenset[int], ...], ...]) -> list[tuple[frozenset[int], ...]]:
    """Every acyclic choice of one parent set per variable, kept for other scores of the same sets."""
    partial: list[tuple[frozenset[int], ...]] = [()]
    for v in range(len(choices)):
        # Variables without a choice yet count as having no parents: a cycle now is a cycle for good.
        rest = (frozenset[int](),) * (len(choices) - v - 1)
        longer = ((*chosen, parents) for chosen in partial for parents in choices[v])
        partial = [chosen for chosen in longer if is_acyclic(chosen + rest)]
    return partial


def best_structure_bounded(
    cache: Cache, num_variables: int, max_treewidth: int
) -> tuple[float, tuple[frozenset[int], ...]]:
    """Score and parents of the best DAG whose moral graph has at most this treewidth, by trying all DAGs."""
    best_score: float = -math.inf
    best_parents: tuple[frozenset[int], ...] = ()
    for parents in all_dags(parent_choices(cache, num_variables)):
        score = sum(cache[child][chosen] for child, chosen in enumerate(parents))
        if score > best_score and treewidth(num_variables, moral_edges(parents)) <= max_treewidth:
            best_score, best_parents = score, parents
    return best_score, best_parents

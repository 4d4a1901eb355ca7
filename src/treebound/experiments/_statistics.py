"""The two statistics by which the paper compares methods (section 4): the W-score and the sign test."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from treebound._arguments import check_finite, check_rows

# Sums of the same scores in another order differ by rounding; such structures are equally good.
_TIE = 1e-9
SIGNIFICANT = 0.05  # as in the paper


class SignTest(NamedTuple):
    """How often one method beat another, and how likely that is if both are equally good.

    ``p_value`` is the probability of at least so many ``wins`` among wins and losses, if each were the toss
    of a fair coin. Ties say nothing and are dropped. The test is one-sided, as the paper's must be: it calls
    20 victories of 30 significant, of which a two-sided test says 0.099.
    """

    wins: int
    losses: int
    ties: int
    p_value: float

    @property
    def is_significant(self) -> bool:
        """Whether chance alone gives so many wins in less than one of twenty cases."""
        return self.p_value < SIGNIFICANT


def sign_test(scores: Sequence[float], baseline_scores: Sequence[float]) -> SignTest:
    """Test whether the first of two methods is the better one.

    Parameters
    ----------
    scores, baseline_scores : sequence of float
        The scores of the two methods in the same experiments.

    Returns
    -------
    SignTest
    """
    rows = check_rows("the scores of both methods", (scores, baseline_scores))
    both = [[check_finite("a score", score) for score in row] for row in rows]
    if len(both[0]) != len(both[1]):
        raise ValueError(f"Both methods need as many scores, got {len(both[0])} and {len(both[1])}.")
    signs = [_sign(ours, theirs) for ours, theirs in zip(*both, strict=True)]
    wins, losses = signs.count(1), signs.count(-1)
    return SignTest(wins, losses, signs.count(0), tail(wins, wins + losses))


def tail(heads: int, tosses: int) -> float:
    """Probability of at least so many heads in so many tosses of a fair coin."""
    favourable = sum(comb(tosses, k) for k in range(heads, tosses + 1))
    return favourable / (1 << tosses)


def is_tied(score: float, other: float) -> bool:
    """Whether two scores are equal up to rounding."""
    return abs(score - other) <= _TIE * max(abs(score), abs(other))


def _sign(ours: float, theirs: float) -> int:
    if is_tied(ours, theirs):
        return 0
    return 1 if ours > theirs else -1


def w_score(score: float, unbounded_score: float) -> float:
    """Return the share of the unbounded score by which a bounded score is worse; lower is better.

    The paper prints W = (G - T) / G with negative G and T, which is negative where T is worse, but says that
    zero is the lowest value and that lower is better. So its denominator must be ``|G|``. W is negative if
    the bounded structure is the better one, which happens where G is not the optimum.

    Parameters
    ----------
    score : float
        T, the score of the structure with a treewidth limit.
    unbounded_score : float
        G, the score of the structure without a limit.

    Returns
    -------
    float
        ``(G - T) / |G|``.
    """
    score, unbounded_score = check_finite("score", score), check_finite("unbounded_score", unbounded_score)
    if unbounded_score == 0:
        raise ValueError("The W-score is a share of the unbounded score, which must not be 0.")
    return (unbounded_score - score) / abs(unbounded_score)

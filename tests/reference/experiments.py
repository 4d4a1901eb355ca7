"""Slow twins of the statistics of a comparison: definitions written out, with exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product


def tail(heads, tosses):
    """Probability of at least so many heads: by all sequences of few tosses, by Pascal's row of many."""
    if tosses <= 10:
        sequences = list(product((0, 1), repeat=tosses))
        return Fraction(sum(sum(sequence) >= heads for sequence in sequences), len(sequences))
    row = [Fraction(1)]
    for _ in range(tosses):
        row = [(a + b) / 2 for a, b in zip([Fraction(0), *row], [*row, Fraction(0)], strict=True)]
    return sum(row[heads:], Fraction(0))


def w_score(score, unbounded_score):
    """The worsening as a share of the size of the unbounded score."""
    worsening = Fraction(unbounded_score) - Fraction(score)
    return worsening / abs(Fraction(unbounded_score))


def median(values):
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def victories(runs, solver, baseline, bound):
    """Wins, losses and ties of a solver against another; runs are (source, solver, bound, score or None).

    Runs without a bound count for every bound.
    """
    wins = losses = ties = 0
    for source in {run[0] for run in runs}:
        found = []
        for label in (solver, baseline):
            scores = [s for at, by, k, s in runs if (at, by) == (source, label) and k in (bound, None)]
            found.append([score for score in scores if score is not None])
        if not found[0] or not found[1]:
            continue
        ours, theirs = median(found[0]), median(found[1])
        if ours == theirs:
            ties += 1
        elif ours > theirs:
            wins += 1
        else:
            losses += 1
    return wins, losses, ties

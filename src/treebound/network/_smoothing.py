"""What is believed about a table before any row is seen: pseudo-counts that are added to the counts.

Each is a Dirichlet prior for every row of a table, and the probabilities are its posterior means. Without
pseudo-counts a row whose parents' joint state never occurred has no data; it becomes uniform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_number

Counts: TypeAlias = NDArray[np.float64]
# Sums of larger weights may overflow. Frequencies depend on their ratios alone.
_HUGE, _SHRINK = 2.0**960, 2.0**-64


@dataclass(frozen=True)
class MaximumLikelihood:
    """The relative frequencies, without a prior.

    A state that never occurred with a joint state of the parents gets probability 0 there. A joint state of
    the parents that never occurred gives no frequencies; the distribution is then uniform.
    """

    def pseudo_counts(self, counts: Counts) -> Counts:
        """What to add to the counts of a table: an axis for each parent, and the last one for itself."""
        return np.zeros(1)


@dataclass(frozen=True)
class PseudoCount:
    """Add a constant to the count of every cell.

    1 is Laplace's rule of succession, 1/2 the prior of Jeffreys for a row. Smaller values lose least on
    tables with many cells, most of which no row reaches.

    Parameters
    ----------
    alpha : float
        The constant.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.PseudoCount(0.5)
    PseudoCount(alpha=0.5)
    """

    alpha: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", check_number("alpha", self.alpha, positive=True))

    def pseudo_counts(self, counts: Counts) -> Counts:
        """What to add to the counts of a table: an axis for each parent, and the last one for itself."""
        return np.array([self.alpha])


@dataclass(frozen=True)
class BdeuPrior:
    """Spread ``equivalent_sample_size`` rows evenly over the cells: the prior of the BDeu score.

    Parameters
    ----------
    equivalent_sample_size : float
        Number of rows that the prior counts for.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.BdeuPrior(10)
    BdeuPrior(equivalent_sample_size=10.0)
    """

    equivalent_sample_size: float = 1.0

    def __post_init__(self) -> None:
        size = check_number("equivalent_sample_size", self.equivalent_sample_size, positive=True)
        object.__setattr__(self, "equivalent_sample_size", size)

    def pseudo_counts(self, counts: Counts) -> Counts:
        """What to add to the counts of a table: an axis for each parent, and the last one for itself."""
        return np.array([self.equivalent_sample_size / counts.size])


@dataclass(frozen=True)
class _RowPrior:
    weight: float = 5.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", check_number("weight", self.weight, positive=True))


@dataclass(frozen=True)
class MarginalPrior(_RowPrior):
    """Smooth each row of a table towards the frequencies of the variable.

    A joint state of the parents that never occurred leaves the variable with its marginal distribution,
    which is smoothed by one half for every state. See Friedman, Geiger and Goldszmidt 1997, section 4.2.

    Parameters
    ----------
    weight : float
        Number of rows that the prior counts for, per joint state of the parents.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.MarginalPrior()
    MarginalPrior(weight=5.0)
    """

    def pseudo_counts(self, counts: Counts) -> Counts:
        """What to add to the counts of a table: an axis for each parent, and the last one for itself."""
        marginal: Counts = counts.reshape(-1, counts.shape[-1]).sum(axis=0) + 0.5
        prior: Counts = marginal * (self.weight / marginal.sum())
        return prior


@dataclass(frozen=True)
class BackoffPrior(_RowPrior):
    """Smooth each row of a table towards the table without the first parent.

    That table has the same prior, and so on, down to the frequencies of the variable, which are smoothed by
    one half for every state. With one parent this is ``MarginalPrior``. Where a class is the last parent,
    rare joint states fall back on what the class says. The recursion is that of MacKay and Peto (1995,
    Natural Language Engineering 1), with fixed weights.

    Parameters
    ----------
    weight : float
        Number of rows that the prior counts for, per joint state of the parents.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.BackoffPrior()
    BackoffPrior(weight=5.0)
    """

    def pseudo_counts(self, counts: Counts) -> Counts:
        """What to add to the counts of a table: an axis for each parent, and the last one for itself."""
        if counts.ndim == 1:
            return np.array([0.5])
        shorter: Counts = counts.sum(axis=0)
        shorter += self.pseudo_counts(shorter)
        shorter *= self.weight / shorter.sum(axis=-1, keepdims=True)
        return shorter


Smoothing: TypeAlias = MaximumLikelihood | PseudoCount | BdeuPrior | MarginalPrior | BackoffPrior
SMOOTHING_IN_WORDS = "MaximumLikelihood(), PseudoCount(), BdeuPrior(), MarginalPrior() or BackoffPrior()"


def estimate(counts: Counts, smoothing: Smoothing) -> None:
    """Turn the counts of a table into probabilities, in place; rows without any weight become uniform.

    The table has an axis for each parent and a last one for its own states.
    """
    prior = smoothing.pseudo_counts(counts)
    if max(counts.max(), prior.max()) > _HUGE:
        counts *= _SHRINK
        prior = prior * _SHRINK
    counts += prior
    totals = counts.sum(axis=-1, keepdims=True)
    counts[totals[..., 0] == 0] = 1
    totals[totals == 0] = counts.shape[-1]
    counts /= totals

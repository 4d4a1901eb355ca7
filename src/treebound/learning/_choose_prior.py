"""The prior of the CPTs that structural EM fits, chosen on held-out rows.

Columns that depend weakly on each other want a strong prior if most cells are missing: a wide CPT is then
fitted to few expected rows. Columns that determine each other want a weak one. A forest is learned from four
fifths of the rows and fitted with each prior, and the best one is used for every structure from then on. (A
forest of all rows would have arcs because the held-out rows confirm them, and prefer a weak prior.)

What counts is the log-likelihood of complete rows, estimated family by family from the held-out rows in which
the family is complete. That of the observed cells prefers priors that are too weak for complete rows: a few
cells of a row hardly show that CPTs are too sharp.
"""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

from treebound._budget import Budget
from treebound.inference import offsets
from treebound.learning._here import Limits
from treebound.learning._incomplete_rows import IncompleteRows
from treebound.learning._pairwise_start import pairwise_forest
from treebound.network import DEFAULT_SMOOTHING, EM_PRIORS, BayesianNetwork, EmRun, Smoothing

# A fifth of fewer rows says little. Priors matter less the more rows there are, and trying them takes longer.
_FEWEST_ROWS, _MOST_ROWS = 100, 50_000
# A trial that does not converge within these is compared all the same.
_STEPS = 20


def choose_prior(
    rows: IncompleteRows, limits: Limits, seed: int, threads: int, seconds: float | None
) -> Smoothing:
    """Return the best prior for a forest; what is not tried within the seconds is not chosen.

    With hidden variables the default stays: runs of EM end in different optima.
    """
    best: Smoothing = DEFAULT_SMOOTHING
    highest = -math.inf
    if rows.schema.hidden or not _FEWEST_ROWS <= rows.num_rows <= _MOST_ROWS:
        return best
    began, (train, test) = time.monotonic(), rows.held_out(seed)
    forest = pairwise_forest(train, limits, seconds)
    counts = test.complete_counts(forest)
    for prior in EM_PRIORS:
        left = None if seconds is None else seconds - (time.monotonic() - began)
        if left is not None and left <= 0:
            break
        network = train.fitted(EmRun(forest, prior, Budget(left, _STEPS), seed, threads), None)
        found = family_log_likelihood(network, counts)
        if found > highest:
            best, highest = prior, found
    return best


def family_log_likelihood(network: BayesianNetwork, counts: NDArray[np.float64]) -> float:
    """Return the log-likelihood of a complete row, estimated from counts of each family's joint states.

    Families that were never complete are skipped.
    """
    flat = network.flat_tables
    starts = offsets([table.size for table in network.tables])[:-1]
    with np.errstate(divide="ignore"):
        logs = np.where(counts > 0, counts * np.log(flat.tables), 0.0)
    totals = np.add.reduceat(counts, starts)
    return float((np.add.reduceat(logs, starts)[totals > 0] / totals[totals > 0]).sum())

"""Noise must score like noise: what a classifier reports for random classes is no better than chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from ._laws import expect

SECONDS = 120.0
MEMORY_MB = 6000

# Guesses are seldom so many standard errors above the most frequent class: that is above chance by itself.
_ERRORS = 3.5


class Case(NamedTuple):
    """Normal numbers and random classes, and how they are classified."""

    seed: int
    num_rows: int
    num_columns: int
    num_classes: int
    share_missing: float
    discretise: str
    structure: str
    folds: int


def make(random: Random) -> Case:
    """Draw a table and a classifier."""
    return Case(
        random.randrange(2**32),
        random.randint(100, 400),
        random.randint(1, 12),
        random.randint(2, 4),
        random.choice([0.0, 0.0, 0.2]),
        random.choice(["supervised", "supervised", "auto", "quantile", "mdl"]),
        random.choice(["naive", "joint", "best", "average"]),
        random.randint(2, 6),
    )


def check(case: Case) -> None:
    """Compare the mean accuracy of the candidates with that of guesses."""
    import numpy as np

    from treebound.sklearn import TreeboundClassifier

    rng = np.random.default_rng(case.seed)
    X = rng.normal(size=(case.num_rows, case.num_columns))
    X[rng.random(X.shape) < case.share_missing] = np.nan
    y = rng.integers(0, case.num_classes, case.num_rows)
    model = TreeboundClassifier(
        discretise=case.discretise,
        structure=case.structure,
        folds=case.folds,
        steps=2,
        n_jobs=1,
    ).fit(X, y)
    reported = float(np.mean([candidate.accuracy for candidate in model.candidates_]))
    chance = float(np.bincount(y).max() / case.num_rows)
    error = (chance * (1 - chance) / case.num_rows) ** 0.5
    expect(reported < chance + _ERRORS * error, "noise scores like noise", (reported, chance, error))


def shrink(case: Case) -> Iterator[Case]:
    """Fewer columns and classes, nothing missing; fewer rows would only add chance."""
    if case.num_columns > 1:
        yield case._replace(num_columns=case.num_columns // 2)
    for field, least in [("share_missing", 0.0), ("num_classes", 2), ("folds", 2), ("structure", "naive")]:
        if getattr(case, field) != least:
            yield case._replace(**{field: least})

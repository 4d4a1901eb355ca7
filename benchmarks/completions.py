"""How structural EM should search incomplete rows: on which counts, and what accepts a structure.

``learn`` draws completions of the rows from the network before, searches them with integer counts, fits the
CPTs to the observed cells, and keeps the structure if the BIC of the observed cells improves, as TSEM does.
Compared are the number of completions; the full price of a parameter on completed rows with the observed
share of it; keeping every structure that is found on completed rows, without asking the observed cells; and
hill climbing on expected counts as doubles (``_expected_search``), which observed cells judge, too. The
score that counts is the BIC of the observed cells; the test log-likelihood of complete rows is shown as
well.

Apart from benchmarks.paper: the paper has complete rows only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import treebound as tb
from _common import Expect, Row, Skip
from _expected_search import ExpectedSearch
from _holes import at_random
from density import load_splits
from treebound.learning import StructuralEm
from treebound.network import observed_score
from treebound.scoring import Bic

QUESTION = "Which counts, and which test of a structure, give the best BIC of the observed cells?"
EXPECTED: list[Expect] = []
SETS = os.environ.get("TREEBOUND_COMPLETIONS", "nltcs,jester,bnetflix,accidents").split(",")
SHARES = (0.3, 0.7)
LIMIT = 4
SECONDS = float(os.environ.get("TREEBOUND_COMPLETIONS_SECONDS", "15"))


class FullPrice(StructuralEm):
    """Parameters cost as much on completed rows as on complete ones."""

    observed_share = property(lambda _: 1.0, lambda *_: None)  # type: ignore[assignment]


class AcceptAll(StructuralEm):
    """Every structure that the search of completed rows finds is kept."""

    def _fitted(self, *given: Any) -> Any:
        # What is compared is the number of the fit; the structure has the BIC of the observed cells.
        self.fits = getattr(self, "fits", 0) + 1
        return replace(super()._fitted(*given), score=float(self.fits))


# Recipe, completions, price of a parameter, and what accepts a structure.
VARIANTS: list[tuple[type[StructuralEm], int, str, str]] = [
    (StructuralEm, 1, "observed share", "observed BIC"),
    (StructuralEm, 3, "observed share", "observed BIC"),
    (StructuralEm, 10, "observed share", "observed BIC"),
    (FullPrice, 3, "full", "observed BIC"),
    (AcceptAll, 3, "observed share", "completed rows"),
]

AS_LEARN = {"price": "observed share", "accepted_by": "observed BIC"}


def measure() -> Iterator[Row | Skip]:
    """One row for each set, share and variant."""
    for name in SETS:
        splits = load_splits(name)
        if isinstance(splits, Skip):
            yield splits
            continue
        for share in SHARES:
            data = at_random(splits.train, share, seed=1)
            key = {"dataset": name, "missing": share}
            for recipe, completions, price, accepted_by in VARIANTS:
                network, rounds = completed(recipe, completions, data)
                how = {"price": price, "accepted_by": accepted_by}
                how = {"search": "regrow", "counts": f"{completions} drawn", **how}
                yield {**key, **how, "rounds": rounds, **figures(network, data, splits.test)}
            for number in (3, None):
                climb = ExpectedSearch(data, LIMIT, SECONDS, number)
                network = climb.run()
                counts = "expected" if number is None else f"{number} drawn"
                how = {"search": "hill climbing", "counts": counts, **AS_LEARN}
                yield {**key, **how, "rounds": climb.rounds, **figures(network, data, splits.test)}


def completed(
    recipe: type[StructuralEm], completions: int, data: tb.Dataset
) -> tuple[tb.BayesianNetwork, int]:
    """The network that one run finds, and how many structures it kept after the first."""
    wanted = tb.learning.Wanted(tb.learning.Limits(LIMIT, None), tb.solvers.Regrow(), seed=1)
    schedule = tb.learning.Schedule(tb.Budget(seconds=SECONDS))
    run = recipe(wanted, tb.learning.Here(), tb.learning.RowsHere(data), schedule)
    run.completions = completions
    result = run.run()
    return result.network, len(result.search.trace) - 1


def figures(network: tb.BayesianNetwork, data: tb.Dataset, test: tb.Dataset) -> Row:
    """How good a network is for the observed cells and for complete rows."""
    likelihood = float(network.log_likelihood_rows(data).sum())
    return {
        "observed_bic": observed_score(network, likelihood, data.num_rows, Bic()),
        "test_log_likelihood": float(network.log_likelihood_rows(test).mean()),
        "arcs": network.num_arcs,
    }

"""Which completed rows structural EM should search: how many completions, and at which price of a parameter.

Rounds of search see completions drawn from the network before. The score that counts is the BIC of the
observed cells; the test log-likelihood of complete rows is shown too. The price of a parameter on completed
rows is the full one, or reduced to the share of cells that are observed.

Apart from benchmarks.paper: the paper has complete rows only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import treebound as tb
from _common import Expect, Row, Skip
from _holes import at_random
from density import load_splits
from treebound.learning import StructuralEm

QUESTION = "How many completions, and which price of a parameter, give the best BIC of the observed cells?"
EXPECTED: list[Expect] = []
SETS = os.environ.get("TREEBOUND_COMPLETIONS", "nltcs,jester,bnetflix,accidents").split(",")
SHARES = (0.3, 0.7)
LIMIT = 4
SECONDS = float(os.environ.get("TREEBOUND_COMPLETIONS_SECONDS", "30"))


class FullPrice(StructuralEm):
    """Parameters cost as much on completed rows as on complete ones."""

    observed_share = property(lambda _: 1.0, lambda *_: None)  # type: ignore[assignment]


def measure() -> Iterator[Row | Skip]:
    """One row for each set, share, number of completions and price."""
    for name in SETS:
        splits = load_splits(name)
        if isinstance(splits, Skip):
            yield splits
            continue
        for share in SHARES:
            data = at_random(splits.train, share, seed=1)
            for completions in (1, 2, 3, 5, 10):
                for recipe in (StructuralEm, FullPrice):
                    own = found(recipe, completions, data, splits.test)
                    yield {"dataset": name, "missing": share, **own}


def found(recipe: type[StructuralEm], completions: int, data: tb.Dataset, test: tb.Dataset) -> Row:
    """One run."""
    wanted = tb.learning.Wanted(tb.learning.Limits(LIMIT, None), tb.solvers.Regrow(), seed=1)
    schedule = tb.learning.Schedule(tb.Budget(seconds=SECONDS))
    run = recipe(wanted, tb.learning.Here(), tb.learning.RowsHere(data), schedule)
    run.completions = completions
    result = run.run()
    return {
        "completions": completions,
        "price": "full" if recipe is FullPrice else "observed share",
        "rounds": len(result.search.trace) - 1,
        "observed_bic": result.score,
        "test_log_likelihood": float(result.network.log_likelihood_rows(test).mean()),
        "arcs": result.structure.num_arcs,
    }

"""``treebound demo``: the main job on a table that the demo makes itself."""

from __future__ import annotations

from treebound._budget import Budget
from treebound.cli._scoring import report_table, scoring_bar
from treebound.cli._show import out
from treebound.network import random_network
from treebound.scoring import Independence, score

_VARIABLES, _ROWS, _TREEWIDTH, _SECONDS = 300, 5000, 3, 10.0


def demo() -> None:
    """Sample a table from a random network of known structure, and score its parent sets."""
    console = out()
    truth = random_network(_VARIABLES, max_treewidth=_TREEWIDTH, seed=1)
    table = truth.sample(_ROWS, 1)
    console.print(
        f"A random network of {_VARIABLES} variables, {truth.num_arcs:,} arcs and treewidth {_TREEWIDTH}, "
        f"and {_ROWS:,} rows sampled from it."
    )
    with scoring_bar(_VARIABLES, _SECONDS, quiet=False) as progress:
        result = score(
            table,
            method=Independence(max_parents=_TREEWIDTH),
            budget=Budget(seconds=_SECONDS),
            progress=progress,
        )
    console.print(report_table(result.report, "candidate parent sets"))
    recovered = sum(
        set(result.cache.best(v).parents) == set(parents) for v, parents in enumerate(truth.parents)
    )
    console.print(
        f"For [bold]{recovered}[/] of {_VARIABLES} variables the best set is just their true parents."
    )

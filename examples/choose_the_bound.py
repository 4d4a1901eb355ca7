"""Choosing the treewidth
======================

Which bound on the treewidth? Ask rows that were held out, and look at what a bound costs.

    python examples/choose_the_bound.py [curve.png]

The rows come from a network of treewidth 3, so that we know the answer: bounds below it cost likelihood, and
those above buy nothing but larger tables.
"""

from __future__ import annotations

import sys

import treebound as tb


def main() -> None:
    truth = tb.random_network(15, max_treewidth=3, max_states=3, seed=4)
    table = truth.sample(3000, seed=1)
    print(f"Rows: {table.summary}; they come from a network of treewidth {truth.structure.treewidth}.\n")

    choice = tb.resampling.choose_treewidth(
        table, range(1, 7), validation=tb.resampling.CrossValidation(3), budget=tb.Budget(steps=20)
    )
    worst = max(row.behind for row in choice.table)
    print("bound   held out, nats/row   largest table   behind the best")
    for row in choice.table:
        bar = "#" * round(30 * row.behind / worst)
        mark = " <- recommended" if row.max_treewidth == choice.recommended else ""
        print(
            f"{row.max_treewidth:5}   {row.log_likelihood:18.3f}   {row.largest_cells:13,}   "
            f"{row.behind:.3f} ± {row.behind_error:.3f} {bar}{mark}"
        )
    print(f"\n{choice.reason}")
    print(f"The network that made the rows reaches {truth.score_samples(table).mean():.3f} on them.")

    if len(sys.argv) > 1:
        axes = tb.plot.plot_treewidths(choice.table, recommended=choice.recommended)
        axes.figure.savefig(sys.argv[1])
        print(f"The curve is in {sys.argv[1]}.")


if __name__ == "__main__":
    main()

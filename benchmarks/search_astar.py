"""How many orders per minute does k-A* solve to optimality, and what does each addition to the paper buy?

Uniform orders, at most ``--nodes`` states per order; orders that need more count as not solved. Expected:
with all additions a multiple of the plain version's orders are solved wherever any are.

    python benchmarks/search_astar.py FOLDER_WITH_JKL
"""

from __future__ import annotations

import itertools

from search_common import measure, parser, problems, record
from treebound import KAStar
from treebound.search import OrderSampling

SWITCHES = ("incumbent", "tight_bound", "conflicts", "dominance")


def main() -> None:
    """Print one line per cache, bound and combination of switches."""
    arguments = parser(
        __doc__ or "", names="survey,sachs,child,water,mildew,alarm", bounds="2,3,5", seconds=4
    )
    arguments.add_argument("--nodes", type=int, default=10_000)
    options = arguments.parse_args()
    rows = []
    for name, cache, bound in problems(options):
        for choice in itertools.product([False, True], repeat=len(SWITCHES)):
            switches = dict(zip(SWITCHES, choice, strict=True))
            solver = KAStar(
                orders=OrderSampling.UNIFORM, skip_beaten=False, max_nodes=options.nodes, **switches
            )
            result, row = measure(cache, bound, solver, options.seconds)
            proved = 60 * row["steps_per_processor_second"] * result.num_proved / result.steps
            rows.append({"cache": name, **row, "num_proved": result.num_proved, "proved_per_minute": proved})
            label = " + ".join(s for s in SWITCHES if switches[s]) or "plain"
            print(
                f"{name:9} {bound:2} {proved:10.0f} proved per processor minute, "
                f"{100 * result.num_proved / result.steps:5.1f} % of orders  {label}",
                flush=True,
            )
    record(options.record, rows)


if __name__ == "__main__":
    main()

"""Which clique policy and which order sampler find the best scores in the same time?

Prints, for each pair of cache and bound, the scores, and at the end for each solver the number of first
places and the mean distance to the best of its family in units of 0.01 % of the score. Expected: perturbed
orders with the partners policy lead for k-G.

    python benchmarks/search_policies.py FOLDER_WITH_JKL
"""

from __future__ import annotations

import collections

from search_common import measure, parser, problems, record
from treebound import KGreedy, KMax
from treebound.search import CliquePolicy, OrderSampling

ALL = "child,alarm,hepar2,water,mildew,barley,munin1,diabetes,pigs,munin"
FAMILIES = {
    "kg": [KGreedy(policy, orders) for policy in CliquePolicy for orders in OrderSampling],
    "kmax": [KMax(policy, vary_limit) for policy in CliquePolicy for vary_limit in (False, True)],
}


def main() -> None:
    """Print scores as they come, then the summary of each family of solvers."""
    arguments = parser(__doc__ or "", names=ALL, bounds="2,5,8", seconds=2).parse_args()
    rows = []
    gaps: dict[str, list[float]] = collections.defaultdict(list)
    for name, cache, bound in problems(arguments):
        for solvers in FAMILIES.values():
            scores = {}
            for solver in solvers:
                result, row = measure(cache, bound, solver, arguments.seconds)
                rows.append({"cache": name, **row})
                scores[repr(solver)] = result.score
                print(f"{name:9} {bound:2} {result.score:14.2f} {result.steps:8} {solver}", flush=True)
            best = max(scores.values())
            for label, score in scores.items():
                gaps[label].append(1e4 * (best - score) / abs(best))
    print("\nfirst places, mean distance to the best (0.01 %)")
    for label, values in gaps.items():
        print(f"{sum(v < 1e-6 for v in values):4} {sum(values) / len(values):9.3f}  {label}")
    record(arguments.record, rows)


if __name__ == "__main__":
    main()

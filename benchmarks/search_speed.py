"""How many constructions per second does one thread do?

Expected on munin with bound 5: k-G at least 6,000 orders and k-MAX at least 400 constructions per second of
processor time (the Java reference: about 60 and 1).

    python benchmarks/search_speed.py FOLDER_WITH_JKL
"""

from __future__ import annotations

from search_common import measure, parser, problems, record
from treebound import KGreedy, KMax
from treebound.search import CliquePolicy, OrderSampling

SOLVERS = [
    *(KGreedy(policy, OrderSampling.UNIFORM) for policy in CliquePolicy),
    KGreedy(),
    *(KMax(policy) for policy in CliquePolicy),
]


def main() -> None:
    """Print one line per cache, bound and solver."""
    arguments = parser(__doc__ or "", names="munin", bounds="2,5,8", seconds=3).parse_args()
    rows = []
    for name, cache, bound in problems(arguments):
        for solver in SOLVERS:
            _, row = measure(cache, bound, solver, arguments.seconds)
            rows.append({"cache": name, **row})
            speeds = (row["steps_per_second"], row["steps_per_processor_second"])
            print(f"{name:9} {bound:2} {speeds[0]:9.0f}/s {speeds[1]:9.0f}/processor s  {solver}", flush=True)
    record(arguments.record, rows)


if __name__ == "__main__":
    main()

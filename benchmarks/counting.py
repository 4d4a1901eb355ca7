"""Speed of counting, on one thread, beside the Java reference on the same rows.

Ours is timed around score(): layout of the rows, scoring, and the making of a cache that holds every set;
`core_per_cpu_s` is the scoring alone. The reference scores the first few variables only, and its time
includes its start and its output. Rates are per processor second, which other work on the machine disturbs
less than wall seconds.

Apart from benchmarks.paper: it measures kernels.
"""

from __future__ import annotations

from collections.abc import Iterator

import treebound
from _common import (
    Expect,
    Row,
    Skip,
    dat_file,
    dataset,
    exhaustive,
    has_reference,
    num_sets,
    run_reference,
    score_codes,
)

QUESTION = "How many parent sets per second does one thread score, all sets, pruning off?"
EXPECTED = [
    Expect("times_reference", at_least=1000, where={"data": "baudio.train"}),
    Expect("times_reference", at_least=200, where={"kind": "multi-valued"}),
    Expect("core_per_cpu_s", at_least=5e6, where={"data": "baudio.train", "max_parents": 2}),
]

# Name, kind, parents, and how many variables the reference is given (0: not run), for up to a minute each.
CASES = [
    ("baudio.train", "binary", 2, 6),
    ("baudio.train", "binary", 3, 0),
    ("alarm-5000", "multi-valued", 2, 37),
    ("hepar2-5000", "multi-valued", 2, 40),
    ("munin1-5000", "multi-valued", 2, 5),
]


def measure() -> Iterator[Row | Skip]:
    """One row per data set and number of parents."""
    for name, kind, max_parents, reference_variables in CASES:
        data = dataset(name)
        if isinstance(data, Skip):
            yield data
            continue
        best = min((exhaustive(data, max_parents) for _ in range(3)), key=lambda run: run["cpu_s"])
        scored = best["report"].sets_scored
        assert scored == data.num_variables * num_sets(data.num_variables, max_parents)
        row = {
            "data": name,
            "kind": kind,
            "variables": data.num_variables,
            "rows": data.num_rows,
            "max_parents": max_parents,
            "sets": scored,
            "wall_s": best["wall_s"],
            "cpu_s": best["cpu_s"],
            "sets_per_cpu_s": scored / best["cpu_s"],
            "core_per_cpu_s": core_rate(data, max_parents),
        }
        if reference_variables and has_reference():
            rate = reference_rate(data, max_parents, reference_variables)
            row |= {"reference_per_cpu_s": rate, "times_reference": row["sets_per_cpu_s"] / rate}
        yield row


def core_rate(data: treebound.Dataset, max_parents: int) -> float:
    """Sets per processor second of the core alone."""
    seconds, scored = score_codes(data.codes, list(data.schema.cardinalities), max_parents, repeats=3)
    return scored / seconds


def reference_rate(data: treebound.Dataset, max_parents: int, num_variables: int) -> float:
    """Sets per processor second of the Java reference on the first variables."""
    with dat_file(data) as path:
        flags = f"-n {max_parents} -t 100000 -b 1 -c bic -u 0-{num_variables - 1}".split()
        cpu, _ = run_reference("scorer.sq", "-d", str(path), "-j", str(path.with_suffix(".jkl")), *flags)
    return num_variables * num_sets(data.num_variables, max_parents) / cpu

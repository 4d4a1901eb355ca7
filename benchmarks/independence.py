"""Independence selection beside the Java reference's scorer.is, at equal time and threads.

Both are compared by the sum over variables of the best exact BIC among the sets that they found; the
reference's own scores are smoothed, so its sets are scored again here. Wall time decides, so
that other work on the machine during a run costs coverage: the processor seconds used stand beside.

Apart from benchmarks.paper: it needs the Java reference, and compares scoring, not search.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import treebound
from _common import Expect, Row, Skip, clocked, dat_file, dataset, has_reference, run_reference
from treebound import Local, _core

QUESTION = "Does independence selection find better sets than the reference in 20 s on two threads?"
EXPECTED = [Expect("gain", at_least=0.0)]
NAMES = ("alarm-5000", "hepar2-5000", "munin1-5000", "baudio.train")
SECONDS = 20
CURVE = (1, 3, 10, 30)
THREADS = 2


def measure() -> Iterator[Row | Skip]:
    """Per data set: ours beside the reference, then ours over time."""
    for name in NAMES:
        data = dataset(name)
        if isinstance(data, Skip):
            yield data
            continue
        ours = independence(name, data, SECONDS)
        if has_reference():
            theirs, cpu = reference_best(data)
            ours |= {"reference_best": theirs, "reference_cpu_s": cpu, "gain": ours["sum_of_best"] - theirs}
        yield ours
        for seconds in CURVE:
            yield independence(name, data, seconds)


def independence(name: str, data: treebound.Dataset, seconds: float) -> Row:
    """One run of ours."""
    fresh = treebound.Dataset(data.schema, data.codes)
    budget = treebound.Budget(seconds=seconds)
    result, wall, cpu = clocked(lambda: treebound.score(fresh, budget=budget, where=Local(threads=THREADS)))
    return {
        "data": name,
        "seconds": seconds,
        "wall_s": wall,
        "cpu_s": cpu,
        "sets_scored": result.report.sets_scored,
        "sets_kept": result.report.sets_kept,
        "finished": result.report.variables_finished,
        "sum_of_best": result.report.sum_of_best,
    }


def reference_best(data: treebound.Dataset) -> tuple[float, float]:
    """Sum over variables of the best exact BIC among the reference's sets; its processor seconds."""
    with dat_file(data) as path:
        out = path.with_suffix(".jkl")
        flags = f"-n 6 -t {SECONDS} -b {THREADS} -c bic".split()
        cpu, _ = run_reference("scorer.is", "-d", str(path), "-j", str(out), *flags)
        cache = treebound.load_cache(out)
    scorer = _core.FamilyScorer(data.in_core, _core.Bic(data.num_rows))
    total = 0.0
    for v in range(data.num_variables):
        scorer.begin(v)
        total += max(scorer.score(np.array(found.parent_indices, np.uint32)) for found in cache[v])
    return total, cpu

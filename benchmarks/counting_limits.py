"""Where one way of counting begins to cost more than another, measured with the package as it is built.

- plane or list: all columns have the same few rows m in their rarer state, so that every cell worth counting
  has m rows. Below some m these are lists of positions, above it planes; the cost per row of a list and the
  cost of a pass over a plane give the m at which both cost the same.
- collapsing: tables whose rows are drawn from a pool, the smaller the pool the fewer distinct rows.

Apart from benchmarks.paper: it measures kernels.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from _common import Expect, Row, Skip, dataset, score_codes
from treebound import _core

QUESTION = "At which sizes do the ways of counting cost the same?"
EXPECTED = [
    Expect("collapsed_over_plain", at_most=1.1, where={"chosen": "collapsed"}),
    Expect("collapsed_over_plain", at_least=0.9, where={"chosen": "plain"}),
]
VARIABLES = 100
NUM_ROWS = (2_000, 15_000, 60_000)
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
REAL = ("nltcs.train", "msnbc.valid", "mushroom", "zoo", "adult", "nursery", "alarm-5000", "kdd.valid")


def measure() -> Iterator[Row | Skip]:
    """Rows of both parts."""
    for num_rows in NUM_ROWS:
        yield from plane_or_list(num_rows)
    yield from collapsing()


def plane_or_list(num_rows: int) -> Iterator[Row]:
    """Nanoseconds per pair of parents by the number of rows in the rarer state."""
    num_words = -(-num_rows // 512) * 8
    sizes = sorted(
        {max(1, round(num_words * f)) for f in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1, 2, 4)}
    )
    rng = np.random.default_rng(1)
    for m in sizes:
        codes = np.zeros((VARIABLES, num_rows), np.uint8)
        for column in codes:
            column[rng.choice(num_rows, m, replace=False)] = 1
        seconds, num_sets = score_codes(codes, [2] * VARIABLES, 2, _core.Dataset.Collapse.never, repeats=15)
        yield {
            "part": "plane or list",
            "rows": num_rows,
            "words": num_words,
            "rows_in_cell": m,
            "rows_per_word": m / num_words,
            "ns_per_set": 1e9 * seconds / num_sets,
        }


def collapsing() -> Iterator[Row | Skip]:
    """Cost with repeated rows collapsed over cost without, by the share of words that collapsing leaves."""
    rng = np.random.default_rng(1)
    for share in SHARES:
        pool = rng.integers(0, 2, (40, max(1, int(share * 15_000)))).astype(np.uint8)
        codes = pool[:, rng.integers(0, pool.shape[1], 15_000)]
        yield compare(f"binary, pool of {share:.0%}", np.ascontiguousarray(codes), [2] * 40)
    for name in REAL:
        data = dataset(name)
        if isinstance(data, Skip):
            yield data
        else:
            yield compare(name, data.codes, list(data.schema.cardinalities))


def compare(name: str, codes: np.ndarray, cardinalities: list[int]) -> Row:
    """One table with rows collapsed and not."""
    kinds = _core.Dataset.Collapse
    # In turns, so that a slow spell of the machine meets both.
    max_parents = 2 if len(cardinalities) > 30 else 3
    rounds = [
        [score_codes(codes, cardinalities, max_parents, kind, 3) for kind in (kinds.never, kinds.always)]
        for _ in range(5)
    ]
    plain, collapsed = (min(run[i][0] for run in rounds) for i in range(2))
    num_sets = rounds[0][0][1]
    chosen = _core.Dataset(codes, cardinalities, kinds.when_it_pays)
    return {
        "part": "collapsing",
        "data": name,
        "rows": codes.shape[1],
        "max_parents": max_parents,
        "positions": _core.Dataset(codes, cardinalities, kinds.always).num_positions,
        "ns_per_set_plain": 1e9 * plain / num_sets,
        "collapsed_over_plain": collapsed / plain,
        "chosen": "collapsed" if chosen.is_collapsed else "plain",
    }

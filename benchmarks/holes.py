"""What holes cost: networks learned from the same rows, complete and with cells removed.

The truth is a published network within the limit, or a random one; SHD compares equivalence classes and KL
the distributions. Structural EM is compared with dropping rows that have missing values.

Apart from benchmarks.paper: the paper has complete rows only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import treebound as tb
from _common import Expect, Row, Skip
from _holes import at_random, published_network

QUESTION = "How far from the truth are networks learned from rows with holes, next to complete rows?"
EXPECTED = [Expect("kl_by_em_over_complete", at_most=3.0, where={"missing": 0.1})]
NETWORKS = os.environ.get("TREEBOUND_HOLES", "asia,child,insurance,alarm").split(",")
SHARES = (0.1, 0.3, 0.5)
ROWS = 5_000
LIMIT = 4
SECONDS = float(os.environ.get("TREEBOUND_HOLES_SECONDS", "10"))


def measure() -> Iterator[Row | Skip]:
    """One row for each network and share."""
    for name in NETWORKS:
        truth = published_network(name)
        if isinstance(truth, Skip):
            yield truth
            continue
        rows = truth.sample(ROWS, seed=1)
        whole = tb.learn(rows, LIMIT, budget=SECONDS)
        kl = tb.network.kl_divergence(truth, whole.network)
        for share in SHARES:
            data = at_random(rows, share, seed=2)
            by_em = tb.learn(data, LIMIT, budget=SECONDS, missing="em")
            row = {
                "network": name,
                "missing": share,
                "shd_complete": tb.structure.shd(truth.structure, whole.structure),
                "shd_by_em": tb.structure.shd(truth.structure, by_em.structure),
                "kl_complete": kl,
                "kl_by_em": tb.network.kl_divergence(truth, by_em.network),
                "complete_rows": data.complete().num_rows,
            }
            row["kl_by_em_over_complete"] = row["kl_by_em"] / kl
            if row["complete_rows"] > 1:
                dropped = tb.learn(data, LIMIT, budget=SECONDS, missing="drop")
                row["kl_by_dropping"] = tb.network.kl_divergence(truth, dropped.network)
            yield row

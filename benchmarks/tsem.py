"""Learning density sets with holes, next to the published figures of TSEM and SEM-kMAX.

Benjumeda, Luengo-Sanchez, Larranaga and Bielza (2019) give the test log-likelihood, the imputation accuracy
and the seconds of each set at limits 2 to 5 with 30, 50 and 70 % of the cells missing completely at random;
TREEBOUND_ANCHORS names the folder with tsem_tables.csv. Their masks are not published, so three of our own
are used. The budget is the published time of TSEM (four cores of 2015) less a fifth of a second, and at most
TREEBOUND_TSEM_SECONDS.

    TREEBOUND_TSEM=nltcs,jester TREEBOUND_TSEM_LIMITS=4 TREEBOUND_TSEM_MASKS=1 python benchmarks/run.py tsem

Rows that are done are kept in the file that TREEBOUND_TSEM_DONE names, and a second run goes on from there.

Apart from benchmarks.paper: the paper has complete rows only.
"""

from __future__ import annotations

import csv
import os
import pathlib
import time
from collections.abc import Iterator

import treebound as tb
from _common import Expect, Row, Skip
from _done import Done
from _holes import accuracy, at_random
from density import load_splits

QUESTION = "Is the test log-likelihood with holes above that of TSEM, in at most its seconds?"
EXPECTED = [Expect("lead", at_least=0.0)]
# Our names of the sets, and those of the tables.
SETS = {
    "nltcs": "NLTCS",
    "msnbc": "MSNBC1",
    "kdd": "KDDCup",
    "baudio": "Audio",
    "jester": "Jester",
    "bnetflix": "Netflix",
    "accidents": "Accidents",
    "tretail": "Retail",
    "pumsb_star": "Pumsb-star",
    "dna": "DNA",
    "kosarek": "Kosarek",
    "msweb": "MSWeb",
    "book": "Book",
    "tmovie": "EachMovie",
    "cwebkb": "WebKB",
    "cr52": "Reuters-521",
    "c20ng": "20 NewsGroup",
    "bbc": "BBC",
    "ad": "Ad",
}
NAMES = os.environ.get("TREEBOUND_TSEM", ",".join(SETS)).split(",")
LIMITS = [int(k) for k in os.environ.get("TREEBOUND_TSEM_LIMITS", "2,3,4,5").split(",")]
SHARES = [int(share) for share in os.environ.get("TREEBOUND_TSEM_SHARES", "30,50,70").split(",")]
MASKS = int(os.environ.get("TREEBOUND_TSEM_MASKS", "3"))
# A budget may be exceeded by what is begun before it ends.
SPARE_SECONDS = 0.2
MOST_SECONDS = float(os.environ.get("TREEBOUND_TSEM_SECONDS", "inf"))


def measure() -> Iterator[Row | Skip]:
    """One row for each set, limit, share and mask."""
    published = published_figures()
    if isinstance(published, Skip):
        yield published
        return
    done = Done("TREEBOUND_TSEM_DONE")
    for name in NAMES:
        splits = load_splits(name)
        if isinstance(splits, Skip):
            yield splits
            continue
        for limit in LIMITS:
            for share in SHARES:
                for mask in range(MASKS):
                    key = f"{name} {limit} {share} {mask}"
                    if key not in done.rows:
                        anchor = published[SETS[name], limit, share]
                        done.add(key, measured(name, splits, limit, share, mask, anchor))
                    yield done.rows[key]


def measured(name: str, splits: object, limit: int, share: int, mask: int, anchor: dict[str, float]) -> Row:
    """Learn from train with holes; test is complete."""
    train, test = splits.train, splits.test  # type: ignore[attr-defined]
    data = at_random(train, share / 100, seed=mask)
    seconds = min(anchor["seconds"] - SPARE_SECONDS, MOST_SECONDS)
    began = time.perf_counter()
    result = tb.learn(data, limit, missing="em", budget=seconds, seed=mask)
    taken = time.perf_counter() - began
    network = result.network
    log = float(network.log_likelihood_rows(test).mean())
    their_log = anchor["log"] / test.num_rows  # the tables give sums over the rows of test
    filled = network.most_probable_rows(data).codes
    return {
        "dataset": name,
        "limit": limit,
        "missing": share,
        "mask": mask,
        "seconds": taken,
        "log_likelihood": log,
        "accuracy": accuracy(filled, train, data),
        "tsem_seconds": anchor["seconds"],
        "tsem_log_likelihood": their_log,
        "tsem_accuracy": anchor["accuracy"],
        "lead": log - their_log,
    }


def published_figures() -> dict[tuple[str, int, int], dict[str, float]] | Skip:
    """The rows of TSEM by set, limit and share."""
    path = pathlib.Path(os.environ.get("TREEBOUND_ANCHORS", ""), "tsem_tables.csv")
    if not path.exists():
        return Skip("TREEBOUND_ANCHORS does not name a folder with tsem_tables.csv.")
    found = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["method"] == "TSEM" and int(row["n_or_bound"]) <= 5:
                key = (row["dataset"], int(row["n_or_bound"]), int(row["missing_percent"]))
                found[key] = {
                    "log": float(row["ll_test"]),
                    "accuracy": float(row["imputation_accuracy"]),
                    "seconds": float(row["seconds"]),
                }
    return found

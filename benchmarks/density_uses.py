"""What a combined density is good for, and what it costs, next to a single network.

Three parts: the time of queries and the size of the model; a forest that is trained on sampled rows and
tested on real ones, next to the Gaussian copula and CTGAN of `sdv`; and rows of a rare class found by their
log-likelihood, next to scikit-learn's IsolationForest and LOF and to ECOD and HBOS of `pyod`. Both `sdv`
(version 2) and `pyod` are optional.

TREEBOUND_DENSITY_SECONDS shortens the training (60 s by default), TREEBOUND_DENSITY_ROWS the tables that are
sampled, scored and searched for anomalies (10,000 rows by default).

Apart from benchmarks.paper: it is about held-out rows, which the paper does not have.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import treebound as tb
from _common import Expect, Row, Skip, clocked

QUESTION = "What do queries of a combined density cost, and how good are its samples and anomaly scores?"
EXPECTED = [
    Expect("share_of_real", at_least=0.9, where={"source": "density"}),
]
SECONDS = float(os.environ.get("TREEBOUND_DENSITY_SECONDS", "60"))
NUM_ROWS = int(os.environ.get("TREEBOUND_DENSITY_ROWS", "10000"))
ODD_SHARE = 0.05
# Of CTGAN, whose default of 300 takes many times as long as everything else here.
EPOCHS = 50


def measure() -> Iterator[Row | Skip]:
    """All three parts, on the sets that are there."""
    for name in ("nltcs.train", "book.train"):
        yield from with_table(name, from_queries)
    yield from with_table("adult32561", from_samples)
    for name in ("mushroom", "adult32561"):
        yield from with_table(name, from_anomalies)


def with_table(name: str, part: Callable[[str, tb.Dataset], Iterator[Row | Skip]]) -> Iterator[Row | Skip]:
    """The rows of a part, if the data set is there."""
    folder = os.environ.get("TREEBOUND_DATA")
    path = None if folder is None else pathlib.Path(folder) / f"{name}.csv.gz"
    if path is None or not path.exists():
        yield Skip(f"{name}: not in TREEBOUND_DATA.")
    else:
        yield from part(name, tb.load(path))


def from_queries(name: str, data: tb.Dataset) -> Iterator[Row]:
    """Seconds of a posterior, of the log-likelihood of 10,000 rows and of a sample, memory, and ratios."""
    model = tb.learn_density(data, budget=SECONDS).model
    network = tb.learn(data, 5, budget=SECONDS / 10).network
    rows = network.sample(NUM_ROWS, seed=1)
    target, known = data.schema.names[0], {data.schema.names[-1]: data.schema[-1].states[0]}
    row: Row = {"part": "queries", "set": name, "variables": len(data.schema), "rows": NUM_ROWS}
    for kind, one in (("network", network), ("density", model)):
        one.posterior(target, known)  # builds the junction tree
        row[f"posterior_ms_{kind}"] = 1e3 * quickest(lambda one=one: one.posterior(target, known))
        row[f"rows_s_{kind}"] = quickest(lambda one=one: one.log_likelihood_rows(rows))
        row[f"sample_s_{kind}"] = quickest(lambda one=one: one.sample(NUM_ROWS, 1))
        row[f"megabytes_{kind}"] = num_cells(one) * 8e-6
    for what in ("posterior_ms", "rows_s", "sample_s", "megabytes"):
        row[f"ratio_{what.partition('_')[0]}"] = row[f"{what}_density"] / row[f"{what}_network"]
    yield row


def quickest(work: Callable[[], object]) -> float:
    """The wall seconds of the quickest of five runs."""
    return min(clocked(work)[1] for _ in range(5))


def num_cells(model: Any) -> int:
    """Number of table entries."""
    if isinstance(model, tb.network.Mixture):
        return sum(map(num_cells, model.components))
    return sum(table.size for table in model.tables)


def from_samples(name: str, data: tb.Dataset) -> Iterator[Row | Skip]:
    """Accuracy on real rows of a forest trained on real rows and on rows of several models."""
    from sklearn.ensemble import RandomForestClassifier

    order = np.random.default_rng(1).permutation(data.num_rows)
    num_test = min(NUM_ROWS, data.num_rows // 3)
    real, test = data.take(order[num_test:]), data.take(order[:num_test]).codes.T
    majority = float(np.bincount(test[:, -1]).max() / len(test))
    accuracy_real = None
    for source, draw in sources_of(real):
        try:
            drawn, seconds, _ = clocked(draw)
        except ImportError as missing:
            yield Skip(f"{source}: {missing}; install sdv to compare with it.")
            continue
        codes = drawn.codes.T
        forest = RandomForestClassifier(200, random_state=1, n_jobs=-1).fit(codes[:, :-1], codes[:, -1])
        accuracy = float(forest.score(test[:, :-1], test[:, -1]))
        accuracy_real = accuracy if accuracy_real is None else accuracy_real
        yield {
            "part": "samples",
            "set": name,
            "source": source,
            "rows": len(codes),
            "seconds": seconds,
            "accuracy": accuracy,
            "share_of_real": (accuracy - majority) / (accuracy_real - majority),
        }


def sources_of(real: tb.Dataset) -> list[tuple[str, Callable[[], tb.Dataset]]]:
    """Where rows come from, the real ones first."""
    num_rows = min(NUM_ROWS, real.num_rows)
    return [
        ("real", lambda: real.take(np.arange(num_rows))),
        ("network", lambda: tb.learn(real, 5, budget=SECONDS).network.sample(num_rows, seed=1)),
        ("density", lambda: tb.learn_density(real, budget=SECONDS).model.sample(num_rows, seed=1)),
        ("gaussian_copula", lambda: from_sdv("GaussianCopulaSynthesizer", real, num_rows)),
        ("ctgan", lambda: from_sdv("CTGANSynthesizer", real, num_rows, epochs=EPOCHS)),
    ]


def from_sdv(kind: str, real: tb.Dataset, num_rows: int, **options: Any) -> tb.Dataset:
    """Rows of a synthesizer of sdv, which sees all columns as categorical."""
    import sdv.single_table
    from sdv.metadata import Metadata

    frame = real.to_frame().astype(str)
    columns = {name: {"sdtype": "categorical"} for name in frame.columns}
    metadata = Metadata.load_from_dict({"tables": {"table": {"columns": columns}}})
    model = getattr(sdv.single_table, kind)(metadata, **options)
    model.fit({"table": frame})
    return tb.load(model.sample(num_rows)["table"], schema=real.schema)


def from_anomalies(name: str, data: tb.Dataset) -> Iterator[Row | Skip]:
    """Area under the curve for a few rows of the other class among those of the most frequent one."""
    from sklearn.metrics import roc_auc_score

    target = len(data.schema) - 1
    labels, rest = data.codes[target], data.codes[:target]
    is_usual = labels == np.bincount(labels).argmax()
    inside = rest[:, is_usual][:, :NUM_ROWS]
    outside = rest[:, ~is_usual][:, : int(ODD_SHARE * inside.shape[1])]
    codes, is_odd = np.hstack([inside, outside]), np.repeat([0, 1], [inside.shape[1], outside.shape[1]])
    rows = tb.Dataset(tb.Schema(data.schema.variables[:target]), codes)
    one_hot = np.hstack([np.eye(v.cardinality)[column] for v, column in zip(rows.schema, codes, strict=True)])
    for detector, score in detectors_of(rows, one_hot):
        try:
            scores, seconds, _ = clocked(score)
        except ImportError as missing:
            yield Skip(f"{detector}: {missing}; install pyod to compare with it.")
            continue
        yield {
            "part": "anomalies",
            "set": name,
            "source": detector,
            "rows": len(is_odd),
            "odd": int(is_odd.sum()),
            "seconds": seconds,
            "auc": float(roc_auc_score(is_odd, scores)),
        }


def detectors_of(rows: tb.Dataset, one_hot: np.ndarray) -> list[tuple[str, Callable[[], np.ndarray]]]:
    """What scores rows, higher ones for odder rows; all are fitted on the rows that they score."""
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor

    def from_pyod(kind: str) -> np.ndarray:
        import importlib

        detector = getattr(importlib.import_module(f"pyod.models.{kind.lower()}"), kind)()
        return detector.fit(one_hot).decision_scores_

    return [
        ("density", lambda: -tb.learn_density(rows, budget=SECONDS).model.log_likelihood_rows(rows)),
        ("network", lambda: -tb.learn(rows, 5, budget=SECONDS).network.log_likelihood_rows(rows)),
        (
            "isolation_forest",
            lambda: -IsolationForest(random_state=1).fit(one_hot).score_samples(one_hot),
        ),
        ("lof", lambda: -LocalOutlierFactor(20).fit(one_hot).negative_outlier_factor_),
        ("ecod", lambda: from_pyod("ECOD")),
        ("hbos", lambda: from_pyod("HBOS")),
    ]

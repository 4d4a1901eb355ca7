"""What a combined density is good for, and what it costs, next to a single network.

Three parts: the time of queries and the size of the model; a forest that is trained on sampled rows and
tested on real ones; and rows of a rare class found by their log-likelihood, next to those of scikit-learn.
TREEBOUND_DENSITY_SECONDS shortens the training (60 s by default).

Apart from benchmarks.paper: it is about held-out rows, which the paper does not have.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator

import numpy as np

import treebound as tb
from _common import Expect, Row, Skip, clocked

QUESTION = "What do queries of a combined density cost, and how good are its samples and anomaly scores?"
EXPECTED = [
    Expect("share_of_real", at_least=0.9),
]
SECONDS = float(os.environ.get("TREEBOUND_DENSITY_SECONDS", "60"))
NUM_ROWS = 10_000
ODD_SHARE = 0.05


def measure() -> Iterator[Row | Skip]:
    """All three parts, on the sets that are there."""
    for name in ("nltcs", "book"):
        path = path_of(f"{name}.train.csv.gz")
        yield Skip(f"{name}: not in TREEBOUND_DATA.") if path is None else from_queries(name, path)
    path = path_of("adult32561.csv.gz")
    yield Skip("adult32561: not in TREEBOUND_DATA.") if path is None else from_samples(path)
    for name in ("mushroom", "adult32561"):
        path = path_of(f"{name}.csv.gz")
        yield Skip(f"{name}: not in TREEBOUND_DATA.") if path is None else from_anomalies(name, path)


def path_of(name: str) -> pathlib.Path | None:
    """A file of the data sets, if it is there."""
    folder = os.environ.get("TREEBOUND_DATA")
    path = None if folder is None else pathlib.Path(folder) / name
    return path if path is not None and path.exists() else None


def from_queries(name: str, path: pathlib.Path) -> Row:
    """Seconds of a posterior, of the log-likelihood of 10,000 rows and of a sample, and their ratios."""
    data = tb.load(path)
    model = tb.learn_density(data, budget=SECONDS).model
    network = tb.learn(data, 5, budget=SECONDS / 10).network
    rows = network.sample(NUM_ROWS, seed=1)
    target, known = data.schema.names[0], {data.schema.names[-1]: data.schema[-1].states[0]}
    row: Row = {"set": name, "variables": len(data.schema)}
    for kind, one in (("network", network), ("density", model)):
        one.posterior(target, known)  # builds the junction tree
        row[f"posterior_ms_{kind}"] = 1e3 * clocked(lambda one=one: one.posterior(target, None))[1]
        row[f"rows_s_{kind}"] = clocked(lambda one=one: one.log_likelihood_rows(rows))[1]
        row[f"sample_s_{kind}"] = clocked(lambda one=one: one.sample(NUM_ROWS, 1))[1]
    row["rows_ratio"] = row["rows_s_density"] / row["rows_s_network"]
    return row


def from_samples(path: pathlib.Path) -> Row:
    """Accuracy of a forest trained on real rows, on rows of a network, and on rows of a density."""
    from sklearn.ensemble import RandomForestClassifier

    data = tb.load(path)
    order = np.random.default_rng(1).permutation(data.num_rows)
    train, test = data.codes[:, order[NUM_ROWS:]], data.codes[:, order[:NUM_ROWS]].T
    real = tb.Dataset(data.schema, train)
    drawn = {
        "real": train[:, :NUM_ROWS],
        "network": tb.learn(real, 5, budget=SECONDS).network.sample(NUM_ROWS, seed=1).codes,
        "density": tb.learn_density(real, budget=SECONDS).model.sample(NUM_ROWS, seed=1).codes,
    }
    row: Row = {"set": "adult32561"}
    for kind, codes in drawn.items():
        forest = RandomForestClassifier(200, random_state=1, n_jobs=-1).fit(codes.T[:, :-1], codes.T[:, -1])
        row[f"accuracy_{kind}"] = float(forest.score(test[:, :-1], test[:, -1]))
    majority = float(np.bincount(test[:, -1]).max() / len(test))
    row["share_of_real"] = (row["accuracy_density"] - majority) / (row["accuracy_real"] - majority)
    return row


def from_anomalies(name: str, path: pathlib.Path) -> Row:
    """Area under the curve for a few rows of the other class among all of the most frequent one."""
    from sklearn.ensemble import IsolationForest
    from sklearn.metrics import roc_auc_score
    from sklearn.neighbors import LocalOutlierFactor

    data = tb.load(path)
    target = len(data.schema) - 1
    labels, rest = data.codes[target], data.codes[:target]
    usual = np.bincount(labels).argmax()
    inside, outside = rest[:, labels == usual], rest[:, labels != usual]
    outside = outside[:, : int(ODD_SHARE * inside.shape[1])]
    rows, is_odd = np.hstack([inside, outside]), np.repeat([0, 1], [inside.shape[1], outside.shape[1]])
    schema = tb.Schema(data.schema.variables[:target])
    data = tb.Dataset(schema, rows)
    model = tb.learn_density(data, budget=SECONDS).model
    one_hot = np.hstack([np.eye(v.cardinality)[codes] for v, codes in zip(schema, rows, strict=True)])
    scores = {
        "density": -model.log_likelihood_rows(data),
        "isolation_forest": -IsolationForest(random_state=1).fit(one_hot).score_samples(one_hot),
        "lof": -LocalOutlierFactor(20).fit(one_hot).negative_outlier_factor_,
    }
    areas = {f"auc_{kind}": float(roc_auc_score(is_odd, score)) for kind, score in scores.items()}
    return {"set": name, "rows": rows.shape[1], "odd": int(is_odd.sum()), **areas}

"""A classifier made of networks
=============================

A classifier made of Bayesian networks, beside those of scikit-learn, on five tables.

    python examples/classify.py

The networks and naive Bayes see numbers cut into the same five bins. Besides their answers the networks have
what the others lack: exact probabilities when cells are missing, and structures to look at.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treebound as tb
from treebound.sklearn import TreeboundClassifier

TABLES = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits": load_digits(return_X_y=True),
    "generated": make_classification(800, 12, n_informative=8, n_clusters_per_class=3, random_state=2),
}
CONTENDERS = ("naive Bayes", "logistic", "forest", "treebound", "with gaps")


def codes(rows, schema: tb.Schema) -> np.ndarray:
    """Cells as bins; numbers that training never saw count as the first."""
    return np.maximum(
        tb.load(rows, schema=schema, missing="keep", on_absent="ignore", unseen="missing").codes, 0
    ).T


def shares_right(train, known, test, asked) -> tuple[TreeboundClassifier, list[float]]:
    """How many of the rows held out each contender gets right."""
    schema = tb.load(train, missing="keep", discretise="quantile:5").schema
    seen, new = (codes(rows, schema) for rows in (train, test))
    naive = CategoricalNB(min_categories=schema.cardinalities).fit(seen, known)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(train, known)
    forest = RandomForestClassifier(50, random_state=0).fit(train, known)
    networks = TreeboundClassifier(steps=10).fit(train, known)
    holes = np.where(np.random.default_rng(0).random(test.shape) < 1 / 3, np.nan, test)
    return networks, [
        naive.score(new, asked),
        logistic.score(test, asked),
        forest.score(test, asked),
        networks.score(test, asked),
        networks.score(holes, asked),
    ]


def main() -> None:
    print("Share of right answers about a third of the rows, which was held out; the last column is that of")
    print("the networks when a third of the cells are missing, which they sum out. Beside it is the kind of")
    print("network that weighs most.\n")
    print(f"{'':14}" + "".join(f"{name:>13}" for name in CONTENDERS) + "   network")
    for name, (X, y) in TABLES.items():
        train, test, known, asked = train_test_split(X, y, test_size=1 / 3, random_state=0, stratify=y)
        networks, shares = shares_right(train, known, test, asked)
        print(f"{name:14}" + "".join(f"{share:13.3f}" for share in shares), end="   ")
        print(networks.candidates_[0].structure)

    print(f"\nThe checker about the last of these: {networks.verdict_}")


if __name__ == "__main__":
    main()

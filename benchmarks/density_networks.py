"""How well networks of bounded treewidth describe rows that they have not seen.

The binary density sets come as train, valid and test. For each set the structure is learned on train at
several bounds and with several scores, the tables are fitted on train with several priors, and what is
best on valid is evaluated on test, once. The floor is the best tree (bound 1).

PUBLISHED holds average test log-likelihoods to stand beside ours: `chow_liu` (Chow-Liu tree, smoothing chosen
on valid) was measured with a program of its own; `strudel` (Dang, Vergari, Van den Broeck 2020, one circuit)
and `hclt` (Liu, Van den Broeck 2021) are from the authors' result files. The columns that end in
`_unverified` are quoted second-hand (Rooshenas and Lowd 2014, and the papers that it compares with). Models
with hidden variables and mixtures (hclt, learnspn, id_spn, trees) have more freedom than any single network
over the columns.

TREEBOUND_DENSITY_SETS may name a few sets, such as "nltcs,msnbc", and TREEBOUND_DENSITY_SECONDS shorten the
budget of each run of the search.

Apart from benchmarks.paper: bound, score and prior are chosen on valid from long runs.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass

import treebound as tb
from _common import Expect, Row, Skip, clocked
from treebound.network import DEFAULT_SMOOTHING, Smoothing
from treebound.scoring import Score

QUESTION = "What is the test log-likelihood of learned networks, beside trees and published models?"
EXPECTED = [
    Expect("gain_over_tree", at_least=0.05),
    # A tree that maximises a penalised score is about as good as the tree of Chow and Liu.
    Expect("behind_chow_liu", at_most=0.25),
]

BOUNDS = (1, 3, 5, 8, 12)
SCORES: tuple[Score, ...] = (tb.Bic(), tb.Bdeu(10.0))
SMOOTHINGS: tuple[Smoothing, ...] = (
    *(tb.MarginalPrior(weight) for weight in (0.5, 1, 2, 5, 10)),
    *(tb.PseudoCount(alpha) for alpha in (0.01, 0.1, 0.5, 1.0)),
    *(tb.BdeuPrior(size) for size in (1, 10, 50)),
)
SECONDS = float(os.environ.get("TREEBOUND_DENSITY_SECONDS", "60"))

_COLUMNS = ("chow_liu", "strudel", "hclt", "winmine_unverified", "trees_unverified", "learnspn_unverified",
            "id_spn_unverified")  # fmt: skip
_FIGURES = {
    "nltcs": (-6.7591, -6.062, -5.999, -6.02, -6.01, -6.11, -6.02),
    "msnbc": (-6.5401, -6.045, -6.052, -6.04, -6.07, -6.11, -6.04),
    "kdd": (-2.2949, -2.172, -2.142, -2.16, -2.13, -2.18, -2.13),
    "plants": (-16.524, -13.562, -14.013, -12.65, -12.95, -12.98, -12.54),
    "baudio": (-44.3749, -42.294, -39.767, -40.5, -40.08, -40.5, -39.79),
    "jester": (-58.2297, -55.254, -52.358, -53.85, -53.08, -53.48, -52.86),
    "bnetflix": (-60.2503, -58.614, -56.247, -57.03, -56.74, -57.33, -56.36),
    "accidents": (-33.1855, -29.368, -26.694, -26.32, -29.63, -30.04, -26.98),
    "tretail": (None, -10.994, -10.842, -10.87, -10.83, -11.04, -10.85),
    "pumsb_star": (-30.8071, -25.668, -23.332, -21.72, -23.71, -24.78, -22.41),
    "dna": (-87.6621, -87.3, -78.912, -80.65, -85.14, -82.52, -81.21),
    "kosarek": (None, -10.919, -10.59, -10.83, -10.62, -10.99, -10.6),
    "msweb": (None, -10.071, -9.826, -9.7, -9.85, -10.25, -9.73),
    "book": (None, -35.79, -33.52, -36.41, -34.63, -35.89, -34.14),
    "tmovie": (None, -59.569, -50.426, -54.37, -54.6, -52.49, -51.51),
    "cwebkb": (None, -159.929, -150.757, -157.43, -156.86, -158.2, -151.84),
    "cr52": (None, -91.973, -84.12, -87.55, -85.9, -85.07, -83.35),
    "c20ng": (None, -160.846, -151.54, -158.95, -154.24, -155.93, -151.47),
    "bbc": (-261.8563, -258.363, -248.39, -257.86, -261.84, -250.69, -248.93),
    "ad": (None, -16.36, -16.02, -18.35, -16.02, -19.73, -19.05),
}
PUBLISHED = {name: dict(zip(_COLUMNS, figures, strict=True)) for name, figures in _FIGURES.items()}


@dataclass(frozen=True)
class Splits:
    """A density set. All columns have the states 0 and 1, even where one of the files holds only one."""

    train: tb.Dataset
    valid: tb.Dataset
    test: tb.Dataset


@dataclass(frozen=True)
class Candidate:
    """A fitted network and its log-likelihood on valid."""

    network: tb.BayesianNetwork
    bound: int
    score: Score
    smoothing: Smoothing
    valid: float
    loss_of_default: float


def measure() -> Iterator[Row | Skip]:
    """Two rows per set: what was found, and how it stands beside published figures."""
    asked = os.environ.get("TREEBOUND_DENSITY_SETS")
    for name in asked.split(",") if asked else PUBLISHED:
        splits = load_splits(name)
        if isinstance(splits, Skip):
            yield splits
        else:
            yield from evaluated(name, splits)


def load_splits(name: str) -> Splits | Skip:
    """The three files of a set."""
    folder = os.environ.get("TREEBOUND_DATA")
    if folder is None:
        return Skip(f"{name}: TREEBOUND_DATA is not set.")
    paths = [pathlib.Path(folder) / f"{name}.{part}.csv.gz" for part in ("train", "valid", "test")]
    if not all(path.exists() for path in paths):
        return Skip(f"{name}: not in TREEBOUND_DATA.")
    names = tb.load(paths[0]).schema.names
    schema = tb.Schema(tuple(tb.Variable(column, ("0", "1"), "integer", True) for column in names))
    return Splits(*(tb.load(path, schema=schema) for path in paths))


def evaluated(name: str, splits: Splits) -> Iterator[Row]:
    """Choose on valid, evaluate on test, set beside the tree and the published figures."""
    found, seconds, _ = clocked(lambda: list(candidates(splits)))
    best = max(found, key=lambda one: one.valid)
    tree = max((one for one in found if one.bound == 1), key=lambda one: one.valid)
    test, tree_test = mean_log(best.network, splits.test), mean_log(tree.network, splits.test)
    yield {
        "set": name,
        "variables": splits.train.num_variables,
        "bound": best.bound,
        "score": best.score.name,
        "smoothing": repr(best.smoothing),
        "valid": best.valid,
        "test": test,
        "tree_test": tree_test,
        "gain_over_tree": test - tree_test,
        "loss_of_default": best.loss_of_default,
        "seconds": seconds,
    }
    published = {column: value for column, value in PUBLISHED[name].items() if value is not None}
    beside = {"set": name, "test": test, **published}
    if "chow_liu" in published:
        beside["behind_chow_liu"] = published["chow_liu"] - tree_test
    beside["over_strudel"] = test - published["strudel"]
    beside["behind_hclt"] = published["hclt"] - test
    yield beside


def candidates(splits: Splits) -> Iterator[Candidate]:
    """For every score and bound, the prior that is best on valid."""
    for score in SCORES:
        for bound in BOUNDS:
            result = tb.learn(splits.train, bound, score=score, budget=tb.Budget(seconds=SECONDS), seed=1)
            networks = {prior: tb.fit(result, splits.train, smoothing=prior) for prior in SMOOTHINGS}
            valid = {prior: mean_log(network, splits.valid) for prior, network in networks.items()}
            best = max(valid, key=valid.__getitem__)
            loss = valid[best] - valid[DEFAULT_SMOOTHING]
            yield Candidate(networks[best], bound, score, best, valid[best], loss)


def mean_log(network: tb.BayesianNetwork, data: tb.Dataset) -> float:
    """Average log-likelihood of the rows, in nats."""
    return float(network.score_samples(data).mean())

"""How probable combined densities make rows that they have not seen, next to all published tractable models.

The binary density sets come as train, valid and test. `learn_density` trains on train, chooses on valid, and
is evaluated on test, once for each of three seeds, ten minutes each. `best` is the highest published test
log-likelihood of any model whose marginals are exact and cheap, with its name, without values that were
chosen on test. Sources: CM-CLT, FORDE and EiNet from Watson et al. 2023, table 1; HCLT from result files of
Liu and Van den Broeck 2021 (run and epoch chosen on valid); ID-SPN from Rooshenas and Lowd 2014, table 1;
Strudel and LearnPSDD, with their bagged ensembles (BEM), from Dang et al. 2020, tables 2 and 9; RAT-SPN and
OBMM from Peharz et al. 2020, table 1; cutset networks (XCNet40, CNet40) from table 7 of the supplement of
Di Mauro et al. 2021; LearnRP from the dissertation of Geh 2022.

Environment: TREEBOUND_DENSITY_SETS names some sets ("nltcs,book"), TREEBOUND_DENSITY_SECONDS and
TREEBOUND_DENSITY_SEEDS shorten the runs, TREEBOUND_DENSITY_THREADS sets the threads. TREEBOUND_DENSITY_KEEP
names a folder that keeps the result of each run: an interrupted benchmark goes on where it stopped.

`lost_without_tree` and so on: how much lower the test log-likelihood is without the members of a kind, if
valid weights the others again. Nothing is trained again, so the time of these members is lost.

Single networks, with bound, score and prior chosen on valid, are measured by `density_networks`.

Apart from benchmarks.paper: it is about held-out rows, which the paper does not have.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np

import treebound as tb
from _common import Expect, Row, Skip
from density_networks import Splits, load_splits

QUESTION = "What is the test log-likelihood of combined densities, next to the best published models?"
EXPECTED = [
    # Relative to the best published value of the set.
    Expect("behind_best", at_most=0.01),
]

SECONDS = float(os.environ.get("TREEBOUND_DENSITY_SECONDS", "600"))
SEEDS = int(os.environ.get("TREEBOUND_DENSITY_SEEDS", "3"))
THREADS = int(os.environ.get("TREEBOUND_DENSITY_THREADS", "2"))

KINDS = ("independent", "tree", "treewidth_2", "treewidth_3", "treewidth_8", "networks")

_COLUMNS = ("best", "best_model", "cm_clt", "hclt", "id_spn", "strudel", "rat_spn")
_FIGURES: dict[str, tuple[Any, ...]] = {
    "nltcs": (-5.99, "LearnPSDD-BEM", -5.99, -5.999, -6.02, -6.06, -6.01),
    "msnbc": (-6.03, "OBMM", -6.05, -6.052, -6.04, -6.05, -6.04),
    "kdd": (-2.11, "LearnPSDD-BEM", -2.12, -2.142, -2.13, -2.17, -2.13),
    "plants": (-11.99, "XCNet40", -12.26, -14.013, -12.54, -13.72, -13.44),
    "baudio": (-39.02, "CM-CLT", -39.02, -39.767, -39.79, -42.26, -39.96),
    "jester": (-51.29, "LearnPSDD-BEM", -51.94, -52.358, -52.86, -55.30, -52.97),
    "bnetflix": (-55.31, "CM-CLT", -55.31, -56.247, -56.36, -58.68, -56.85),
    "accidents": (-26.69, "HCLT", -28.69, -26.694, -26.98, -29.46, -35.49),
    "tretail": (-10.72, "LearnPSDD-BEM", -10.82, -10.842, -10.85, -10.90, -10.91),
    "pumsb_star": (-22.25, "ID-SPN", -23.71, -23.332, -22.40, -25.28, -32.53),
    "dna": (-78.91, "HCLT", -84.91, -78.912, -81.21, -87.10, -97.23),
    "kosarek": (-10.52, "LearnPSDD-BEM", -10.56, -10.590, -10.60, -10.98, -10.89),
    "msweb": (-9.62, "CM-CLT", -9.62, -9.826, -9.73, -10.19, -10.12),
    "book": (-33.41, "LearnRP-100", -33.75, -33.520, -34.14, -35.77, -34.68),
    "tmovie": (-49.23, "CM-CLT", -49.23, -50.426, -51.51, -59.47, -53.63),
    "cwebkb": (-147.77, "CM-CLT", -147.77, -150.757, -151.84, -160.50, -157.53),
    "cr52": (-81.17, "CM-CLT", -81.17, -84.120, -83.35, -92.38, -87.37),
    "c20ng": (-148.17, "CM-CLT", -148.17, -151.540, -151.47, -160.77, -152.06),
    "bbc": (-237.42, "CNet40 bagged", -242.83, -248.390, -248.93, -258.96, -252.14),
    "ad": (-14.20, "XCNet40", -14.76, -16.020, -19.00, -16.52, -48.47),
}
PUBLISHED = {name: dict(zip(_COLUMNS, figures, strict=True)) for name, figures in _FIGURES.items()}


def measure() -> Iterator[Row | Skip]:
    """One row per set, the mean over the seeds, and one that counts the sets on which it is ahead."""
    asked = os.environ.get("TREEBOUND_DENSITY_SETS")
    found = []
    for name in asked.split(",") if asked else PUBLISHED:
        splits = load_splits(name)
        if isinstance(splits, Skip):
            yield splits
            continue
        runs = [run_of(name, splits, seed) for seed in range(SEEDS)]
        found.append(beside(name, splits, runs))
        yield found[-1]
    if found:
        yield counted(found)


def run_of(name: str, splits: Splits, seed: int) -> dict[str, Any]:
    """One run, read from its file if it is there."""
    path = kept_path(name, seed)
    if path is not None and path.exists():
        return json.loads(path.read_text())
    result = tb.learn_density(
        splits.train, valid=splits.valid, budget=tb.Budget(seconds=SECONDS), seed=seed, threads=THREADS
    )
    logs = result.model.score_samples(splits.test, threads=THREADS)
    run = {
        "valid": result.valid_log_likelihood,
        "test": float(logs.mean()),
        "standard_error": float(logs.std() / np.sqrt(len(logs))),
        "seconds": result.seconds,
        "steps": result.steps,
        "members": [[one.name, one.weight, one.valid_log_likelihood] for one in result.members],
        "lost": lost_without(result.model, splits),
    }
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(run))
    return run


def lost_without(model: tb.network.Model, splits: Splits) -> dict[str, float]:
    """How much lower the log-likelihood of test is without each kind of member that the model has."""
    parts = model.components if isinstance(model, tb.network.Mixture) else (model,)
    kinds = [kind_of(part) for part in parts]
    valid, test = (
        np.stack([part.log_likelihood_rows(rows, threads=THREADS) for part in parts], axis=1)
        for rows in (splits.valid, splits.test)
    )

    def fit_of(chosen: list[int]) -> float:
        best = test[:, chosen].max(axis=1, keepdims=True)
        chances = np.exp(test[:, chosen] - best) @ weights_on(valid[:, chosen])
        return float((best[:, 0] + np.log(chances)).mean())

    whole, lost = fit_of([*range(len(parts))]), {}
    for kind in {*kinds} if len({*kinds}) > 1 else ():
        lost[kind] = whole - fit_of([place for place, own in enumerate(kinds) if own != kind])
    return lost


def kind_of(part: tb.network.Model) -> str:
    """The kind of a component, by the treewidth that its structure has and not by the limit."""
    if isinstance(part, tb.BayesianNetwork):
        return "networks"
    return KINDS[min(part.structure.treewidth, 4)]


def weights_on(logs: np.ndarray) -> np.ndarray:
    """The weights that make the rows most probable, by EM: (rows, members).

    Those of the package are not public, and this measures what they are worth.
    """
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights = np.full(logs.shape[1], 1 / logs.shape[1])
    for _ in range(300):
        shares = chances * weights
        weights = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
    return weights


def kept_path(name: str, seed: int) -> pathlib.Path | None:
    """Where a run is kept: another version of the package keeps its own."""
    folder = os.environ.get("TREEBOUND_DENSITY_KEEP")
    if folder is None:
        return None
    sources = sorted(pathlib.Path(tb.density.__file__).parent.glob("*.py"))
    version = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:8]
    return pathlib.Path(folder) / f"{name}-{seed}-{SECONDS:g}-{version}.json"


def beside(name: str, splits: Splits, runs: list[dict[str, Any]]) -> Row:
    """The mean of the runs next to the published figures, and what each kind of member weighs."""
    test = float(np.mean([run["test"] for run in runs]))
    published = PUBLISHED[name]
    return {
        "set": name,
        "variables": splits.train.num_variables,
        "test": test,
        "spread": float(np.ptp([run["test"] for run in runs])),
        "standard_error": float(np.mean([run["standard_error"] for run in runs])),
        "seconds": float(np.max([run["seconds"] for run in runs])),
        **published,
        "behind_best": (published["best"] - test) / abs(published["best"]),
        **{f"weight_{kind}": weight_of(kind, runs) for kind in KINDS},
        **{
            f"lost_without_{kind}": float(np.mean([run["lost"].get(kind, 0.0) for run in runs]))
            for kind in KINDS
        },
    }


def weight_of(kind: str, runs: list[dict[str, Any]]) -> float:
    """The mean weight of all members of a kind."""
    start = "network" if kind == "networks" else "smooth mixture over"
    words = {"tree": "a tree,", "networks": ""}.get(kind, kind.replace("_", " "))
    weights = [
        sum(weight for member, weight, _ in run["members"] if member.startswith(start) and words in member)
        for run in runs
    ]
    return float(np.mean(weights))


def counted(rows: list[Row]) -> Row:
    """On how many sets the density is ahead, to the two digits that are published."""
    return {
        "sets": len(rows),
        **{
            f"ahead_of_{column}": sum(round(row["test"], 2) >= row[column] for row in rows)
            for column in ("best", "cm_clt", "hclt", "id_spn", "strudel", "rat_spn")
        },
    }

"""Imputation of ten categorical tables, next to other imputers in the same run.

Cells are removed completely at random (5, 20, 40 %), or at random given a neighbouring column (20 %). Each
imputer sees at most 2,000 rows, and works with one thread. Accuracy is the share of missing cells that are
filled in correctly, log_loss the mean of -log P(truth) where an imputer gives probabilities.

    TREEBOUND_IMPUTATION=zoo,nursery TREEBOUND_IMPUTATION_DONE=done.jsonl python benchmarks/run.py imputation

An imputer that takes longer than TREEBOUND_IMPUTATION_SECONDS (60) on a table does not impute it again with
other cells missing.

Rows that are done are kept in the file that TREEBOUND_IMPUTATION_DONE names, and a second run goes on from
there. missforest and miceforest are optional packages of PyPI.

Apart from benchmarks.paper: the paper has complete rows only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import numpy as np

import treebound as tb
from _common import Expect, Row, Skip, dataset
from _done import Done
from _holes import accuracy, at_random, by_another
from _imputers import IMPUTERS, Filled

QUESTION = "How many missing cells does imputation get right, at which log-loss, in how many seconds?"
EXPECTED = [Expect("tables_ahead_of_all_others", at_least=6)]
TABLES = "adult,breast,letter,mushroom,nursery,zoo,nltcs.train,msnbc.train,jester.train,dna.train"
NAMES = os.environ.get("TREEBOUND_IMPUTATION", TABLES).split(",")
MOST_ROWS = int(os.environ.get("TREEBOUND_IMPUTATION_ROWS", "2000"))
MOST_SECONDS = float(os.environ.get("TREEBOUND_IMPUTATION_SECONDS", "60"))
SCHEMES: dict[str, tuple[Callable[[tb.Dataset, float, int], tb.Dataset], float]] = {
    "5 % MCAR": (at_random, 0.05),
    "20 % MCAR": (at_random, 0.2),
    "40 % MCAR": (at_random, 0.4),
    "20 % MAR": (by_another, 0.2),
}


def measure() -> Iterator[Row | Skip]:
    """One row for each table, scheme and imputer; at the end, on how many tables treebound is ahead."""
    done, found = Done("TREEBOUND_IMPUTATION_DONE"), []
    for name in NAMES:
        data = dataset(name)
        if isinstance(data, Skip):
            yield data
            continue
        rows = np.random.default_rng(0).permutation(data.num_rows)[:MOST_ROWS]
        truth, longest = data.take(rows), dict.fromkeys(IMPUTERS, 0.0)
        for scheme, (remove, share) in SCHEMES.items():
            holes = remove(truth, share, 1)
            for imputer, work in IMPUTERS.items():
                key = f"{name} {scheme} {imputer}"
                if key not in done.rows and longest[imputer] > MOST_SECONDS:
                    yield Skip(f"{name}, {scheme}: {imputer} took {longest[imputer]:.0f} s before.")
                    continue
                if key not in done.rows:
                    row = measured(name, scheme, imputer, work, truth, holes)
                    if isinstance(row, Skip):
                        yield row
                        continue
                    done.add(key, row)
                longest[imputer] = max(longest[imputer], done.rows[key]["seconds"])
                found.append(done.rows[key])
                yield done.rows[key]
    yield from ahead(found)


def measured(
    name: str,
    scheme: str,
    imputer: str,
    work: Callable[[tb.Dataset], Filled],
    truth: tb.Dataset,
    holes: tb.Dataset,
) -> Row | Skip:
    """One table, completed by one imputer."""
    began = time.perf_counter()
    try:
        codes, chances = work(holes)
    except ImportError:
        return Skip(f"{name}, {scheme}: {imputer} is not installed.")
    except Exception as error:  # whatever another imputer raises is its result
        if imputer == "treebound":
            raise
        return Skip(f"{name}, {scheme}: {imputer} failed: {type(error).__name__}: {str(error)[:200]}")
    row = {
        "table": name,
        "scheme": scheme,
        "imputer": imputer,
        "seconds": time.perf_counter() - began,
        "accuracy": accuracy(codes, truth, holes),
    }
    if chances is not None:
        truths = [max(own[truth.codes[place]], 1e-12) for place, own in chances.items()]
        row["log_loss"] = float(-np.log(truths).mean())
    return row


def ahead(rows: list[Row]) -> Iterator[Row]:
    """For each scheme, the number of tables on which treebound has the best accuracy."""
    for scheme in dict.fromkeys(row["scheme"] for row in rows):
        num_ahead, names = 0, dict.fromkeys(row["table"] for row in rows if row["scheme"] == scheme)
        for name in names:
            own = {r["imputer"]: r["accuracy"] for r in rows if (r["table"], r["scheme"]) == (name, scheme)}
            num_ahead += own["treebound"] >= max(own.values())
        yield {"scheme": scheme, "tables": len(names), "tables_ahead_of_all_others": int(num_ahead)}

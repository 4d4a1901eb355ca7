"""The statistics that the page on solvers lists for each solver are those that the solver returns."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import treebound
from treebound.solvers import SOLVERS, IgnoredBound, search

PAGE = (Path(__file__).parents[1] / "docs" / "concepts" / "solvers.md").read_text("utf-8")
TABLE = PAGE.split("| name | of | meaning |\n| --- | --- | --- |\n")[1].split("\n\n")[0]
ONLY_ON_REQUEST = {"median_score"}


def documented(solver):
    rows = (line.split("|")[1:3] for line in TABLE.splitlines())
    listed = ((re.findall(r"`(.+?)`", names), re.findall(r"`(.+?)`", solvers)) for names, solvers in rows)
    return {name for names, solvers in listed if solver in solvers for name in names}


@pytest.mark.parametrize("name", SOLVERS)
def test_the_listed_statistics_are_returned(name):
    if name in ("gobnilp", "exact-ilp"):
        pytest.importorskip("pyscipopt")
    table = treebound.random_network(6, max_treewidth=2, seed=1).sample(200, 1)
    cache = treebound.score(table, parent_sets=treebound.Exhaustive(2)).cache
    data = table if name == "hc-et" else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IgnoredBound)
        found = search(cache, 2, data=data, solver=SOLVERS[name].solver, budget=treebound.Budget(steps=3))
    assert set(found.statistics) == documented(name) - ONLY_ON_REQUEST


def test_the_table_was_read():
    assert documented("kg") == {"num_skipped"}

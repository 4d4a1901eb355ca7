"""EM on a cluster: expected counts add up over parts, and structural EM searches completions in parts."""

from __future__ import annotations

import logging

import numpy as np
import pandas as pd
import pytest

import treebound as tb
from clusters import cluster_of, in_parts
from treebound import BdeuPrior, Budget, DataError, MarginalPrior, MaximumLikelihood, PseudoCount, fit, learn
from treebound.distributed import Cluster
from treebound.distributed._incomplete_parts import IncompleteParts
from treebound.learning import RowsHere

TRUTH = tb.random_network(6, min_states=2, max_states=3, max_treewidth=2, seed=3)
STEPS = Budget(steps=40)


def holey(num_rows=300, share=0.25, seed=0):
    """Rows with missing cells; some rows have no value at all."""
    table = TRUTH.sample(num_rows, seed).to_frame("pandas").astype(object)
    table = table.mask(np.random.default_rng(seed).random(table.shape) < share)
    table.iloc[[1, num_rows // 2]] = None
    return table


TABLE = holey()


@pytest.fixture(scope="module")
def one():
    with cluster_of(1) as client:
        yield client


@pytest.fixture(scope="module")
def two():
    with cluster_of(2) as client:
        yield client


@pytest.mark.parametrize(
    "smoothing", [PseudoCount(0.5), BdeuPrior(), MarginalPrior(), MaximumLikelihood()], ids=str
)
def test_em_in_parts_is_em_in_one_process(two, smoothing):
    alone = fit(TRUTH, TABLE, smoothing=smoothing, missing="em")
    parts = in_parts(TABLE, [0, 1, 2, 140, 140])
    found = Cluster(two).fit(TRUTH, parts, smoothing=smoothing, missing="em")
    there, here = found.provenance["em"], alone.provenance["em"]
    assert there["log_likelihood"] == pytest.approx(here["log_likelihood"], rel=1e-9)
    assert there["steps"] == here["steps"]
    assert found.num_rows == alone.num_rows == 298
    for ours, theirs in zip(found.tables, alone.tables, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)


def test_any_number_of_workers_gives_the_same_bits(one, two):
    parts = in_parts(TABLE, [40, 90, 200])
    found = [Cluster(client).fit(TRUTH, parts, missing="em") for client in (one, two)]
    assert found[0] == found[1]


def test_learning_in_parts(one, two):
    parts = in_parts(TABLE, [40, 90, 200])
    found = [learn(parts, 2, missing="em", where=Cluster(client), budget=STEPS) for client in (one, two)]
    print(found[0].score, learn(TABLE, 2, missing="em", budget=STEPS).score)
    assert found[0].network == found[1].network
    assert found[0].verdict

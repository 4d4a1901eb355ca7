"""EM on a cluster: expected counts add up over parts, and structural EM searches completions in parts."""

from __future__ import annotations

import json
import logging
import math
import os
import signal

import numpy as np
import pytest

import treebound as tb
from clusters import cluster_of, in_parts
from treebound import (
    BackoffPrior,
    Budget,
    DataError,
    MaximumLikelihood,
    fit,
    learn,
    load,
    load_network,
    score,
)
from treebound.distributed import Cluster, PartitionedTable, _incomplete_part
from treebound.distributed._incomplete_part import Expected
from treebound.distributed._incomplete_parts import IncompleteParts
from treebound.learning import RowsHere, _choose_states, _structural_em
from treebound.network import _em, observed_rows

TRUTH = tb.random_network(5, min_states=2, max_states=3, max_treewidth=2, seed=3)
NAMES = TRUTH.schema.names
STEPS = Budget(steps=8)
CUTS = [0, 1, 2, 140, 140]


def with_holes(num_rows=300, share=0.25, seed=0):
    """Rows with missing cells; some have no value at all."""
    table = TRUTH.sample(num_rows, seed).to_frame("pandas").astype(str)
    table = table.mask(np.random.default_rng(seed).random(table.shape) < share)
    table.iloc[[1, num_rows // 2]] = None
    return table


TABLE = with_holes()
NUM_ROWS = int(TABLE.notna().any(axis=1).sum())
COMPLETE = TRUTH.sample(100, 5).to_frame("pandas").astype(str)


@pytest.fixture(scope="module")
def one():
    with cluster_of(1) as client:
        yield client


@pytest.fixture(scope="module")
def two():
    with cluster_of(2, protocol="tcp://") as client:
        yield client


@pytest.fixture(autouse=True)
def two_rounds(monkeypatch):
    monkeypatch.setattr(_structural_em, "ROUNDS", 2)


@pytest.fixture
def short_em(monkeypatch):
    """A few steps of EM: each is a task for every part."""
    monkeypatch.setattr(_em, "NUM_STARTS", 2)
    monkeypatch.setattr(_em, "STEPS_OF_A_START", 2)
    monkeypatch.setattr(_em, "MAX_STEPS", 4)


def assert_close(there, here):
    """The same network up to the rounding of sums in another order."""
    assert there.provenance["em"]["steps"] == here.provenance["em"]["steps"]
    likelihoods = [network.provenance["em"]["log_likelihood"] for network in (there, here)]
    assert likelihoods[0] == pytest.approx(likelihoods[1], rel=1e-9)
    assert there.num_rows == here.num_rows
    assert there.parents == here.parents
    for ours, theirs in zip(there.tables, here.tables, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("smoothing", [BackoffPrior(), MaximumLikelihood()], ids=str)
def test_em_in_parts_is_em_in_one_process(two, smoothing, caplog):
    here = fit(TRUTH, TABLE, smoothing=smoothing, missing="em")
    with caplog.at_level(logging.WARNING, "treebound"):
        there = Cluster(two).fit(TRUTH, in_parts(TABLE, CUTS), smoothing=smoothing, missing="em")
    assert_close(there, here)
    assert there.num_rows == NUM_ROWS
    assert f"{300 - NUM_ROWS} of 300 rows have no observed value and are skipped" in caplog.text


def test_budget_progress_and_any_number_of_workers(one, two):
    parts, seen = in_parts(TABLE, [40, 90, 200]), []
    budget = {"missing": "em", "budget": Budget(steps=3)}
    found = Cluster(one).fit(TRUTH, parts, progress=seen.append, **budget)
    assert found == Cluster(two).fit(TRUTH, parts, **budget)
    assert found.provenance["em"]["steps"] == 3
    assert [progress.phase for progress in seen] == ["EM", "EM"]


def test_tables_that_were_read_before_and_structures_without_a_schema(two):
    parents = TRUTH.structure.parents
    with Cluster(two) as cluster:
        rows = cluster.load(in_parts(TABLE, CUTS), missing="keep")
        assert not rows.is_complete
        assert_close(cluster.fit(parents, rows, missing="em"), fit(parents, TABLE, missing="em"))
        assert cluster.fit(parents, rows, missing="keep") == fit(parents, TABLE, missing="keep")
        with pytest.raises(DataError, match="fitting a network needs complete rows"):
            cluster.fit(parents, rows)
        with pytest.raises(DataError, match="learning needs complete rows"):
            learn(rows, 2, where=cluster, budget=STEPS)
        with pytest.raises(DataError, match="needs complete rows"):
            score(rows, where=cluster)
    assert_close(Cluster(two).fit(parents, rows, missing="em"), fit(parents, TABLE, missing="em"))


def test_complete_rows_are_counted(two):
    parts, parents = in_parts(COMPLETE, [30]), TRUTH.structure.parents
    assert Cluster(two).fit(TRUTH, parts, missing="em") == fit(TRUTH, COMPLETE)
    with Cluster(two) as cluster:
        rows = cluster.load(parts, missing="keep")
        assert rows.is_complete
        assert cluster.fit(parents, rows, missing="em") == fit(parents, load(COMPLETE, missing="keep"))
        assert learn(rows, 2, where=cluster, missing="em", budget=STEPS).verdict.compared_with == (
            "table",
            "cache",
        )
    with_empty = COMPLETE.copy()
    with_empty.iloc[[3, 50]] = None
    found = learn(in_parts(with_empty, [30]), 2, where=Cluster(two), missing="em", budget=STEPS)
    assert found.network.num_rows == 98
    assert found.verdict.compared_with == ("table", "cache")


def test_a_hidden_variable_of_the_structure(two):
    table = TABLE.drop(columns=NAMES[0])
    options = {"missing": "em", "budget": Budget(steps=1)}
    here = fit(TRUTH, table, hidden={NAMES[0]: 2}, **options)
    there = Cluster(two).fit(here, in_parts(table, [150]), **options)
    assert_close(there, fit(here, table, **options))
    assert there.provenance["em"]["starts"] == 10


def test_fitting_hidden_variables(two):
    table, hidden = TABLE.drop(columns=NAMES[0]), {NAMES[0]: 2}
    options = {"missing": "em", "hidden": hidden, "budget": Budget(steps=1)}
    here, parents = fit(TRUTH, table, **options), TRUTH.structure.parents
    assert_close(Cluster(two).fit(TRUTH, in_parts(table, [150]), **options), here)
    with Cluster(two) as cluster:
        rows = cluster.load(in_parts(table, CUTS), missing="keep")
        there = cluster.fit(parents, rows, **options)
        assert there.schema.hidden == (NAMES[0],)
        assert there.schema.names == TRUTH.schema.names
        assert_close(there, fit(parents, table, **options))
        with pytest.raises(ValueError, match="hidden, and missing='keep' would count nothing"):
            cluster.fit(parents, rows, missing="keep", hidden=hidden)
        with pytest.raises(ValueError, match=f"only for a table that is here, got '{NAMES[0]}': 'bic'"):
            cluster.fit(parents, rows, missing="em", hidden={NAMES[0]: "bic"})
        with pytest.raises(DataError, match="the structure: 'H': there is none"):
            cluster.fit(parents, rows, missing="em", hidden={"H": 2})
        with pytest.raises(DataError, match="is a column of the table, so it is not hidden"):
            cluster.fit(parents, rows, missing="em", hidden={NAMES[1]: 2})


def test_hidden_variables_of_complete_rows_need_no_option(two):
    table, hidden = COMPLETE.drop(columns=NAMES[0]), {NAMES[0]: 2}
    parents, budget = TRUTH.structure.parents, Budget(steps=1)
    here = fit(parents, table, hidden=hidden, budget=budget)
    assert_close(Cluster(two).fit(parents, in_parts(table, [30]), hidden=hidden, budget=budget), here)
    with_gap = table.copy()
    with_gap.iloc[3, 0] = None
    assert_close(
        Cluster(two).fit(here, in_parts(with_gap, [30]), missing="drop", budget=budget),
        fit(here, with_gap, missing="drop", budget=budget),
    )
    with pytest.raises(DataError, match="missing"):
        Cluster(two).fit(here, in_parts(with_gap, [30]), budget=budget)


def test_rows_that_em_cannot_use_are_named(two):
    fitting = {"missing": "em"}
    with pytest.raises(DataError, match=f"'{NAMES[2]}'.*all of its 300 rows are missing"):
        Cluster(two).fit(TRUTH, in_parts(TABLE.assign(**{NAMES[2]: None}), [9]), **fitting)
    with pytest.raises(DataError, match="no rows"):
        Cluster(two).fit(TRUTH, in_parts(TABLE.iloc[:0], []), **fitting)
    with pytest.raises(ValueError, match="missing must be"):
        Cluster(two).fit(TRUTH, in_parts(TABLE, []), missing="fill")


def test_the_first_impossible_row_is_that_of_all_rows():
    parts = [Expected(np.ones(1), -1.0, 5, None), Expected(np.ones(1), -np.inf, 4, 2)]
    total = parts[0].plus(parts[1]).plus(parts[1])
    assert (total.impossible_row, total.num_rows, total.log_likelihood) == (7, 13, -np.inf)


def test_counts_draws_and_likelihoods_are_those_of_all_rows(two):
    here = RowsHere(observed_rows(load(TABLE, schema=TRUTH.schema, missing="keep")))
    with Cluster(two) as cluster:
        read = cluster.load(in_parts(TABLE, CUTS), missing="keep")
        there = IncompleteParts(two, read.parts, read.schema, read)
        assert there.schema.variables == load(TABLE, missing="keep").schema.variables
        for name in ("num_rows", "num_incomplete", "observed_share"):
            assert getattr(there, name) == getattr(here, name)
        network = fit(TRUTH.structure.parents, TABLE, missing="em")
        own = RowsHere(observed_rows(load(TABLE, missing="keep")))
        assert there.log_likelihood(network) == pytest.approx(own.log_likelihood(network), rel=1e-12)
        pairs, expected = there.pair_counts(), own.pair_counts()
        for first, card in zip(np.cumsum(own.schema.cardinalities), own.schema.cardinalities, strict=True):
            expected[first - card : first, first - card : first] = 0
        np.testing.assert_array_equal(pairs, expected)
        counts = (rows.complete_counts(network.structure) for rows in (there, own))
        np.testing.assert_array_equal(*counts)
        drawn = [there.completed(network, [seed, 7]) for seed in (1, 1, 2)]
        assert drawn[0].fingerprint == drawn[1].fingerprint != drawn[2].fingerprint
        codes = np.concatenate([part.rows.codes() for part in two.gather(drawn[0].parts)], axis=1)
        assert drawn[0].num_rows == codes.shape[1] == 2 * own.num_rows
        known = [part for part in two.gather(read.parts) if part.rows.num_rows]
        copies = [np.tile(part.rows.codes()[:, part.rows.codes().any(axis=0)], 2) for part in known]
        observed = np.concatenate(copies, axis=1).astype(int) - 1
        assert (codes[observed >= 0] == observed[observed >= 0]).all()
        assert len(np.unique(codes[0][observed[0] < 0])) > 1


def assert_observed_score(result, table):
    data = observed_rows(load(table, schema=result.network.schema, missing="keep"))
    likelihood = math.fsum(result.network.log_likelihood_rows(data).tolist())
    bic = likelihood - math.log(data.num_rows) / 2 * result.network.num_parameters
    assert result.score == pytest.approx(bic, rel=1e-9)
    assert result.verdict
    by_itself = () if isinstance(result.rows, PartitionedTable) else ("EM",)
    assert result.verdict.compared_with == ("observed cells", *by_itself)


def test_learning_from_parts(one, two):
    parts = in_parts(TABLE, [90, 200])
    options = {"missing": "em", "budget": STEPS, "seed": 2}
    found = [learn(parts, 2, where=Cluster(client), **options) for client in (one, two)]
    assert found[0].network == found[1].network
    assert found[0].score == found[1].score
    assert found[0].structure.treewidth <= 2
    assert isinstance(found[0].rows, PartitionedTable)
    assert_observed_score(found[0], TABLE)
    assert found[0].score >= learn(TABLE, 2, **options).score - 3
    scores = [improvement.score for improvement in found[0].search.trace]
    assert scores == sorted(scores)


@pytest.mark.parametrize("hidden", [None, {"H": 2}], ids=["observed", "hidden"])
def test_learning_from_a_table_that_is_here(one, two, hidden):
    options = {"missing": "em", "budget": STEPS, "hidden": hidden}
    found = [learn(TABLE, 2, where=Cluster(client), **options) for client in (one, two)]
    assert found[0].network == found[1].network
    assert_observed_score(found[0], TABLE)
    assert found[0].structure.schema.hidden == tuple(hidden or ())


def assert_hidden(result, table):
    assert result.structure.schema.hidden == ("H",)
    assert result.structure.names == (*NAMES, "H")
    assert_observed_score(result, table)


@pytest.mark.usefixtures("short_em")
def test_learning_hidden_variables_from_parts(one, two):
    options = {"missing": "em", "budget": STEPS, "seed": 2, "hidden": {"H": 2}}
    parts = in_parts(TABLE, [150])
    found = [learn(parts, 2, where=Cluster(client), **options) for client in (one, two)]
    assert found[0].network == found[1].network
    assert_hidden(found[0], TABLE)
    here = learn(TABLE, 2, **options)
    assert found[0].search.trace[0].score == pytest.approx(here.search.trace[0].score, rel=1e-6)
    with Cluster(two) as cluster:
        again = cluster.fit(found[0], found[0].rows, missing="em", budget=Budget(steps=1))
        assert again.schema.hidden == ("H",)


@pytest.mark.usefixtures("short_em")
def test_learning_hidden_variables_from_complete_parts(two):
    options = {"budget": STEPS, "hidden": {"H": 2}}
    assert_hidden(learn(in_parts(COMPLETE, [30]), 2, where=Cluster(two), **options), COMPLETE)
    with pytest.raises(DataError, match="is a column of the table, so it is not hidden"):
        learn(in_parts(COMPLETE, [30]), 2, where=Cluster(two), hidden={NAMES[0]: 2})


@pytest.mark.usefixtures("short_em")
@pytest.mark.parametrize("criterion", ["bic", "held-out"])
def test_numbers_of_states_are_chosen_in_parts(two, criterion, monkeypatch):
    monkeypatch.setattr(_choose_states, "_MOST_TRIALS", 2)
    options = {"missing": "em", "budget": STEPS, "hidden": {"H": criterion}}
    found = learn(in_parts(TABLE, [90]), 2, where=Cluster(two), **options)
    assert found.structure.schema["H"].cardinality in (2, 3)
    assert found.network.num_rows == NUM_ROWS
    assert_observed_score(found, TABLE)


def test_rows_held_out_of_parts(two, monkeypatch):
    with Cluster(two) as cluster:
        read = cluster.load(in_parts(TABLE, CUTS), missing="keep")
        rows = IncompleteParts(two, read.parts, read.schema, read)
        train, test = rows.held_out(3)
        assert train.num_rows + test.num_rows == rows.num_rows
        assert 0.1 < test.num_rows / rows.num_rows < 0.3
        network = fit(TRUTH.structure.parents, TABLE, missing="em", budget=Budget(steps=1))
        parts = train.log_likelihood(network) + test.log_likelihood(network)
        assert parts == pytest.approx(rows.log_likelihood(network), rel=1e-12)
        assert rows.held_out(4)[1].log_likelihood(network) != test.log_likelihood(network)
        monkeypatch.setattr(_incomplete_part, "HELD_OUT", 0.0)
        with pytest.raises(ValueError, match=f"Held-out rows need more rows, got {NUM_ROWS}. Use 'bic'"):
            rows.held_out(0)


def test_ctrl_c_keeps_the_best(two, monkeypatch):
    drawn, complete = [], IncompleteParts.completed

    def interrupt_the_second(self, network, seeds):
        if drawn:
            raise KeyboardInterrupt
        drawn.append(seeds)
        return complete(self, network, seeds)

    monkeypatch.setattr(IncompleteParts, "completed", interrupt_the_second)
    result = learn(in_parts(TABLE, [90]), 2, where=Cluster(two), missing="em", budget=STEPS)
    assert drawn
    assert result.was_interrupted
    assert_observed_score(result, TABLE)


def test_a_worker_that_dies_costs_what_it_was_doing():
    here = fit(TRUTH, TABLE, missing="em")
    with cluster_of(2, processes=True) as client:
        victims = []

        def kill(progress):
            if not victims:
                victims.append(next(iter(client.run(os.getpid).values())))
                os.kill(victims[0], signal.SIGKILL)

        parts = in_parts(TABLE, [90, 200])
        there = Cluster(client).fit(TRUTH, parts, missing="em", progress=kill)
    assert victims
    assert_close(there, here)


def test_the_command_learns_from_an_incomplete_folder(two, run, tmp_path):
    (tmp_path / "rows").mkdir()
    for number, rows in enumerate((TABLE.iloc[:100], TABLE.iloc[100:])):
        rows.to_parquet(tmp_path / "rows" / f"{number}.parquet", index=False)
    out = tmp_path / "network.json"
    words = ["-k", 2, "--steps", 8, "--missing", "em", "--scheduler", two.scheduler.address]
    code, out_text, err = run("learn", tmp_path / "rows", "-o", out, *words, "--json")
    assert code == 0
    assert json.loads(out_text)["compared_with"] == ["observed cells"]
    assert f"of {NUM_ROWS} rows have missing values and are used by EM" in " ".join(err.split())
    assert load_network(out).num_rows == NUM_ROWS

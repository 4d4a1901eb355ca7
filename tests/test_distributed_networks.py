"""Islands of the search on a cluster, networks on Dask frames, and the command on a cluster."""

from __future__ import annotations

import json

import dask.dataframe
import numpy as np
import pandas as pd
import pytest

from clusters import assert_same_cache, chained, cluster_of, in_parts
from strategies_scoring import make_dataset
from treebound import (
    Budget,
    Exhaustive,
    Observer,
    PseudoCount,
    check,
    fit,
    learn,
    load,
    load_cache,
    load_structure,
    save_cache,
    score,
)
from treebound import distributed as on_cluster
from treebound.distributed import Cluster, _islands
from treebound.distributed._client import ClusterError
from treebound.solvers import search


@pytest.fixture(scope="module")
def one():
    with cluster_of(1) as client:
        yield client


@pytest.fixture
def three():
    """One for each test: a busy machine may lose workers, which are threads here and do not come back."""
    with cluster_of(3, protocol="tcp://") as client:
        yield client


def dataset():
    return make_dataset(chained(15, 400), [3] * 15)


def frame(num_rows=300):
    columns = {f"v{v}": column for v, column in enumerate(chained(6, num_rows))}
    columns["v1"] = np.array(["low", "middle", "high"])[columns["v1"]]
    return pd.DataFrame(columns)


@pytest.fixture(scope="module")
def network():
    return fit(learn(frame(), 2, budget=Budget(steps=20)), frame(), smoothing=PseudoCount(1.0))


def test_equal_steps_give_equal_networks_for_any_number_of_workers(one, three):
    found = [
        learn(dataset(), 3, where=Cluster(client), budget=Budget(steps=64), seed=5) for client in (one, three)
    ]
    assert found[0].structure.parents == found[1].structure.parents
    assert found[0].score == found[1].score
    assert found[0].search.steps == found[1].search.steps <= 64
    assert_same_cache(found[0].cache, found[1].cache)
    assert all(result.verdict for result in found)
    alone = learn(dataset(), 3, budget=Budget(steps=1))
    assert found[0].score >= alone.score


def test_a_search_in_seconds_ends_and_keeps_the_bound(three):
    seen = []
    result = learn(
        dataset(),
        2,
        where=Cluster(three),
        budget=Budget(seconds=1.5),
        progress=Observer(checkpoint=seen.append),
    )
    assert result.structure.treewidth <= 2
    assert result.verdict
    assert seen[-1].score == result.score
    assert result.search.stopped in ("seconds", "optimal")


def test_steps_bound_a_search_that_has_seconds_too(three):
    cache = score(dataset(), parent_sets=Exhaustive(2), budget=None).cache
    steps, both, late = (
        learn(cache, 2, where=Cluster(three), budget=budget, seed=5).search
        for budget in (
            Budget(steps=64, patience=None),
            Budget(seconds=600, steps=64, patience=None),
            Budget(seconds=0, steps=10**9, patience=None),
        )
    )
    assert both.steps == steps.steps <= 64
    assert both.structure.parents == steps.structure.parents
    assert both.stopped == steps.stopped
    assert late.stopped == "seconds"


def test_a_cache_and_a_table_in_parts_are_searched_too(three):
    cache = score(dataset(), parent_sets=Exhaustive(2), budget=None).cache
    found = learn(cache, 2, where=Cluster(three), budget=Budget(steps=64))
    assert found.scoring is None
    assert found.score >= search(cache, 2, budget=Budget(steps=1)).score
    parts = in_parts(frame(), [100])
    by_rows = learn(parts, 2, where=Cluster(three), budget=Budget(steps=64))
    assert check(by_rows.structure, by_rows.cache, 2)
    assert_same_cache(by_rows.cache, score(frame(), parent_sets=Exhaustive(2), budget=None).cache)
    with pytest.raises(ValueError, match="score applies only to tables"):
        learn(cache, 2, where=Cluster(three), score=cache.score)


def test_a_structure_that_does_not_hold_is_refused(one, monkeypatch):
    monkeypatch.setattr(_islands, "improve", improve_too_far)
    scored = score(dataset(), parent_sets=Exhaustive(2), budget=None)
    with pytest.raises(ClusterError, match="does not hold"):
        learn(dataset(), 1, where=Cluster(one), score=scored, budget=Budget(steps=8))


def improve_too_far(cache, rows, task, round_):
    """A worker that does not keep the bound."""
    return search(cache, 5, budget=Budget(steps=20))


def test_ctrl_c_keeps_the_best_structure(three):
    def interrupt(progress):
        if progress.phase == "search" and np.isfinite(progress.score):
            raise KeyboardInterrupt

    result = learn(
        make_dataset(chained(40, 400), [3] * 40),
        3,
        where=Cluster(three),
        budget=Budget(seconds=6, patience=None),
        progress=interrupt,
    )
    assert result.was_interrupted
    assert result.verdict


def test_only_solvers_of_the_package_are_sent(one):
    class Mine:
        name = "mine"

    with pytest.raises((ValueError, TypeError)):
        learn(dataset(), 2, where=Cluster(one), solver=Mine())


@pytest.mark.parametrize("cuts", [[], [0, 1, 150, 150]], ids=["whole", "odd"])
def test_questions_about_frames_have_the_answers_of_their_partitions(network, cuts):
    table = frame()
    parts = in_parts(table, cuts)
    scores = on_cluster.score_samples(network, parts)
    assert isinstance(scores, dask.dataframe.Series)
    assert scores.compute().to_numpy() == pytest.approx(network.score_samples(table))
    for target in ("v1", "v3"):
        told = on_cluster.predict(network, parts, target).compute()
        assert told.tolist() == network.predict(table, target).tolist()
    anomalies = on_cluster.anomaly_scores(network, parts).compute()
    expected = network.anomaly_scores(table)
    assert anomalies["score"].to_numpy() == pytest.approx(expected.scores)
    assert anomalies["v4"].to_numpy() == pytest.approx(np.asarray(expected.contributions["v4"]))


def test_gaps_are_filled_partition_by_partition(network):
    table = frame().astype({"v0": "float64", "v3": "float64"})
    table.loc[::7, "v0"] = np.nan
    table.loc[3::11, "v1"] = None
    parts = in_parts(table, [50, 50, 51])
    filled = on_cluster.impute(network, parts)
    assert filled.dtypes.to_dict() == parts.dtypes.to_dict()
    assert filled.compute().to_numpy().tolist() == network.impute(table).to_numpy().tolist()
    drawn = on_cluster.impute(network, parts, strategy="draw", seed=3)
    assert drawn.compute().equals(drawn.compute())
    assert not drawn.compute().isna().any().any()


def test_samples_come_in_partitions_with_seeds_of_their_own(network):
    drawn = on_cluster.sample(network, 250, seed=4, rows_per_partition=100)
    rows = drawn.compute()
    assert drawn.npartitions == 3
    assert rows.index.tolist() == list(range(250))
    assert not rows.iloc[:100].reset_index(drop=True).equals(rows.iloc[100:200].reset_index(drop=True))
    assert rows.equals(on_cluster.sample(network, 250, seed=4, rows_per_partition=100).compute())
    assert load(rows).schema.names == network.schema.names


def test_frames_of_others_are_refused(network):
    with pytest.raises(TypeError, match="a Dask DataFrame"):
        on_cluster.predict(network, frame(), "v1")


def test_the_command_works_on_a_cluster(three, run, tmp_path):
    frame().to_csv(tmp_path / "table.csv", index=False)
    address = three.scheduler.address
    out = [tmp_path / name for name in ("there.tbc", "here.tbc", "structure.json")]
    table = tmp_path / "table.csv"
    assert run("score", table, "-o", out[0], "--steps", 900, "--scheduler", address, "-q")[0] == 0
    assert run("score", table, "-o", out[1], "--steps", 900, "-q")[0] == 0
    assert out[0].read_bytes() == out[1].read_bytes()
    code, told, _ = run(
        "learn", table, "-k", 2, "--steps", 32, "-o", out[2], "--scheduler", address, "--json"
    )
    assert code == 0
    assert json.loads(told)["checked"]
    assert load_structure(out[2]).treewidth <= 2


def test_the_command_takes_a_folder(three, run, tmp_path):
    (tmp_path / "rows").mkdir()
    for number in range(3):
        part = frame().iloc[number * 100 : number * 100 + 100]
        part.to_parquet(tmp_path / "rows" / f"{number}.parquet", index=False)
    words = ["-o", tmp_path / "rows.tbc", "--parent-sets", "exhaustive", "--max-parents", 2]
    assert run("score", tmp_path / "rows", *words, "--scheduler", three.scheduler.address)[0] == 0
    assert_same_cache(
        load_cache(tmp_path / "rows.tbc"), score(frame(), parent_sets=Exhaustive(2), budget=None).cache
    )
    (tmp_path / "rows.tbc").unlink()
    assert run("score", tmp_path / "rows", *words)[0] == 0  # in this process, as one table
    assert_same_cache(
        load_cache(tmp_path / "rows.tbc"), score(frame(), parent_sets=Exhaustive(2), budget=None).cache
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--workers", 2, "--scheduler", "tcp://a:1"], "pass only one of them"),
        (["--workers", 2, "--threads", 2], "--threads applies only without a cluster"),
    ],
)
def test_options_that_contradict_each_other_are_refused(run, tmp_path, words, told):
    frame().to_csv(tmp_path / "table.csv", index=False)
    code, _, err = run("score", tmp_path / "table.csv", "-o", tmp_path / "c.tbc", *words)
    assert code == 2
    assert told in " ".join(err.split())


def test_a_comparison_is_that_of_processes_here(three, run, tmp_path):
    save_cache(score(dataset(), parent_sets=Exhaustive(2), budget=None).cache, tmp_path / "scores.tbc")
    words = [
        tmp_path / "scores.tbc",
        "-k",
        "2,3",
        "--solvers",
        "regrow,kg",
        "--steps",
        20,
        "--runs",
        2,
        "--json",
    ]
    scores = []
    for folder, more in (("here", []), ("there", ["--scheduler", three.scheduler.address])):
        code, told, _ = run("compare", *words, "-o", tmp_path / folder, "--no-figures", *more)
        assert code == 0
        records = sorted((tmp_path / folder).rglob("*seed*.json"))
        scores.append([json.loads(path.read_text()).get("score") for path in records])
        assert json.loads(told)
    assert len(scores[0]) >= 8
    assert scores[0] == scores[1]

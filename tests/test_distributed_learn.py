"""Learning from a table in parts: one answer for all parts and workers, with families beyond the cache."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference.scoring as reference
import treebound
from clusters import assert_same_cache, chained, cluster_of, in_parts
from strategies_scoring import make_dataset, rows_of, small_datasets
from treebound import (
    Bdeu,
    BdeuPrior,
    Bic,
    Budget,
    CacheError,
    DataError,
    Exhaustive,
    MarginalPrior,
    MaximumLikelihood,
    ParentSetCache,
    PseudoCount,
    Structure,
    fit,
    learn,
    load,
    load_cache,
    load_network,
    load_structure,
    score,
)
from treebound.distributed import Cluster, PartitionedTable, _further, _islands
from treebound.distributed._further import FurtherFamilies, further_parents, neighbours, sharing_bags
from treebound.distributed._merge import enlarged
from treebound.solvers import KGreedy, search
from treebound.structure import check, check_tables, score_structure


@pytest.fixture(scope="module")
def one():
    with cluster_of(1) as client:
        yield client


@pytest.fixture(scope="module")
def two_by_address():
    with cluster_of(2, protocol="tcp://") as client:
        yield client


@pytest.fixture(scope="module")
def two():
    with cluster_of(2) as client:
        yield client


def wide_families(num_rows=2000, seed=0):
    """A table in which two columns have four parents each, all of which tell something."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (10, num_rows))
    for child, parents in ((4, [0, 1, 2, 3]), (9, [5, 6, 7, 8])):
        codes[child] = codes[parents].sum(axis=0) + (rng.random(num_rows) < 0.05) > 1
    return pd.DataFrame({f"v{v}": column for v, column in enumerate(codes)})


def families_of(structure):
    return list(enumerate(structure.parent_indices))


@pytest.mark.parametrize("local_score", [Bic(), Bdeu(2.0)], ids=lambda s: s.name)
def test_families_beyond_the_cache_are_counted_and_used(two, local_score):
    table = wide_families()
    parts = in_parts(table, [1, 700])
    options = {"parent_sets": Exhaustive(2), "score": local_score, "budget": None}
    scored = score(parts, where=Cluster(two), **options)
    result = learn(parts, 4, where=Cluster(two), score=scored, budget=Budget(steps=320))
    scored = score(table, **options).cache
    assert max(map(len, result.structure.parent_indices)) == 4
    assert any(scored.score_of(v, parents) is None for v, parents in families_of(result.structure))
    best_of_cache = search(scored, 4, budget=Budget(steps=500))
    assert result.score > best_of_cache.score + 1
    assert result.score >= learn(table, 4, score=local_score, budget=Budget(steps=100)).score - 1e-6
    assert result.verdict
    assert result.verdict.compared_with == ("table", "cache")
    num_further = result.cache.num_sets - scored.num_sets
    assert result.cache.coverage == replace(scored.coverage, num_further=num_further)
    counted = score_structure(result.structure, table, score=local_score)
    assert counted.local_scores == pytest.approx(result.structure.local_scores, rel=1e-12)


@settings(max_examples=5)
@given(
    num_rows=st.integers(20, 150),
    cuts=st.lists(st.integers(0, 150), max_size=4),
    seed=st.integers(0, 9),
    max_treewidth=st.integers(1, 4),
    local_score=st.sampled_from([Bic(), Bdeu(5.0)]),
)
def test_the_answer_is_the_same_for_any_parts_and_workers(
    one, two, num_rows, cuts, seed, max_treewidth, local_score
):
    columns = {f"v{v}": column for v, column in enumerate(chained(6, num_rows, 2, seed))}
    table = pd.DataFrame({**columns, "v1": np.array(["low", "high"])[columns["v1"]]})
    options = {
        "score": local_score,
        "budget": Budget(steps=80),
        "seed": seed,
    }
    sources = [(one, []), (one, [min(cut, num_rows) for cut in cuts]), (two, [0, 1, num_rows])]
    found = [
        learn(in_parts(table, parts), max_treewidth, where=Cluster(client), **options)
        for client, parts in sources
    ]
    for result in found:
        assert result.structure.parent_indices == found[0].structure.parent_indices
        assert result.score == found[0].score
        assert result.search.steps == found[0].search.steps
        assert_same_cache(result.cache, found[0].cache)
        assert result.verdict
        assert result.structure.treewidth <= max_treewidth
    counted = score_structure(found[0].structure, load(table), score=local_score)
    assert counted.score == pytest.approx(found[0].score)


def test_unequal_schemas_of_the_parts_change_nothing(two, tmp_path):
    table = wide_families(600)
    table["v0"] = table["v0"].astype(str)
    for number, rows in enumerate((slice(0, 300), slice(300, 300), slice(300, 301), slice(301, 600))):
        part = table.iloc[rows]
        if number == 3:  # columns in another order, and a wider type
            part = part[table.columns[::-1]].astype({"v3": "int32"})
        part.to_parquet(tmp_path / f"{number}.parquet", index=False)
    options = {"where": Cluster(two), "budget": Budget(steps=160)}
    from_files = learn(tmp_path, 3, **options)
    from_frame = learn(in_parts(table, [150]), 3, **options)
    assert from_files.structure.parent_indices == from_frame.structure.parent_indices
    assert_same_cache(from_files.cache, from_frame.cache)


def test_seconds_end_the_rounds(two):
    result = learn(
        in_parts(wide_families(), [900]),
        4,
        where=Cluster(two),
        budget=Budget(seconds=4, patience=None),
    )
    assert result.search.stopped in ("seconds", "optimal")
    assert max(map(len, result.structure.parent_indices)) > 2
    assert result.verdict


def test_a_search_goes_on_from_a_structure_and_its_cache(two):
    parts = in_parts(wide_families(), [900])
    scored = []
    first = learn(
        parts,
        4,
        where=Cluster(two),
        budget=Budget(steps=160),
        progress=treebound.Observer(checkpoint=scored.append),
    )
    more = learn(
        parts, 4, where=Cluster(two), budget=Budget(steps=160), score=scored[0], start=first.structure
    )
    assert more.scoring is None
    assert more.score >= first.score
    other = score(wide_families(seed=1), parent_sets=Exhaustive(1), budget=None).cache
    with pytest.raises(CacheError, match="other rows"):
        learn(parts, 4, where=Cluster(two), budget=Budget(steps=8), score=other)


def test_solvers_that_take_no_rows_search_the_sets_of_the_cache(two):
    result = learn(
        in_parts(wide_families(300), [90]), 3, where=Cluster(two), budget=Budget(steps=8), solver=KGreedy()
    )
    here = learn(wide_families(300), 3, budget=Budget(steps=8), solver=KGreedy())
    assert_same_cache(result.cache, here.cache)
    assert result.verdict.compared_with == ("table", "cache")


def test_ctrl_c_while_families_are_counted_keeps_the_best(two, monkeypatch):
    def interrupt(self, cache, structures, tick):
        raise KeyboardInterrupt

    monkeypatch.setattr(FurtherFamilies, "extend", interrupt)
    result = learn(in_parts(wide_families(300), []), 3, budget=Budget(steps=160), where=Cluster(two))
    assert result.was_interrupted
    assert result.verdict


def test_a_score_that_the_rows_do_not_give_is_refused():
    data = load(wide_families(200))
    cache = score(data, parent_sets=Exhaustive(2), budget=None).cache
    structure = search(cache, 2, budget=Budget(steps=10)).structure
    tables = [table_of(data, v, parents) for v, parents in families_of(structure)]
    assert check_tables(structure, tables, cache, 2)
    assert str(check_tables(structure, tables, cache, 2)) == str(check(structure, cache, 2, data=data))
    tables[0] = tables[0].copy()
    tables[0][0, 0] += 50
    assert "in the table" in str(check_tables(structure, tables, cache, 2))


def table_of(data, child, parents):
    """Counts of a family, row by row."""
    counts = Counter((tuple(row[p] for p in parents), row[child]) for row in rows_of(data))
    shape = [data.schema.cardinalities[p] for p in parents]
    states = data.schema.cardinalities[child]
    table = [[counts[tuple(map(int, joint)), s] for s in range(states)] for joint in np.ndindex(*shape)]
    return np.array(table, dtype=np.int64)


class Rows:
    """Rows in one place, in the place of those in parts."""

    def __init__(self, data, local_score):
        self.cardinalities = np.array(data.schema.cardinalities, dtype=np.uint32)
        self.data, self.local_score = data, local_score
        self.asked = []

    def family_scores(self, children, parents, tick):
        families = list(zip(children.tolist(), parents.tolist(), strict=True))
        self.asked += [(v, tuple(chosen)) for v, chosen in families]
        cards = self.data.schema.cardinalities
        return np.array([reference.bic(v, p, rows_of(self.data), cards) for v, p in families])


@given(data=small_datasets(max_variables=6), max_treewidth=st.integers(1, 4), seed=st.integers(0, 9))
def test_what_joins_the_cache_is_what_the_twin_says(data, max_treewidth, seed):
    cache = score(data, parent_sets=Exhaustive(1), budget=None).cache
    structure = search(cache, max_treewidth, budget=Budget(steps=5), seed=seed).structure
    rows = Rows(data, Bic())
    further = FurtherFamilies(rows, cache, max_treewidth, None)
    larger = further.extend(cache, [structure, structure], lambda: None)
    expected = {}
    for v, parents in families_of(structure):
        empty = reference.bic(v, (), rows_of(data), data.schema.cardinalities)
        for chosen in reference_neighbours(v, parents, data.num_variables):
            if 1 < len(chosen) <= max_treewidth:
                found = reference.bic(v, chosen, rows_of(data), data.schema.cardinalities)
                floor = max(structure.local_scores[v], empty)
                if found > (floor if len(chosen) >= len(parents) else empty) + 1e-9:
                    expected[v, chosen] = found
    for (v, chosen), found in expected.items():
        assert larger.score_of(v, chosen) == pytest.approx(found)
    assert larger.num_sets - cache.num_sets >= len(expected)
    assert len(rows.asked) == len(set(rows.asked))
    again = further.extend(larger, [structure], lambda: None)
    assert again is larger


def reference_neighbours(v, parents, num_variables):
    """All sets that differ from a set by one parent less, more or exchanged."""
    for size in range(num_variables):
        for chosen in combinations([u for u in range(num_variables) if u != v], size):
            gone, come = len(set(parents) - set(chosen)), len(set(chosen) - set(parents))
            if gone <= 1 and come <= 1 and gone + come:
                yield chosen


@given(data=small_datasets(max_variables=6))
def test_a_larger_cache_is_one_made_of_all_sets(data):
    small = score(data, parent_sets=Exhaustive(1), budget=None).cache
    large = score(data, parent_sets=Exhaustive(3), pruning=None, budget=None).cache
    missing = [
        (v, one)
        for v in range(len(large))
        for one in large[v]
        if small.score_of(v, one.parent_indices) is None
    ]
    owners = [v for v, _ in missing]
    found = enlarged(
        small, owners, [one.parent_indices for _, one in missing], [one.score for _, one in missing]
    )
    sets = {
        name: [(one.parents, one.score) for one in [*small[name], *(o for v, o in missing if v == index)]]
        for index, name in enumerate(small.names)
    }
    assert found.same_sets_as(ParentSetCache.from_sets(sets))


def test_further_parents_are_those_of_good_sets_and_of_shared_bags():
    cache = ParentSetCache.from_sets(
        {
            "a": [((), -5.0), (["c"], -1.0), (["b"], -2.0)],
            "b": [((), -1.0)],
            "c": [((), -1.0)],
            "d": [((), -1.0)],
        }
    )
    structure = Structure.from_parents([[3], [], [], []], names=cache.names)
    assert further_parents(cache, 0, sharing_bags(structure)[0]) == [2, 1, 3]
    assert list(neighbours((3,), [2], [1, 2, 3])) == [(), (2, 3), (2,), (1, 3)]


def test_a_round_counts_no_more_than_it_has_room_for(monkeypatch):
    data = make_dataset(chained(8, 200), [3] * 8)
    cache = score(data, parent_sets=Exhaustive(1), budget=None).cache
    structure = search(cache, 3, budget=Budget(steps=5)).structure
    every = FurtherFamilies(Rows(data, Bic()), cache, 3, None).wanted(cache, [structure])
    monkeypatch.setattr(_further, "_CELLS_PER_ROUND", 10 * 27)
    few = FurtherFamilies(Rows(data, Bic()), cache, 3, None).wanted(cache, [structure])
    assert 0 < len(few) <= 10 < len(every)
    assert set(few) < set(every)
    assert not FurtherFamilies(Rows(data, Bic()), cache, 3, 26).wanted(cache, [structure])


@pytest.mark.parametrize(
    "smoothing", [PseudoCount(0.5), BdeuPrior(), MarginalPrior(), MaximumLikelihood()], ids=str
)
@pytest.mark.parametrize("cuts", [[], [0, 1, 150, 150]], ids=["whole", "odd"])
def test_tables_are_those_of_all_rows(two, smoothing, cuts):
    table = wide_families(300)
    structure = learn(table, 3, budget=Budget(steps=20)).structure
    alone = fit(structure, table, smoothing=smoothing)
    assert Cluster(two).fit(structure, in_parts(table, cuts), smoothing=smoothing) == alone


def test_a_network_is_fitted_by_names_and_to_rows_that_were_read_before(two, tmp_path):
    table = wide_families(300).astype({"v2": "float64"})
    parents = {"v4": ["v3", "v0"], "v0": [], "v3": ["v0"]}
    whole = table.assign(v2=0.0)
    alone = fit(parents, whole)
    assert Cluster(two).fit(parents, in_parts(whole, [7])) == alone
    assert Cluster(two).fit(alone, in_parts(whole, [7])).num_parameters == alone.num_parameters
    table.loc[[3, 200], "v2"] = np.nan
    with Cluster(two) as cluster:
        rows = cluster.load(in_parts(table, [100, 101]), missing="drop")
        learned = learn(rows, 2, where=cluster, budget=Budget(steps=40))
        assert learned.network == fit(learned, table.dropna())
    assert Cluster(two).fit(learned, rows) == fit(learned, table.dropna())
    assert Cluster(two).fit(learned, in_parts(table, [5]), missing="drop") == fit(learned, table.dropna())


def test_rows_that_do_not_fit_the_structure_are_refused(two):
    table = wide_families(60)
    structure = learn(table, 2, budget=Budget(steps=5)).structure
    with pytest.raises(TypeError, match=r"for a table that is here there is treebound\.fit"):
        Cluster(two).fit(structure, table)
    with pytest.raises(DataError, match="'v3'"):
        Cluster(two).fit(structure, in_parts(table.drop(columns="v3"), [9]))
    with pytest.raises(DataError, match="'w'"):
        Cluster(two).fit({"w": []}, in_parts(table, [9]))
    with pytest.raises(DataError, match="no rows"):
        Cluster(two).fit(structure, in_parts(table.iloc[:0], []))
    rows = PartitionedTable.of(two, in_parts(table.assign(v3=5), []), {})
    with pytest.raises(ValueError, match="read with other columns, states or bins"):
        Cluster(two).fit(structure, rows)
    with pytest.raises(ValueError, match="missing applies only to tables that are yet to be read"):
        Cluster(two).fit(structure, rows, missing="drop")


def test_the_command_learns_a_network_from_a_folder(two_by_address, run, tmp_path):
    table, folder = wide_families(300), tmp_path / "rows"
    folder.mkdir()
    for number in range(3):
        table.iloc[number * 100 : number * 100 + 100].to_parquet(folder / f"{number}.parquet", index=False)
    there = ["--scheduler", two_by_address.scheduler.address]
    out = tmp_path / "network.json"
    words = ["learn", folder, "-k", 3, "--steps", 160, "-o", out, "--cache", tmp_path / "c.tbc", *there]
    code, told, _ = run(*words, "--json")
    assert code == 0
    told = json.loads(told)
    assert told["compared_with"] == ["table", "cache"]
    assert told["preparation"] is not None
    network = load_network(out)
    assert told["parameters"] == network.num_parameters
    assert network == fit(load_structure(out), table)
    assert load_structure(out).score == pytest.approx(score_structure(load_structure(out), table).score)
    assert_same_cache(
        load_cache(tmp_path / "c.tbc"), score(table, parent_sets=Exhaustive(3), budget=None).cache
    )
    code, again, _ = run(*words, "--json", "--resume")
    assert code == 0
    assert json.loads(again)["score"] >= told["score"]
    assert run("learn", folder, "-k", 2, "--steps", 40, "-o", tmp_path / "s.res", "-q", *there)[0] == 0


def test_rounds_with_further_families_fit_into_the_steps(two, monkeypatch):
    monkeypatch.setattr(_islands, "NUM_ROUNDS", 3)
    result = learn(in_parts(wide_families(300), []), 3, budget=Budget(steps=50), where=Cluster(two))
    assert result.search.steps <= 50


def test_here_and_there_have_the_same_defaults_checks_and_results(two):
    """The recipe is one: for a table here, for the same in parts, and on a cluster."""
    table = wide_families(500)
    options = {"budget": Budget(steps=400), "seed": 3}
    here = learn(table, 3, **options)
    for source in (table, in_parts(table, [200])):
        there = learn(source, 3, where=Cluster(two), **options)
        assert_same_cache(there.cache, here.cache)
        assert there.structure.parents == here.structure.parents
        assert there.score == here.score
        assert there.limits == here.limits
        assert there.verdict.compared_with == here.verdict.compared_with
        assert there.network == here.network
    without_limit = learn(table, where=Cluster(two), budget=Budget(steps=8))
    assert without_limit.limits == learn(table, budget=Budget(steps=8)).limits
    assert_same_cache(without_limit.cache, learn(table, budget=Budget(steps=8)).cache)


@pytest.mark.parametrize("source", ["table", "parts"])
def test_the_search_on_a_cluster_leaves_time_for_the_check(two, monkeypatch, source):
    given = []

    def run(self):
        given.append(self.budget.seconds)
        self.budget = Budget(steps=8)
        return searched(self)

    searched = _islands.Islands.run
    monkeypatch.setattr(_islands.Islands, "run", run)
    monkeypatch.setattr(Cluster, "check_seconds", lambda *_: 300.0)
    table = wide_families(300) if source == "table" else in_parts(wide_families(300), [9])
    assert learn(table, 2, where=Cluster(two), budget=1000).verdict
    assert 400 <= given[0] <= 700


def test_the_network_of_a_closed_cluster_is_fitted_to_the_parts_read_again(two_by_address):
    table = wide_families(300)
    parts = in_parts(table, [100])
    result = learn(parts, 2, where=Cluster(two_by_address.scheduler.address), budget=Budget(steps=20))
    assert result.network == fit(result, table)


def test_a_cluster_is_open_inside_with_alone(two):
    cluster = Cluster(two)
    with pytest.raises(RuntimeError, match="inside `with"):
        cluster.client  # noqa: B018
    with cluster, cluster:
        assert cluster.client is two
    with pytest.raises(RuntimeError, match="inside `with"):
        cluster.load(in_parts(wide_families(20), []))

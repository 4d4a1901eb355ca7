"""Scoring by rows: the schema, fingerprint and cache of a table in parts are those of the whole table."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters import assert_same_cache, chained, cluster_of, in_parts
from strategies_scoring import small_datasets
from treebound import Bdeu, Bic, Budget, DataError, Exhaustive, Independence, load, score
from treebound.distributed import Cluster, PartitionedTable, _by_rows, _counting, _row_counts
from treebound.distributed._client import ClusterError
from treebound.distributed._counting import EncodedPart
from treebound.distributed._packed import PackedRows
from treebound.distributed._row_counts import RowCounts
from treebound.tables import Choices, _summary, choices_of, open_table, schema_of, summarise


@pytest.fixture(scope="module", params=[1, 2, 4])
def client(request):
    with cluster_of(request.param) as client:
        yield client


@pytest.fixture(scope="module")
def two():
    with cluster_of(2) as client:
        yield client


def frame(num_variables=7, num_rows=500, seed=0):
    codes = chained(num_variables, num_rows, seed=seed)
    columns = {f"v{v}": column for v, column in enumerate(codes)}
    columns["v1"] = np.array(["low", "middle", "high"])[codes[1]]
    columns["v2"] = codes[2] > 0
    return pd.DataFrame(columns)


@pytest.mark.parametrize("local_score", [Bic(), Bdeu(2.0)], ids=lambda s: s.name)
@pytest.mark.parametrize("cuts", [[], [1], [0, 250, 250, 499]], ids=str)
def test_the_cache_is_that_of_one_process(client, local_score, cuts):
    table, sets = frame(), Exhaustive(3)
    alone = score(table, parent_sets=sets, score=local_score, budget=None)
    together = score(
        in_parts(table, cuts), where=Cluster(client), parent_sets=sets, score=local_score, budget=None
    )
    assert_same_cache(alone.cache, together.cache)
    for name in ("sets_scored", "pruned", "implied", "stopped", "rows"):
        assert getattr(alone.report, name) == getattr(together.report, name), name


@settings(max_examples=12)
@given(
    num_rows=st.integers(2, 60),
    cuts=st.lists(st.integers(0, 60), max_size=4),
    max_parents=st.integers(0, 3),
    steps=st.none() | st.integers(1, 500),
    seed=st.integers(0, 9),
)
def test_odd_partitions_change_nothing(two, num_rows, cuts, max_parents, steps, seed):
    table = frame(5, num_rows, seed)
    options = {
        "parent_sets": Exhaustive(max_parents),
        "budget": None if steps is None else Budget(steps=steps),
    }
    cuts = [min(cut, num_rows) for cut in cuts]
    assert_same_cache(
        score(table, **options).cache, score(in_parts(table, cuts), where=Cluster(two), **options).cache
    )


def test_small_batches_and_blocks_change_nothing(two, monkeypatch):
    monkeypatch.setattr(_row_counts, "CELLS_PER_BATCH", 50)
    monkeypatch.setattr(_by_rows, "_FAMILIES_AT_ONCE", 60)
    table, kept = frame(), []
    options = {"parent_sets": Exhaustive(2), "budget": None}
    whole = score(in_parts(table, [200]), where=Cluster(two), checkpoint=kept.append, **options)
    assert_same_cache(score(table, **options).cache, whole.cache)
    assert len(kept) > 2
    assert not kept[0].is_complete
    assert kept[-1].is_complete
    again = score(in_parts(table, [300]), where=Cluster(two), resume=kept[0], **options)
    assert_same_cache(again.cache, whole.cache)


@settings(max_examples=20)
@given(
    data=small_datasets(),
    cuts=st.lists(st.integers(0, 30), max_size=2),
    cells=st.sampled_from([1, 7, 1 << 21]),
    seed=st.integers(0, 99),
)
def test_tables_are_counted_row_by_row_in_one_pass(two, data, cuts, cells, seed):
    """Their slow twin walks over the rows; without room each pass lays out every part again."""
    rng, cards = np.random.default_rng(seed), data.schema.cardinalities
    others = [np.setdiff1d(np.arange(data.num_variables), [v]) for v in range(data.num_variables)]
    parents = [rng.permutation(some)[: rng.integers(0, 4)].tolist() for some in others]
    edges = [0, *sorted(min(cut, data.num_rows) for cut in cuts), data.num_rows]
    laid_out, lay_out = [], PackedRows.in_core
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_row_counts, "CELLS_PER_BATCH", cells)
        patch.setattr(_counting, "has_room", lambda num_bytes, share: False)
        patch.setattr(PackedRows, "in_core", lambda rows, how: laid_out.append(1) or lay_out(rows, how))
        parts = [
            two.scatter(EncodedPart(number, PackedRows.of(data.codes[:, a:b], cards), None), hash=False)
            for number, (a, b) in enumerate(pairwise(edges))
        ]
        with two.as_current():
            found = RowCounts(two, parts, data.schema).tables(parents, lambda: None)
    for v, table in enumerate(found):
        expected = np.zeros([*(cards[p] for p in parents[v]), cards[v]], dtype=np.int64)
        for row in data.codes.T.tolist():
            expected[(*(row[p] for p in parents[v]), row[v])] += 1
        assert np.array_equal(table, expected.reshape(-1, cards[v]))
    if cells == 1 << 21:
        assert len(laid_out) == np.count_nonzero(np.diff(edges))


def test_more_rows_than_a_block_of_the_fingerprint(two):
    table = frame(3, 10_000)
    options = {"parent_sets": Exhaustive(1), "budget": None}
    for cuts in ([4096], [1, 4095, 4097, 8192], [5000, 5001, 9999]):
        assert_same_cache(
            score(table, **options).cache,
            score(in_parts(table, cuts), where=Cluster(two), **options).cache,
        )


def test_a_folder_of_parquet_files(two, tmp_path):
    table = frame()
    for number, (a, b) in enumerate([(0, 10), (10, 10), (10, 350), (350, 500)]):
        table.iloc[a:b].to_parquet(tmp_path / f"part{number}.parquet", index=False, row_group_size=100)
    options = {"parent_sets": Exhaustive(2), "budget": None}
    assert_same_cache(score(table, **options).cache, score(tmp_path, where=Cluster(two), **options).cache)


def test_a_file_that_is_gone_is_named_with_its_host(two, tmp_path):
    with pytest.raises(ClusterError, match=r"nowhere is not there on \S+; every worker"):
        two.submit(_sources_list, str(tmp_path / "nowhere"), pure=False).result()
    with pytest.raises(ValueError, match=r"expected a folder of Parquet files, found none"):
        score(tmp_path, where=Cluster(two))


def _sources_list(folder):
    from treebound.distributed._sources import list_parts

    return list_parts(folder)


UNEQUAL = {
    "states in one part only": [{"a": ["x", "y"], "b": [1, 2]}, {"a": ["z", "x"], "b": [2, 7]}],
    "whole and real numbers": [{"a": ["x", "y"], "b": [1, 2]}, {"a": ["y", "x"], "b": [2.0, 1.0]}],
    "columns in another order": [{"a": ["x", "y"], "b": [1, 2]}, {"b": [1, 2], "a": ["y", "x"]}],
    "other categories": [
        {"a": pd.Categorical(["x", "y"], ["y", "x", "w"]), "b": [1, 2]},
        {"a": pd.Categorical(["z", "x"], ["z", "x"]), "b": [1, 2]},
    ],
    "the same categories": [
        {"a": pd.Categorical(["x", "y"], ["y", "x", "w"], ordered=True), "b": [1, 2]},
        {"a": pd.Categorical(["y", "y"], ["y", "x", "w"], ordered=True), "b": [1, 2]},
    ],
    "truth and text": [{"a": [True, False], "b": [1, 2]}, {"a": ["x", "y"], "b": [1, 2]}],
}


@pytest.mark.parametrize("parts", UNEQUAL.values(), ids=UNEQUAL)
def test_unequal_schemas_give_that_of_all_rows(parts):
    frames = [pd.DataFrame(part) for part in parts]
    choices = choices_of({"discretise": {"b": None}})
    total = summarise(open_table(frames[0]), choices)
    for more in frames[1:]:
        total = total.plus(summarise(open_table(more), choices))
    whole = pd.concat(frames, ignore_index=True)
    assert schema_of(total, choices, "parts") == load(whole, discretise={"b": None}).schema


@given(
    values=st.lists(
        st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([0.5, 1.5, 2.0])), min_size=4, max_size=40
    ),
    cuts=st.lists(st.integers(0, 40), max_size=3),
    rule=st.sampled_from([None, "quantile:2", "quantile:3", "width:3", "median", "mdl"]),
    missing=st.sampled_from(["error", "drop"]),
)
def test_bins_missing_values_and_errors_are_those_of_the_whole(values, cuts, rule, missing):
    table = pd.DataFrame({"x": pd.Series(values, dtype="float64"), "y": [v % 2 for v in range(len(values))]})
    options = {"missing": missing} | ({} if rule is None else {"discretise": rule})
    choices = choices_of(options)
    edges = [0, *sorted(min(cut, len(table)) for cut in cuts), len(table)]
    parts = [table.iloc[a:b] for a, b in pairwise(edges)]
    total = summarise(open_table(parts[0]), choices)
    for part in parts[1:]:
        total = total.plus(summarise(open_table(part), choices))
    try:
        expected = load(table, **options).schema
    except DataError as error:
        with pytest.raises(DataError) as found:
            schema_of(total, choices, "parts")
        if missing == "error":
            kinds = [problem.kind for problem in error.problems]
            assert [problem.kind for problem in found.value.problems] == kinds
    else:
        assert schema_of(total, choices, "parts") == expected


def test_a_column_of_very_many_numbers_has_about_the_same_bins(monkeypatch):
    monkeypatch.setattr(_summary, "MAX_DISTINCT", 1000)
    numbers = np.random.default_rng(0).normal(size=20_000)
    choices = Choices(discretise="quantile:4")
    parts = [open_table(pd.DataFrame({"x": part})) for part in np.split(numbers, 5)]
    total = summarise(parts[0], choices)
    for part in parts[1:]:
        total = total.plus(summarise(part, choices))
    assert len(total.columns[0].values) <= 1001
    assert sum(total.columns[0].counts) == 20_000
    edges = np.array(schema_of(total, choices, "parts")["x"].edges)
    below = [(numbers < edge).mean() for edge in edges[1:-1]]
    assert below == pytest.approx([0.25, 0.5, 0.75], abs=0.02)


def test_rows_that_lack_values_are_left_out_in_every_part(two):
    table = frame().astype({"v0": "float64"})
    table.loc[[0, 7, 300], "v0"] = np.nan
    table.loc[7, "v1"] = "rare"  # a state of no complete row
    options = {"parent_sets": Exhaustive(2), "budget": None}
    alone = score(load(table, missing="drop"), **options)
    with Cluster(two) as cluster:
        rows = cluster.load(in_parts(table, [5, 9]), missing="drop")
        together = score(rows, where=cluster, **options)
    assert_same_cache(alone.cache, together.cache)
    with pytest.raises(DataError, match="3 values, first in row 1"):
        score(in_parts(table, [5, 9]), where=Cluster(two), **options)


def test_what_needs_all_rows_in_one_place_is_refused(two):
    parts = in_parts(frame(), [10])
    with pytest.raises(ValueError, match="scored exhaustively"):
        score(parts, where=Cluster(two), parent_sets=Independence())
    with Cluster(two) as cluster, pytest.raises(ValueError, match="auto looks at all rows"):
        cluster.open(parts, auto=True)
    with Cluster(two) as cluster, pytest.raises(ValueError, match="supervised bins"):
        cluster.open(parts, discretise="supervised:v1")
    wide = pd.DataFrame({f"w{i}": np.arange(300) % 200 for i in range(4)})
    with pytest.raises(ValueError, match="joint states, more than"):
        score(in_parts(wide, [9]), where=Cluster(two), parent_sets=Exhaustive(3), pruning=None, budget=None)


def test_parts_without_a_column_are_named():
    one, other = (open_table(pd.DataFrame(part)) for part in ({"a": [1, 2], "b": [1, 2]}, {"a": [1, 2]}))
    with pytest.raises(DataError, match="'b'"):
        summarise(one, Choices()).plus(summarise(other, Choices()))


def test_time_ends_the_counting(two):
    result = score(in_parts(frame(), [99]), where=Cluster(two), budget=Budget(seconds=0))
    assert result.report.stopped == "seconds"
    assert result.cache.variables_without_empty_set == ()


def test_the_parts_of_a_frame_are_sent_in_one_graph(two, monkeypatch):
    sent, compute = [], two.compute
    monkeypatch.setattr(
        two, "compute", lambda parts, **options: sent.append(parts) or compute(parts, **options)
    )
    table = frame()
    found = PartitionedTable.of(two, in_parts(table, range(50, 500, 50)), {})
    assert found.schema == load(table).schema
    assert [len(parts) for parts in sent] == [10, 10]  # once for the schema, once for the codes

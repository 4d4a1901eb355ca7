"""Scoring by variable on a cluster: the cache of one machine, whatever the number of workers."""

from __future__ import annotations

import dataclasses
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters import assert_same_cache, chained, cluster_of
from strategies_scoring import make_dataset, small_datasets
from treebound import Bdeu, Bic, Budget, CacheError, Exhaustive, Independence, load_cache, save_cache, score
from treebound.distributed import Cluster, _by_variable, _pairs
from treebound.distributed._merge import merged, part_of
from treebound.distributed._packed import PackedRows
from treebound.distributed._shards import score_shard
from treebound.distributed._sizes import ShardSizes

METHODS = [Exhaustive(2), Independence(4)]


@pytest.fixture(scope="module", params=[1, 2, 4])
def client(request):
    with cluster_of(request.param) as client:
        yield client


@pytest.fixture(scope="module")
def two():
    with cluster_of(2) as client:
        yield client


def dataset(num_variables=12):
    return make_dataset(chained(num_variables), [3] * num_variables)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
@pytest.mark.parametrize("steps", [1, 700, 5000, None])
def test_the_cache_is_that_of_one_process(client, method, steps):
    data, budget = dataset(), None if steps is None else Budget(steps=steps)
    alone = score(data, parent_sets=method, budget=budget)
    together = score(data, where=Cluster(client), parent_sets=method, budget=budget)
    assert_same_cache(alone.cache, together.cache)
    for name in ("sets_scored", "pruned", "implied", "stopped", "variables_finished"):
        assert getattr(alone.report, name) == getattr(together.report, name), name


@settings(max_examples=15)
@given(
    data=small_datasets(),
    method=st.sampled_from(METHODS),
    local_score=st.sampled_from([Bic(), Bdeu(3.0)]),
    steps=st.none() | st.integers(1, 300),
)
def test_the_cache_of_any_small_table_is_that_of_one_process(two, data, method, local_score, steps):
    budget = None if steps is None else Budget(steps=steps)
    options = {"parent_sets": method, "score": local_score, "budget": budget}
    assert_same_cache(score(data, **options).cache, score(data, where=Cluster(two), **options).cache)


@pytest.mark.parametrize("local_score", [Bic(), Bdeu(2.0)], ids=lambda s: s.name)
def test_pairs_that_are_counted_together_change_nothing(two, local_score, monkeypatch):
    monkeypatch.setattr(_pairs, "WORTH_SHARING", 0)
    options = {"score": local_score, "budget": Budget(steps=3000)}
    assert_same_cache(
        score(dataset(), **options).cache, score(dataset(), where=Cluster(two), **options).cache
    )


def test_a_file_on_a_cluster_is_the_same_file(two, tmp_path):
    save_cache(score(dataset(), budget=Budget(steps=2000)).cache, tmp_path / "one.tbc")
    save_cache(score(dataset(), where=Cluster(two), budget=Budget(steps=2000)).cache, tmp_path / "two.tbc")
    assert (tmp_path / "one.tbc").read_bytes() == (tmp_path / "two.tbc").read_bytes()


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_seconds_end_the_work(two, method):
    result = score(dataset(), where=Cluster(two), parent_sets=method, budget=Budget(seconds=0.01))
    assert result.cache.variables_without_empty_set == ()
    assert result.report.stopped in ("seconds", "finished")


def test_progress_counts_all_variables(two):
    seen = []
    score(dataset(), where=Cluster(two), budget=None, parent_sets=Exhaustive(4), progress=seen.append)
    assert all(now.total == 12 and now.phase == "scoring" for now in seen)


class Interrupt:
    """A progress callback that plays Ctrl-C."""

    def __init__(self, after):
        self.left = after

    def __call__(self, progress):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("method", [Exhaustive(4), Independence(6)], ids=lambda method: method.name)
def test_ctrl_c_keeps_what_there_is_and_the_run_goes_on_later(two, method, tmp_path):
    data = make_dataset(chained(40, 2000), [3] * 40)
    cut = score(
        data, where=Cluster(two), parent_sets=method, budget=Budget(seconds=60), progress=Interrupt(2)
    )
    assert cut.report.stopped == "interrupted"
    assert not cut.cache.is_complete
    assert cut.cache.variables_without_empty_set == ()
    save_cache(cut.cache, tmp_path / "cut.tbc")
    again = load_cache(tmp_path / "cut.tbc")
    more = score(data, where=Cluster(two), parent_sets=method, budget=Budget(seconds=0.5), resume=again)
    assert more.report.sum_of_best >= cut.report.sum_of_best
    assert (more.cache.complete >= cut.cache.complete).all()


def test_a_finished_part_is_not_scored_again(two):
    data, method = dataset(), Exhaustive(3)
    whole = score(data, parent_sets=method, budget=None).cache
    half = dataclasses.replace(whole, complete=np.arange(12) % 2 == 0)
    result = score(data, where=Cluster(two), parent_sets=method, budget=None, resume=half)
    assert_same_cache(result.cache, whole)
    with pytest.raises(CacheError, match="The cache to resume has"):
        score(data, where=Cluster(two), parent_sets=Exhaustive(2), budget=None, resume=half)


@given(data=small_datasets(max_states=20), wide=st.booleans())
def test_packed_rows_come_back(data, wide):
    cards = [300 if wide and v == 0 else card for v, card in enumerate(data.schema.cardinalities)]
    packed = PackedRows.of(data.codes, cards)
    assert np.array_equal(packed.codes(), data.codes)
    assert packed.nbytes <= data.codes.nbytes * (2 if wide else 1) + len(cards)


@given(data=small_datasets(), seed=st.integers(0, 99))
def test_parts_of_a_cache_make_it_again(data, seed):
    cache = score(data, budget=None, parent_sets=Exhaustive(2)).cache
    owner = np.random.default_rng(seed).integers(0, 3, data.num_variables)
    parts = [part_of(cache, np.flatnonzero(owner == i).astype(np.uint32)) for i in (2, 0, 1)]
    for name, array in merged(parts).items():
        assert np.array_equal(array, getattr(cache, name)), name


def _swapped(array):
    return array[[1, 0, *range(2, len(array))]]


BROKEN = {
    "best first": lambda part: part._replace(scores=_swapped(part.scores)),
    "finite score": lambda part: part._replace(scores=part.scores * np.inf),
    "indexes of variables": lambda part: part._replace(parents=part.parents + 12),
    "its own parent": lambda part: part._replace(parents=np.full_like(part.parents, part.variables[0])),
    "run from 0 to the number of sets": lambda part: part._replace(num_sets=part.num_sets + 1),
    "run from 0 to the number of parents": lambda part: part._replace(parents=part.parents[:-1]),
    "parent_offsets needs": lambda part: part._replace(sizes=part.sizes[:-1]),
    r"have \(\d, \d, \d\) variables": lambda part: part._replace(complete=part.complete[:-1]),
}


@pytest.mark.parametrize("words", BROKEN)
def test_a_part_that_breaks_a_promise_is_refused(two, words, monkeypatch):
    def broken(rows, pairs, method, shard):
        result = score_shard(rows, pairs, method, shard)
        return result if shard.number != 1 else dataclasses.replace(result, part=BROKEN[words](result.part))

    monkeypatch.setattr(_by_variable, "score_shard", broken)
    with pytest.raises(CacheError, match=words):
        score(dataset(), where=Cluster(two), parent_sets=Exhaustive(2), budget=None)


@given(data=small_datasets(), seed=st.integers(0, 99))
def test_parts_of_a_right_cache_are_right(data, seed):
    cache = score(data, budget=None, parent_sets=Exhaustive(2)).cache
    chosen = np.random.default_rng(seed).integers(0, 2, data.num_variables)
    part_of(cache, np.flatnonzero(chosen).astype(np.uint32)).check(cache.names)


@given(
    num_variables=st.integers(1, 500),
    num_threads=st.integers(1, 20),
    seconds=st.lists(st.floats(0, 100), min_size=1),
)
def test_shards_cover_all_variables_whatever_they_cost(num_variables, num_threads, seconds):
    sizes, total = ShardSizes(num_variables, num_threads), 0
    for cost in cycle(seconds):
        if total == num_variables:
            break
        size = sizes.next()
        assert size >= 1
        total += size
        sizes.measure(size, cost, 0)
    assert total == num_variables


@pytest.mark.parametrize(("megabytes_each", "most"), [(1, 4), (100, 1), (0.01, 25)])
def test_a_shard_brings_a_few_megabytes_at_most(megabytes_each, most):
    sizes = ShardSizes(100, 2)
    first = sizes.next()
    sizes.measure(first, 1.0, int(first * megabytes_each * 2**20))
    assert sizes.next() == most

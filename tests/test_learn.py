"""The whole chain, from tables and caches to checked structures."""

from __future__ import annotations

import pytest

import treebound
from strategies_scoring import make_dataset
from treebound import Bdeu, Budget, Independence, KMax, learn, random_network
from treebound.search import StopReason, search
from treebound.structure import check_seconds

pytestmark = pytest.mark.core


@pytest.fixture(scope="module")
def table():
    return random_network(25, max_treewidth=2, seed=3).sample(800, 3)


def test_a_table_becomes_a_checked_structure_within_the_bound(table):
    result = learn(table, 2, budget=Budget(steps=8), seed=1)
    assert result.verdict
    assert result.structure.treewidth <= 2
    assert result.structure.names == table.schema.names
    assert result.scoring is not None
    empty = sum(result.cache[v][-1].score for v in range(25) if result.cache[v][-1].parent_indices == ())
    assert result.score > empty


def test_a_result_is_printed_on_one_line(table):
    result = learn(table, 2, budget=Budget(steps=8), seed=1)
    assert f"25 variables, {result.structure.num_arcs} arcs" in str(result)
    assert f"score {result.score:.4f}; regrow, {result.search.steps} steps in " in repr(result)
    assert "; checked; " in repr(result)
    assert repr(result.search).startswith("<SearchResult: 25 variables")
    assert max(map(len, (repr(result), repr(result.search)))) < 200


def test_equal_seed_and_steps_give_equal_structures(table):
    runs = [learn(table, 3, budget=Budget(steps=8), seed=5, threads=threads) for threads in (1, 2)]
    assert runs[0].structure.parent_indices == runs[1].structure.parent_indices
    assert runs[0].score == runs[1].score


def test_seconds_cover_all_phases(table):
    result = learn(table, 2, budget=Budget(seconds=1.0))
    assert result.scoring is not None
    assert result.scoring.seconds + result.search.seconds <= result.seconds
    assert result.verdict


@pytest.mark.parametrize(
    ("checking", "least", "most"), [(0.0, 400, 1000), (300.0, 100, 700), (5000.0, 100, 500)]
)
def test_the_search_leaves_time_for_the_check_and_keeps_half(table, monkeypatch, checking, least, most):
    given = []

    def quick_search(*arguments, budget, **options):
        given.append(budget)
        return search(*arguments, budget=Budget(steps=1), **options)

    monkeypatch.setattr("treebound._learn.check_seconds", lambda *_: checking)
    monkeypatch.setattr("treebound._learn.search", quick_search)
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    assert learn(table, 2, cache=cache, budget=Budget(seconds=1000, patience=0.5)).verdict
    learn(table, 2, cache=cache, budget=Budget(steps=7))
    assert least <= given[0].seconds <= most
    assert given[0].patience == 0.5
    assert given[1] == Budget(steps=7)


def test_all_sets_are_scored_where_they_are_few():
    data = random_network(8, seed=1).sample(200, 1)
    few, many = learn(data, 3, budget=Budget(steps=1)), learn(data, 1, budget=Budget(steps=1))
    assert few.cache.options["parent_sets"] == many.cache.options["parent_sets"] == "exhaustive"
    assert (few.cache.options["max_parents"], many.cache.options["max_parents"]) == (3, 1)
    wide = random_network(60, seed=1).sample(50, 1)
    assert learn(wide, 3, budget=Budget(steps=1)).cache.options["parent_sets"] == "independence"


@pytest.mark.parametrize(
    ("budget", "is_complete"),
    [(Budget(seconds=60), True), (Budget(seconds=0.01), False), (Budget(steps=1_000), False)],
)
def test_more_sets_are_scored_where_the_seconds_allow_it(budget, is_complete):
    data = random_network(14, max_treewidth=2, seed=1).sample(1_000, 1)
    estimate = treebound.estimate_memory(data, 6, budget=budget)
    assert (estimate.num_sets > 14 * 2_000) == is_complete


def test_the_seconds_of_a_check_are_estimated(table):
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    assert check_seconds(25, cache, table) > 0
    assert check_seconds(25, cache, None) > 0
    assert check_seconds(1, None, make_dataset([[0, 1]], [2])) > 0


def test_a_cache_is_searched_as_it_is(table):
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    result = learn(cache, 2, solver=KMax(), budget=Budget(steps=20))
    assert result.scoring is None
    assert result.cache is cache
    assert result.verdict


def test_a_search_goes_on_from_its_structure_and_never_gets_worse(table):
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    first = learn(cache, 2, budget=Budget(steps=4))
    unbeaten = learn(cache, 2, budget=Budget(steps=1), start=first.structure)
    longer = learn(cache, 2, budget=Budget(steps=10), start=first.structure)
    assert unbeaten.score >= first.score
    assert longer.score >= first.score
    steps = first.search.steps
    assert longer.structure.provenance["steps"] in (steps, steps + longer.search.steps)
    with pytest.raises(ValueError, match="does not hold for this cache"):
        learn(cache, 0, budget=Budget(steps=1), start=first.structure)


def test_every_improvement_seen_is_a_valid_structure(table):
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    seen = []
    result = learn(cache, 2, budget=Budget(seconds=0.6), on_improvement=seen.append)
    assert all(treebound.check(structure, cache, 2) for structure in seen)
    scores = [structure.score for structure in seen]
    assert scores == sorted(scores)
    assert not scores or scores[-1] <= result.score


@pytest.mark.parametrize("phase", ["scoring", "search"])
def test_an_interrupt_in_either_phase_still_gives_a_structure(phase):
    # Up to six parents of eighty variables: neither phase could end before the first report.
    table = random_network(80, seed=3).sample(1000, 3)

    def interrupt(progress):
        if progress.phase == phase:
            raise KeyboardInterrupt

    result = learn(table, 6, parent_sets=Independence(), budget=Budget(seconds=20), progress=interrupt)
    assert result.was_interrupted
    assert result.search.stopped is StopReason.INTERRUPTED
    assert result.verdict


def test_bound_zero_gives_the_empty_graph(table):
    result = learn(table, 0, budget=Budget(steps=1))
    assert result.structure.num_arcs == 0
    assert result.verdict


@pytest.mark.parametrize("max_treewidth", [0, 1, 7])
def test_one_variable(max_treewidth):
    data = make_dataset([[0, 1, 0, 0]], [2])
    assert learn(data, max_treewidth, budget=Budget(steps=1)).verdict


def test_a_negative_bound_is_refused(table):
    with pytest.raises(ValueError, match="max_treewidth must be at least 0, got -1"):
        learn(table, -1)


def test_a_whole_number_is_a_sample_size_too():
    table = random_network(6, seed=1).sample(100, 1)
    assert Bdeu(2) == Bdeu(2.0)
    result = learn(table, 2, score=Bdeu(2), budget=Budget(steps=3))
    assert "scores recounted from the table" in str(result.verdict)


def test_only_what_the_solver_reads_is_scored_unless_the_cache_is_kept():
    table = random_network(60, max_treewidth=2, seed=3).sample(300, 3)
    kept = []
    steps = Budget(steps=2)
    assert learn(table, 3, budget=steps).cache.max_parents == 1
    assert learn(table, 3, budget=steps, solver=KMax()).cache.max_parents > 1
    assert learn(table, 3, budget=steps, solver=treebound.HcEt()).cache.max_parents == 0
    learn(table, 3, budget=steps, on_scored=kept.append)
    assert kept[0].max_parents > 1


def test_what_auto_did_is_told_and_done_again():
    table = {"key": [f"k{i}" for i in range(40)], "a": ["x", "y"] * 20, "b": ["?", *"uv" * 19, "u"]}
    result = learn(table, 1, auto=True, budget=Budget(steps=2))
    assert result.preparation.rows_dropped == 1
    assert "columns left out: 1, rows left out: 1" in repr(result)
    assert "rows left out: 1" in result._repr_html_()
    network = treebound.fit(result, table)
    assert network.provenance["rows"] == 39
    with pytest.raises(treebound.DataError, match="missing values"):
        treebound.fit({"a": [], "b": []}, table | {"b": [None, *"uv" * 19, "u"]})
    assert "left out" not in repr(learn({"a": ["x", "y"] * 20}, 0, budget=Budget(steps=2)))

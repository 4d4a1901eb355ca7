"""The whole chain, from tables and caches to checked structures."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest

import treebound
from strategies_scoring import make_dataset
from treebound import Bdeu, Budget, Local, Observer, learn, random_network
from treebound.learning import Here, Limits, Recipe, Schedule, Wanted
from treebound.solvers import KMax, StopReason, search
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
    assert f"25 variables, {result.structure.num_arcs} arcs" in repr(result)
    assert f"score {result.score:.4f}; regrow, 1 step in " in repr(result)
    assert "; limits: treewidth 2; checked; " in repr(result)
    assert repr(result.search).startswith("<SearchResult: 25 variables")
    assert max(map(len, (repr(result), repr(result.search)))) < 200


def test_a_result_prints_its_facts_line_by_line(table):
    result = learn(table, 2, budget=Budget(steps=8), seed=1)
    lines = str(result).splitlines()
    assert lines[0] == "Learned"
    facts = [line.split(maxsplit=1) for line in lines[1:]]
    assert ["limits", "treewidth 2"] in facts
    assert ["score", f"{result.score:,.4f}"] in facts


def test_learn_has_few_parameters():
    assert len(inspect.signature(learn).parameters) <= 12


def test_without_a_limit_the_default_one_holds_also_with_many_states():
    rng = np.random.default_rng(1)
    column = rng.integers(0, 60, 3000)
    data = treebound.load(
        {f"v{i}": (column + rng.integers(0, 2, 3000)) % 60 for i in range(4)}, max_states=99
    )
    result = learn(data, budget=Budget(steps=20))
    assert (result.structure.max_treewidth, result.structure.max_cells) == (5, 10_000)
    assert result.limits == "treewidth 5, 10,000 cells per bag"
    assert result.structure.guarantee.largest_cells <= 10_000
    assert result.verdict
    assert learn(data, solver="kg", budget=Budget(steps=5)).limits == "treewidth 5"
    assert learn(data, solver="order", budget=Budget(steps=5)).limits == "none"


def test_the_default_limit_leaves_room_for_the_largest_variable():
    data = treebound.load({"a": list(range(10_001)), "b": [0] * 10_001}, max_states=10_001)
    assert learn(data, budget=Budget(steps=2)).structure.max_cells == 10_001


def test_a_cache_without_states_has_a_default_treewidth(tmp_path, table):
    treebound.save_cache(treebound.score(table, budget=Budget(steps=5000)).cache, tmp_path / "c.jkl")
    assert learn(tmp_path / "c.jkl", budget=Budget(steps=2)).limits == "treewidth 5"


def test_a_solver_may_be_given_by_its_name(table):
    named = learn(table, 2, solver="kmax", budget=Budget(steps=5))
    assert named.search.solver == KMax()
    assert named.score == learn(table, 2, solver=KMax(), budget=Budget(steps=5)).score
    with pytest.raises(
        ValueError, match=r"solver must be one of regrow, .*, got 'kmx'; did you mean 'kmax'\?"
    ):
        learn(table, 2, solver="kmx")


def test_the_network_is_fitted_to_the_rows_that_were_learned_from(table):
    result = learn(table, 2, budget=Budget(steps=8))
    assert result.network == treebound.fit(result, table)
    assert result.network is result.network
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    with pytest.raises(ValueError, match=r"has no rows .* Call treebound\.fit\(result, table\)"):
        learn(cache, 2, budget=Budget(steps=2)).network  # noqa: B018
    again = pickle.loads(pickle.dumps(result))
    assert again.network == result.network


def test_equal_seed_and_steps_give_equal_structures(table):
    runs = [
        learn(table, 3, budget=Budget(steps=8), seed=5, where=Local(threads=threads)) for threads in (1, 2)
    ]
    assert runs[0].structure.parent_indices == runs[1].structure.parent_indices
    assert runs[0].score == runs[1].score


def test_a_number_is_a_budget_of_seconds(table):
    assert learn(table, 2, budget=0).search.stopped is StopReason.SECONDS
    assert learn(table, 2, budget=np.float32(0.01)).verdict
    with pytest.raises(ValueError, match="seconds"):
        learn(table, 2, budget=-1)


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

    monkeypatch.setattr("treebound.learning._here.check_seconds", lambda *_: checking)
    monkeypatch.setattr("treebound.learning._here.search", quick_search)
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    assert learn(table, 2, score=cache, budget=Budget(seconds=1000, patience=0.5)).verdict
    learn(table, 2, score=cache, budget=Budget(steps=7))
    assert least <= given[0].seconds <= most
    assert given[0].patience == 0.5
    assert given[1] == Budget(steps=7)


def test_all_sets_are_scored_where_they_are_few():
    data = random_network(8, seed=1).sample(200, 1)
    few, many = learn(data, 3, budget=Budget(steps=1)), learn(data, 1, budget=Budget(steps=1))
    assert few.cache.coverage.method == many.cache.coverage.method == "exhaustive"
    assert (few.cache.coverage.max_parents, many.cache.coverage.max_parents) == (3, 1)
    wide = random_network(120, seed=1).sample(50, 1)
    assert learn(wide, 3, budget=Budget(steps=1)).cache.coverage.method == "independence"


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
    assert longer.structure.steps in (steps, steps + longer.search.steps)
    with pytest.raises(ValueError, match="does not hold for this cache"):
        learn(cache, 0, budget=Budget(steps=1), start=first.structure)


def test_every_improvement_seen_is_a_valid_structure(table):
    cache = treebound.score(table, budget=Budget(steps=5000)).cache
    seen = []
    result = learn(cache, 2, budget=Budget(seconds=0.6), progress=Observer(checkpoint=seen.append))
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

    result = learn(table, 6, solver=KMax(), budget=Budget(seconds=20), progress=interrupt)
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
    table = random_network(120, max_treewidth=2, seed=3).sample(300, 3)
    kept = []
    steps = Budget(steps=2)
    assert learn(table, 3, budget=steps).cache.max_parents == 1
    assert learn(table, 3, budget=steps, solver=KMax()).cache.max_parents > 1
    assert learn(table, 3, budget=steps, solver=treebound.solvers.HcEt()).cache.max_parents == 0
    learn(table, 3, budget=steps, progress=Observer(checkpoint=kept.append))
    assert kept[0].max_parents == 1
    wanted = Wanted(Limits(3, None), treebound.solvers.Regrow(), for_all_solvers=True)
    assert Recipe(wanted, Here(), table, Schedule(steps)).run().cache.max_parents > 1


def test_what_auto_did_is_told_and_done_again():
    table = {"key": [f"k{i}" for i in range(40)], "a": ["x", "y"] * 20, "b": ["?", *"uv" * 19, "u"]}
    result = learn(treebound.load(table, auto=True), 1, budget=Budget(steps=2))
    assert result.preparation.rows_dropped == 1
    assert "columns dropped: 1, rows dropped: 1" in repr(result)
    assert "rows dropped: 1" in result._repr_html_()
    network = treebound.fit(result, table)
    assert network.num_rows == 39
    with pytest.raises(treebound.DataError, match="missing values"):
        treebound.fit({"a": [], "b": []}, table | {"b": [None, *"uv" * 19, "u"]})
    assert "left out" not in repr(learn({"a": ["x", "y"] * 20}, 0, budget=Budget(steps=2)))

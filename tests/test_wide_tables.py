"""Wide tables: memory is bounded, work is in proportion, and neither changes what is found."""

from __future__ import annotations

import cProfile
import pstats
import tracemalloc

import numpy as np
import pytest

import treebound
from strategies_scoring import make_dataset
from treebound import Budget, CacheError, Independence, Structure, _core, check, learn, load, score
from treebound.formats.structure_json import format_json

pytestmark = pytest.mark.core


def noisy(num_variables, num_rows=40, seed=0, states=3):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, states, (num_variables, num_rows))
    codes[1:] = np.where(rng.random((num_variables - 1, num_rows)) < 0.5, codes[:-1], codes[1:])
    return make_dataset(codes, [states] * num_variables)


FREE = _core.FamilyRules()  # every family is allowed


def all_of(data):
    return np.arange(data.num_variables, dtype=np.uint32)


def scored(data, *, max_parents=1, max_visited=10**6, max_pairs=2**62, threads=2, steps=2000):
    """The parent sets of every variable with their scores, straight from the core, nothing pruned."""
    method = _core.ScoringJob.Method.independence
    bic = _core.Bic(data.num_rows)
    job = _core.ScoringJob(
        data.in_core, bic, method, max_parents, [], FREE, max_visited, max_pairs, all_of(data)
    )
    job.work(_core.Run(float("inf"), steps, threads))
    arrays = job.result(threads)
    names = (f"v{v}" for v in range(data.num_variables))
    flat = [arrays[name] for name in ("set_offsets", "scores", "parent_offsets", "parents")]
    cache = treebound.ParentSetCache(tuple(names), *flat)
    return [{one.parent_indices: one.score for one in cache[v]} for v in range(cache.num_variables)]


# What a variable takes for a partner that it keeps, in pairs.
PAIRS_PER_PARTNER = 3


def best_partners(free, max_pairs):
    """For each variable those that gain most as its only parent, if they gain, where not all pairs fit.

    An arc gains the same in both directions, up to rounding: the core takes the one to the larger number.
    """
    n = len(free)
    if n * (n - 1) // 2 <= max_pairs:
        return [set(range(n)) - {v} for v in range(n)]
    if max_pairs == 0:
        return [set() for _ in range(n)]
    most = max(2, max_pairs // (PAIRS_PER_PARTNER * n))

    def gain(v, y):
        sets = free[max(v, y)]
        return np.float32(sets[(min(v, y),)] - sets[()])

    gaining = [[y for y in range(n) if y != v and gain(v, y) > 0] for v in range(n)]
    return [set(sorted(gaining[v], key=lambda y, v=v: (-gain(v, y), y))[:most]) for v in range(n)]


@pytest.mark.parametrize("states", [2, 3])  # of two states, pairs that cannot gain are not even scored
@pytest.mark.parametrize("num_variables", [30, 150])
@pytest.mark.parametrize("pairs_per_variable", [0, 1, 9, 10, 29, 32, 10**6])
def test_the_best_partners_that_fit_become_single_parents(num_variables, pairs_per_variable, states):
    data = noisy(num_variables, states=states)
    max_pairs = pairs_per_variable * num_variables
    bounded, free = scored(data, max_pairs=max_pairs), scored(data)
    for child, partners in enumerate(best_partners(free, max_pairs)):
        assert bounded[child] == {p: free[child][p] for p in [(), *((y,) for y in partners)]}


@pytest.mark.parametrize("threads", [1, 3])
def test_search_goes_on_with_the_partners_that_fit(threads):
    data = noisy(30)
    found = scored(data, max_parents=3, max_pairs=400, threads=threads)
    partners = best_partners(scored(data), 400)
    scorer = _core.FamilyScorer(data.in_core, _core.Bic(data.num_rows))
    assert any(len(parents) > 1 for sets in found for parents in sets)
    for child, sets in enumerate(found):
        scorer.begin(child)
        for parents, value in sets.items():
            assert partners[child].issuperset(parents)
            assert value == scorer.score(np.array(parents, dtype=np.uint32))
    assert found == scored(data, max_parents=3, max_pairs=400, threads=2)


# Binary variables alone, several states, some without planes; all need several tiles.
STATES = {"two": [2], "few": [2, 3, 4, 1], "many": [2, 40, 3, 300, 31]}


@pytest.mark.parametrize("repeats", [1, 20])
@pytest.mark.parametrize("states", STATES)
@pytest.mark.parametrize("name", ["Bic", "Bdeu"])
def test_pairs_are_counted_as_families_are(name, states, repeats):
    rng = np.random.default_rng(5)
    cards = (STATES[states] * 150)[:150]
    shared = rng.random(600)
    codes = np.array([((shared + rng.random(600)) / 2 * card).astype(int) for card in cards])
    data = make_dataset(np.repeat(codes, repeats, axis=1), cards)
    score = _core.Bic(data.num_rows) if name == "Bic" else _core.Bdeu(data.num_rows, 2.0)
    assert data.in_core.is_collapsed == (repeats > 1)
    exhaustive = _core.ScoringJob.Method.exhaustive
    job = _core.ScoringJob(data.in_core, score, exhaustive, 1, [], FREE, 0, 2**62, all_of(data))
    job.work(_core.Run(float("inf"), 2**62, 2))
    arrays, scorer = job.result(1), _core.FamilyScorer(data.in_core, score)
    for child in range(150):
        scorer.begin(child)
        sets = range(arrays["set_offsets"][child], arrays["set_offsets"][child + 1])
        assert len(sets) == 150
        for i in sets:
            parents = arrays["parents"][arrays["parent_offsets"][i] : arrays["parent_offsets"][i + 1]]
            assert arrays["scores"][i] == scorer.score(parents)


def test_of_too_many_single_parents_the_best_are_kept():
    data = noisy(40)
    for few, all_of_them in zip(scored(data, max_visited=7), scored(data), strict=True):
        singles = sorted((p for p in all_of_them if p), key=lambda p: (-all_of_them[p], p))
        assert few == {p: all_of_them[p] for p in [(), *singles[:7]]}


@pytest.mark.parametrize("num_variables", [2, 100, 18_000, 30_000, 100_000, 10**6])
def test_pairs_and_visited_sets_share_the_memory(num_variables):
    method = Independence(memory_mb=2560)
    num_pairs = min(num_variables * (num_variables - 1) // 2, method._max_pairs())
    visited = method._max_visited(num_variables)
    assert 8 * num_pairs + 120 * visited * num_variables <= 2560 * 2**20 or visited == 64
    assert num_pairs == num_variables * (num_variables - 1) // 2 or num_variables > 18_000


def test_a_finished_run_that_is_resumed_keeps_its_sets():
    data = treebound.random_network(8, max_parents=3, seed=1).sample(2000, 1)
    whole = score(data, parent_sets=Independence(3), budget=None).cache
    assert whole.is_complete
    assert max(whole.sizes) > 1
    assert score(data, parent_sets=Independence(3), budget=None, resume=whole).cache.same_sets_as(whole)


def test_what_another_version_remembered_is_refused():
    from dataclasses import replace

    data = noisy(8)
    cache = score(data, budget=Budget(steps=10)).cache
    with pytest.raises(CacheError, match="another version"):
        score(data, resume=replace(cache, resume={"parent_states": np.ones(1)}))


def test_phases_add_up_and_the_peak_is_told(tmp_path):
    path = tmp_path / "table.csv"
    noisy(6).to_frame().to_csv(path, index=False)
    result = learn(path, 2, budget=Budget(steps=2))
    phases = result.phases
    assert min(phases.reading, phases.scoring, phases.searching, phases.checking) > 0
    assert phases.writing == 0
    assert result.seconds == phases.total
    assert result.peak_memory_mb >= result.scoring.peak_memory_mb > 0


def chain(num_variables):
    return [[v - 1] if v else [] for v in range(num_variables)]


def star(num_variables):
    return [[0] if v else [] for v in range(num_variables)]


def structure_of(parents):
    return Structure.from_parents(parents, elimination_order=reversed(range(len(parents))))


def columns(num_variables):
    rows = np.random.default_rng(1).integers(0, 2, (num_variables, 6))
    return {f"v{v}": rows[v].tolist() for v in range(num_variables)}


STAGES = {
    "load": (columns, load),
    "schema as JSON": (lambda n: load(columns(n)).schema, lambda schema: schema.to_json()),
    "chain from an order": (chain, structure_of),
    "star from an order": (star, structure_of),
    "check a chain": (lambda n: structure_of(chain(n)), check),
    "check a star": (lambda n: structure_of(star(n)), check),
    "check with rows": (
        lambda n: (structure_of(chain(n)), load(columns(n))),
        lambda pair: check(pair[0], data=pair[1]),
    ),
    "write": (lambda n: structure_of(star(n)), format_json),
    "guarantee": (lambda n: structure_of(star(n)), lambda structure: structure.guarantee),
}


def calls_and_bytes(make, work, size):
    given = make(size)
    profile = cProfile.Profile()
    profile.runcall(work, given)
    given = make(size)
    tracemalloc.start()
    kept = work(given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del kept
    return pstats.Stats(profile).total_calls, peak


@pytest.mark.parametrize("stage", STAGES)
def test_work_and_memory_grow_as_the_variables_do(stage):
    make, work = STAGES[stage]
    work(make(10))  # imports and caches
    measured = np.array([calls_and_bytes(make, work, size) for size in (1000, 2000, 4000)])
    # What is added doubles if work is in proportion and is four times as much if it grows as the square.
    first, second = np.diff(measured, axis=0)
    # Less than a call and a byte for each variable is no growth.
    assert np.all(second <= 3 * np.maximum(first, 1000))


def test_one_row_is_read_in_a_few_calls_for_each_variable():
    network = treebound.random_network(2000, max_treewidth=1, seed=1)
    frame = network.sample(1, seed=1).to_frame()
    evidence = frame.iloc[0].drop("X7")
    for ask in (
        lambda: network.predict(frame, "X7"),
        lambda: network.predict_proba(frame, "X7"),
        lambda: network.posterior("X7", evidence),
    ):
        ask()
        profile = cProfile.Profile()
        profile.runcall(ask)
        assert pstats.Stats(profile).total_calls < 12 * 2000

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


def noisy(num_variables, num_rows=40, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (num_variables, num_rows))
    codes[1:] = np.where(rng.random((num_variables - 1, num_rows)) < 0.5, codes[:-1], codes[1:])
    return make_dataset(codes, [3] * num_variables)


def scored(data, *, max_parents=1, max_visited=10**6, max_pairs=2**62, threads=2, steps=2000):
    """The parent sets of every variable with their scores, straight from the core, nothing pruned."""
    method = _core.ScoringJob.Method.independence
    bic = _core.Bic(data.num_rows)
    job = _core.ScoringJob(data.in_core, bic, method, max_parents, [], max_visited, max_pairs)
    job.work(_core.Run(float("inf"), steps, threads))
    arrays = job.result(threads)
    names = (f"v{v}" for v in range(data.num_variables))
    flat = [arrays[name] for name in ("set_offsets", "scores", "parent_offsets", "parents")]
    cache = treebound.ParentSetCache(tuple(names), *flat)
    return [{one.parent_indices: one.score for one in cache[v]} for v in range(cache.num_variables)]


def fitting_pairs(num_variables, max_pairs):
    """The pairs of the last variable, of the one before, and so on, as long as whole rows fit."""
    pairs = set()
    for a in reversed(range(num_variables)):
        if len(pairs) + a > max_pairs:
            break
        pairs |= {(a, b) for b in range(a)}
    return pairs


@pytest.mark.parametrize("max_pairs", [0, 28, 29, 54, 55, 200, 435, 10**6])
def test_only_pairs_that_fit_are_counted_and_all_of_them_become_single_parents(max_pairs):
    data = noisy(30)
    bounded, free = scored(data, max_pairs=max_pairs), scored(data)
    known = fitting_pairs(30, max_pairs)
    for child in range(30):
        partners = {b if a == child else a for a, b in known if child in (a, b)}
        assert bounded[child] == {p: free[child][p] for p in [(), *((y,) for y in partners)]}


@pytest.mark.parametrize("threads", [1, 3])
def test_search_goes_on_with_the_pairs_that_fit(threads):
    data = noisy(30)
    found = scored(data, max_parents=3, max_pairs=200, threads=threads)
    known = fitting_pairs(30, 200)
    scorer = _core.FamilyScorer(data.in_core, _core.Bic(data.num_rows))
    assert any(len(parents) > 1 for sets in found for parents in sets)
    for child, sets in enumerate(found):
        scorer.begin(child)
        for parents, value in sets.items():
            assert all((max(child, p), min(child, p)) in known for p in parents)
            assert value == scorer.score(np.array(parents, dtype=np.uint32))
    assert found == scored(data, max_parents=3, max_pairs=200, threads=2)


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
    assert np.all(second <= 3 * first)

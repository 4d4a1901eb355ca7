"""Running the search for parent sets: budgets, threads, interruption and going on."""

from __future__ import annotations

import numpy as np
import pytest

from strategies_scoring import make_dataset
from treebound import Budget, CacheError, Exhaustive, Independence, Local, load_cache, save_cache, score

pytestmark = pytest.mark.core


def chained(num_variables=12, num_rows=600, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (num_variables, num_rows))
    for v in range(2, num_variables):
        copied = rng.random(num_rows) < 0.6
        codes[v, copied] = ((codes[v - 1] + codes[v - 2]) % 3)[copied]
    return make_dataset(codes, [3] * num_variables)


@pytest.mark.parametrize("method", [Exhaustive(3), Independence(4)], ids=lambda m: m.name)
@pytest.mark.parametrize("steps", [1, 100, 1234, 10**9])
def test_equal_steps_give_equal_caches_for_any_number_of_threads(method, steps):
    data = chained()
    caches = [
        score(data, parent_sets=method, budget=Budget(steps=steps), where=Local(threads=threads)).cache
        for threads in (1, 2, 5)
    ]
    assert caches[0].same_sets_as(caches[1])
    assert caches[0].same_sets_as(caches[2])


def test_more_steps_never_make_a_best_set_worse():
    data = chained()
    runs = [score(data, budget=Budget(steps=steps)).report for steps in (1, 50, 500, 5000)]
    bests = [report.sum_of_best for report in runs]
    assert bests == sorted(bests)
    assert bests[0] < bests[-1]
    assert all(
        report.sets_scored <= 12 * 12 + steps for report, steps in zip(runs, (1, 50, 500, 5000), strict=True)
    )


@pytest.mark.parametrize("method", [Exhaustive(3), Independence(4)], ids=lambda m: m.name)
def test_no_time_at_all_still_gives_a_valid_cache(method):
    result = score(chained(), parent_sets=method, budget=Budget(seconds=0))
    assert result.report.stopped == "seconds"
    assert result.cache.variables_without_empty_set == ()
    assert not result.cache.is_complete


class Interrupt:
    """A progress callback that plays Ctrl-C once so many sets are scored."""

    def __init__(self, after):
        self.after = after

    def __call__(self, progress):
        if progress.steps > self.after:
            raise KeyboardInterrupt


def saving_to(path):
    return lambda cache: save_cache(cache, path)


def test_an_interrupted_exhaustive_run_goes_on_from_its_file_to_the_same_end(tmp_path):
    data = chained(num_variables=20, num_rows=2000)
    options = {"parent_sets": Exhaustive(5), "pruning": ["dominated"], "where": Local(threads=1)}
    whole = score(data, budget=None, **options)
    path = tmp_path / "cache.tbc"
    stopped = score(
        data,
        budget=None,
        progress=Interrupt(after=whole.report.sets_scored // 4),
        checkpoint=saving_to(path),
        **options,
    )
    assert stopped.report.stopped == "interrupted"
    assert stopped.cache.variables_without_empty_set == ()
    resumed = score(data, budget=None, resume=load_cache(path), **options)
    assert resumed.report.sets_scored < whole.report.sets_scored
    assert resumed.cache.same_sets_as(whole.cache)


def test_independence_selection_resumes_without_scoring_a_set_twice(tmp_path):
    data = chained(num_variables=14, num_rows=4000)
    options = {
        "parent_sets": Independence(5),
        "pruning": ["dominated", "de_campos_ji"],
        "where": Local(threads=1),
    }
    whole = score(data, budget=None, **options)
    path = tmp_path / "cache.tbc"
    stopped = score(data, budget=None, progress=Interrupt(after=300), checkpoint=saving_to(path), **options)
    assert stopped.report.stopped == "interrupted"
    resumed = score(data, budget=None, resume=load_cache(path), **options)
    assert resumed.cache.same_sets_as(whole.cache)
    # Single parents come with the pairs, which every session counts.
    again = 14 * 14
    assert resumed.report.sets_scored + stopped.report.sets_scored <= whole.report.sets_scored + again


def test_a_cache_of_another_job_is_not_resumed(tmp_path):
    data, other = chained(), chained(seed=1)
    cache = score(data, parent_sets=Exhaustive(2)).cache
    with pytest.raises(CacheError, match="other rows"):
        score(other, parent_sets=Exhaustive(2), resume=cache)
    with pytest.raises(CacheError, match="max_parents=2"):
        score(data, parent_sets=Exhaustive(3), resume=cache)


def test_memory_bounds_the_search():
    data = chained(num_variables=30)
    small = score(data, parent_sets=Independence(6, memory_mb=1), pruning=None, budget=None)
    assert small.report.stopped == "finished"
    # A megabyte holds 290 sets for each, and the last run of pairs may go beyond.
    assert small.report.sets_scored < 30 * 30 + 30 * (290 + 32)


@pytest.mark.parametrize("table", [{"only": [0, 1, 0, 1]}, {"a": [0, 1], "b": [1, 1]}])
@pytest.mark.parametrize("method", [Exhaustive(3), Independence(3)], ids=lambda m: m.name)
def test_tiny_tables(table, method):
    result = score(table, parent_sets=method)
    assert result.cache.is_complete
    assert result.cache.variables_without_empty_set == ()


def test_options_are_checked():
    with pytest.raises(ValueError, match="max_parents must be at least 0, got -1"):
        Exhaustive(-1)
    with pytest.raises(ValueError, match="threads must be at least 1, got 0"):
        score(chained(), where=Local(threads=0))
    with pytest.raises(ValueError, match="seconds must be finite"):
        Budget(seconds=float("nan"))

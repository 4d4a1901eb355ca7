"""The cache as a value: what it accepts, what it refuses, what it answers."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given

from reference import cache as reference
from strategies_cache import blocks, careless_sets, small_caches
from treebound import Bic, CacheError, ParentSetCache, Schema, Variable, _core
from treebound.scoring import ParentSet

pytestmark = pytest.mark.core

RAIN = {
    "rain": [([], -5.0)],
    "sprinkler": [(["rain"], -4.0), ([], -6.0)],
    "wet": [(["sprinkler", "rain"], -1.0), (["sprinkler"], -2.0), (["rain"], -2.0), ([], -9.0)],
}


@pytest.fixture
def rain():
    return ParentSetCache.from_sets(RAIN, score=Bic())


def arrays(**changes):
    """A valid cache of three variables as raw arrays, with changes."""
    good = {
        "names": ("a", "b", "c"),
        "set_offsets": [0, 1, 3, 6],
        "scores": [-5.0, -4.0, -6.0, -1.0, -2.0, -2.0],
        "parent_offsets": [0, 0, 1, 1, 3, 4, 5],
        "parents": [0, 0, 1, 0, 1],
    }
    return good | changes


def test_sets_come_best_first_with_ties_by_size_then_parents(rain):
    assert list(rain["wet"]) == [
        ParentSet(("rain", "sprinkler"), -1.0, (0, 1)),
        ParentSet(("rain",), -2.0, (0,)),
        ParentSet(("sprinkler",), -2.0, (1,)),
        ParentSet((), -9.0, ()),
    ]


def test_a_variable_is_found_by_name_index_and_from_the_end(rain):
    assert rain["wet"] == rain[2] == rain[-1] == rain[np.int64(2)]
    assert rain.best("sprinkler") == ParentSet(("rain",), -4.0, (0,))
    with pytest.raises(CacheError, match="The cache has no variable 'snow'"):
        rain["snow"]
    with pytest.raises(IndexError, match="3"):
        rain[3]


def test_sets_are_a_sequence(rain):
    sets = rain["wet"]
    assert len(sets) == 4
    assert sets[-1] == sets[3]
    assert sets[1:3] == [sets[1], sets[2]]
    with pytest.raises(IndexError):
        sets[4]
    with pytest.raises(IndexError):
        sets[-5]


def test_counts_and_bounds(rain):
    assert (rain.num_variables, rain.num_sets, rain.max_parents, len(rain)) == (3, 7, 2, 3)
    assert rain.sum_of_best == -10.0
    assert rain.is_complete


def test_repr_says_what_is_inside(rain):
    assert repr(rain) == (
        "<ParentSetCache: 3 variables, 7 parent sets of up to 2 parents, sum of best -10.0000, score bic>"
    )
    assert repr(rain["wet"]) == (
        "<4 parent sets of wet: {rain, sprinkler} -1.0000, {rain} -2.0000, {sprinkler} -2.0000, ...>"
    )


def test_a_variable_without_sets_is_legal_but_has_no_best():
    cache = ParentSetCache.from_sets({"a": [], "b": [(["a"], -1.0)], "c": [((), -1.0)]})
    assert cache.variables_without_empty_set == ("a", "b")
    assert cache.sum_of_best == float("-inf")
    with pytest.raises(CacheError, match="'a' has no parent set"):
        cache.best("a")


def test_the_arrays_cannot_be_changed(rain):
    for name in ("set_offsets", "scores", "parent_offsets", "parents", "complete"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(rain, name)[0] = 1
    with pytest.raises(AttributeError):
        rain.names = ("x",)


def test_records_are_copied_not_shared():
    provenance = {"lines": [2]}
    cache = ParentSetCache(**arrays(), provenance=provenance)
    provenance["lines"].append(3)
    assert cache.provenance == {"lines": [2]}


def test_good_arrays_make_a_cache():
    cache = ParentSetCache(**arrays())
    assert cache.parents.dtype == np.uint32
    assert cache.best("c") == ParentSet(("a", "b"), -1.0, (0, 1))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"names": ()}, "at least one variable"),
        ({"names": ("a", "b", "a")}, "'a' comes twice"),
        ({"names": ("a", "b", 3)}, "strings, got 3"),
        ({"set_offsets": [0, 1, 3]}, "needs 4 entries for 3 variables, got 3"),
        ({"set_offsets": [1, 1, 3, 6]}, "entry 0 is 1"),
        ({"set_offsets": [0, 3, 1, 6]}, "entry 2 is 1"),
        ({"set_offsets": [0, 1, 3, 5]}, "entry 3 is 5"),
        ({"set_offsets": [0, 1, 3, 7]}, "entry 3 is 7"),
        ({"set_offsets": [-1, 1, 3, 6]}, "entry 0 is -1"),
        ({"set_offsets": [0.0, 1.0, 3.0, 6.0]}, "set_offsets must hold int64"),
        ({"parent_offsets": [0, 0, 1, 1, 3, 4]}, "needs 7 entries for 6 sets, got 6"),
        ({"parent_offsets": [0, 0, 1, 1, 3, 4, 6]}, "entry 6 is 6"),
        ({"parent_offsets": [0, 0, 9, 1, 3, 4, 5]}, "entry 3 is 1"),
        ({"parents": [0, 0, 1, 0, 3]}, "'c', set 2: expected parents that are indexes"),
        ({"parents": [0, 0, 1, 0, -1]}, "values from -1 to 1"),
        ({"parents": [1, 0, 1, 0, 1]}, "'b', set 0: a variable cannot be its own parent"),
        ({"parents": [0, 1, 0, 0, 1]}, "'c', set 0: expected parents in ascending order"),
        ({"parents": [0, 1, 1, 0, 1]}, "'c', set 0: expected parents in ascending order"),
        ({"parents": [0, 0, 1, 1, 0]}, "'c', set 2: expected sets best first"),
        ({"parents": [0, 0, 1, 0, 0]}, "'c', set 2: expected each set once"),
        ({"scores": [-5.0, -4.0, -6.0, -1.0, -2.0, np.nan]}, "'c', set 2: expected a finite score"),
        ({"scores": [np.inf, -4.0, -6.0, -1.0, -2.0, -2.0]}, "'a', set 0: expected a finite score"),
        ({"scores": [-5.0, -4.0, -3.0, -1.0, -2.0, -2.0]}, "'b', set 1: expected sets best first"),
        ({"scores": [[-5.0, -4.0, -6.0, -1.0, -2.0, -2.0]]}, "one-dimensional"),
        ({"scores": ["x"] * 6}, "scores must hold float64"),
        ({"complete": [True, False]}, "complete needs 3 entries"),
        ({"complete": [1, 0, 1]}, "complete must hold bool"),
        ({"provenance": {"x": object()}}, "provenance must be plain JSON"),
        ({"provenance": {"x": float("nan")}}, "provenance must be plain JSON"),
        ({"score": "bic"}, "score must be a Bic or Bdeu, or None, got str"),
        ({"score": {"name": "bic"}}, "score must be a Bic or Bdeu, or None, got dict"),
        ({"schema": {"variables": []}}, "schema must be a Schema, or None, got dict"),
        ({"schema": Schema((Variable("a", ("x",)),))}, "schema must describe the variables of the cache"),
        ({"fingerprint": "abc"}, "fingerprint must be a Fingerprint, or None, got str"),
        ({"score_rounding": 0.1}, "score_rounding must be from 0 to 0.005, got 0.1"),
    ],
)
def test_broken_promises_are_refused_in_words(changes, words):
    with pytest.raises(CacheError, match=words):
        ParentSetCache(**arrays(**changes))


def test_equal_scores_with_a_larger_set_first_are_refused():
    with pytest.raises(CacheError, match="best first"):
        ParentSetCache(**arrays(scores=[-5.0, -4.0, -6.0, -2.0, -2.0, -2.0], parents=[0, 0, 1, 0, 1]))


@given(variables=careless_sets())
def test_the_first_fault_is_that_of_the_twin(variables):
    sets = [one for listed in variables for one in listed]
    fault, variable, _ = _core.find_cache_fault(
        np.cumsum([0, *map(len, variables)]),
        np.array([score for score, _ in sets], dtype=float),
        np.cumsum([0, *(len(parents) for _, parents in sets)]),
        np.array([parent for _, parents in sets for parent in parents], dtype=np.uint32),
    )
    expected = reference.find_fault(variables)
    assert (None if fault == _core.CacheFault.none else (fault.name, variable)) == expected


def test_an_unknown_parent_name_is_refused():
    with pytest.raises(CacheError, match="'snow'"):
        ParentSetCache.from_sets({"rain": [(["snow"], -1.0)]})


@given(content=blocks())
def test_a_cache_holds_what_was_put_in_sorted(content):
    cache = ParentSetCache.from_sets({name: [(ps, s) for s, ps in sets] for name, sets in content.items()})
    assert cache.names == tuple(content)
    for name, sets in content.items():
        expected = sorted(sets, key=lambda one: (-one[0], len(one[1]), one[1]))
        assert [(one.score, one.parent_indices) for one in cache[name]] == expected


@given(cache=small_caches())
def test_properties_agree_with_a_walk_over_the_sets(cache):
    everything = [(v, one) for v in range(cache.num_variables) for one in cache[v]]
    assert cache.num_sets == len(everything)
    assert cache.max_parents == max((len(one.parent_indices) for _, one in everything), default=0)
    with_empty = {v for v, one in everything if not one.parent_indices}
    assert cache.variables_without_empty_set == tuple(
        name for v, name in enumerate(cache.names) if v not in with_empty
    )


def test_importing_the_package_imports_no_numpy():
    code = "import sys, treebound; assert not {'numpy', 'narwhals'} & set(sys.modules), 'too much'"
    subprocess.run([sys.executable, "-c", code], check=True)

"""Constraints: names and patterns, what they allow, contradictions, and values that stay the same."""

from __future__ import annotations

import pickle
import random
import re
from functools import cache

import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reference import constraints as twin
from strategies_constraints import names_of, random_constraints
from treebound import Constraints
from treebound.constraints import ContradictionError, Tiers

seeds = st.integers(0, 2**32)


@cache
def all_dags(n):
    return tuple(twin.all_structures(n))


def compiled(knowledge, n):
    return Constraints.from_dict(knowledge).compile(names_of(n))


def allowed_by(rules, parents):
    joined = all(a in parents[b] or b in parents[a] for a, b in rules.undecided)
    return joined and all(rules.allows(v, chosen) for v, chosen in enumerate(parents))


def agrees_with_all_structures(n, seed):
    """Compare with every structure of few variables; return whether some structure obeys."""
    knowledge = random_constraints(random.Random(seed), n)
    expected = [parents for parents in all_dags(n) if twin.obeys(knowledge, names_of(n), parents)]
    try:
        rules = compiled(knowledge, n)
    except ContradictionError:
        assert not expected, knowledge
        return False
    assert expected, knowledge
    assert [parents for parents in all_dags(n) if allowed_by(rules, parents)] == expected, knowledge
    reasons = Constraints.from_dict(knowledge).reasons(names_of(n))
    some = all_dags(n) if n < 4 else random.Random(seed).sample(all_dags(n), 60)
    for parents in some:
        assert (not list(reasons.violations(parents))) == (parents in expected), (knowledge, parents)
    return True


@settings(max_examples=60)
@given(seed=seeds, n=st.integers(1, 4))
@example(seed=1, n=1)
def test_rules_allow_the_structures_that_obey_and_contradictions_are_those_without_any(seed, n):
    agrees_with_all_structures(n, seed)


def test_contradictions_and_consistent_constraints_both_occur():
    found = [agrees_with_all_structures(3, seed) for seed in range(150)]
    assert 20 < sum(found) < 140


@pytest.mark.parametrize(
    ("knowledge", "message"),
    [
        (
            {"required": ["a -> b", "b -> c", "c -> a", "c -> b"]},
            "cycle, 'b' -> 'c' -> 'b'; drop one of them",
        ),
        (
            {"required": ["a->b"], "forbidden": ["a->*"]},
            "'a' -> 'b' is required, and 'a' -> '*' is forbidden; drop",
        ),
        (
            {"required": ["c->a"], "tiers": [["a"], ["b", "c"]]},
            "'c' -> 'a' is required, and tier 2 comes after",
        ),
        ({"required": ["c->a"], "order": ["a<b", "b<c"]}, "and the order has 'a' < 'b' < 'c'; drop"),
        ({"required": ["a->b"], "roots": "b"}, "and 'b' is a root"),
        ({"required": ["a->b"], "leaves": ["a"]}, "and 'a' is a leaf"),
        ({"required": ["a->b"], "not_adjacent": ["b-a"]}, "and 'b' - 'a' must not be adjacent"),
        (
            {"required": ["a->c", "b->c"], "max_parents": {"c": 1}},
            "'c' requires 2 parents ('a', 'b') and may have at most 1; raise max_parents or drop",
        ),
        ({"required": ["a->a"]}, "'a' is required to be its own parent"),
        (
            {"adjacent": ["a-b"], "tiers": [["a"], ["b"]], "leaves": ["a"]},
            "'b' and 'a' must be adjacent, and neither direction is allowed: tier 2 comes after tier 1, and",
        ),
        (
            {"adjacent": ["a-b", "b-c", "a-c"], "max_parents": 0},
            "adjacencies among 'b', 'c' cannot be directed",
        ),
        (
            {"adjacent": ["a-b", "b-c", "a-c"], "max_parents": 1},
            "adjacencies among 'a', 'b', 'c' cannot be directed: each direction closes a cycle",
        ),
        ({"order": ["a<b<c", "c<a"]}, "The order contradicts itself: 'a' < 'b' < 'c' < 'a'"),
        (
            {"required": ["a->b"], "tiers": {"levels": ["a", "c", "b"], "only_next": True}},
            "tier 3 is not next to tier 1",
        ),
        (
            {"required": ["a->b"], "tiers": {"levels": [["a", "b"]], "within": False}},
            "tier 1 has no arcs inside",
        ),
    ],
)
def test_contradictions_have_the_shortest_reason_by_name(knowledge, message):
    if isinstance(knowledge.get("tiers"), dict):
        knowledge = {**knowledge, "tiers": Tiers(**knowledge["tiers"])}
    with pytest.raises(ContradictionError, match=re.escape(message)):
        Constraints(**knowledge).compile(["a", "b", "c"])


@pytest.mark.parametrize(
    ("knowledge", "message"),
    [
        ({"required": ["rian -> wet"]}, "required: no variable is called 'rian'; did you mean 'rain'"),
        ({"forbidden": ["lab_* -> wet"]}, "forbidden: no variable matches 'lab_.'; check the pattern"),
        ({"roots": ["re:("]}, "roots: 're:.' is not a regular expression"),
        ({"tiers": [["rain"], ["rain", "wet"]]}, "'rain' is in tier 1 and in tier 2; list it once"),
        ({"groups": {"wet": ["rain"]}, "roots": ["rain"]}, "Group 'wet' has the name of a variable"),
    ],
)
def test_unknown_names_get_the_nearest_one(knowledge, message):
    with pytest.raises(ValueError, match=message):
        Constraints(**knowledge).compile(["rain", "wet", "sun"])


@pytest.mark.parametrize(
    ("knowledge", "error", "message"),
    [
        ({"required": "a->b"}, TypeError, "required must be a sequence of pairs or a frame"),
        ({"required": ["a"]}, ValueError, "must be two variables, such as 'a->b', got 'a'"),
        ({"required": [("a", "b", "c")]}, ValueError, "must be two variables"),
        ({"required": [3]}, TypeError, "Each of required must be a pair, got 3"),
        ({"required": [(1, "b")]}, TypeError, "required must be a name, a pattern"),
        ({"tiers": "a"}, TypeError, "tiers must be a sequence of tiers"),
        ({"tiers": [["a"], []]}, ValueError, "Each tier must list variables, and tier 2 is empty"),
        ({"order": [["a"]]}, ValueError, "Each chain of order must have two"),
        ({"order": [0, 1]}, TypeError, "each chain of order must be several variables"),
        ({"order": 5}, TypeError, "order must be a sequence of chains"),
        ({"order": "a<b"}, TypeError, "order must be a sequence of chains"),
        ({"max_parents": -1}, ValueError, "max_parents must be at least 0"),
        ({"max_parents": {"a": 1.5}}, TypeError, "max_parents of 'a' must be a whole number"),
        ({"max_cells": 0}, ValueError, "max_cells must be at least 1, got 0"),
        ({"max_cells": True}, TypeError, "max_cells must be a whole number, got True"),
        ({"required": pd.DataFrame({"a": [1]})}, ValueError, "as a frame must have two columns, got 1"),
    ],
)
def test_what_is_not_a_constraint_is_rejected(knowledge, error, message):
    with pytest.raises(error, match=message):
        Constraints(**knowledge)


def test_arcs_come_as_pairs_as_text_and_as_frames():
    columns = {"from": ["a", "b"], "to": ["b", "c"]}
    expected = Constraints(required=[("a", "b"), ("b", "c")])
    assert Constraints(required=["a->b", "b -> c"]) == expected
    assert Constraints(required=pd.DataFrame(columns)) == expected
    assert Constraints(required=pl.DataFrame(columns)) == expected
    assert Constraints(required=pl.DataFrame(columns).to_arrow()) == expected
    assert Constraints(adjacent=["a - b"]).adjacent == ((("a",), ("b",)),)


def test_patterns_groups_and_compiled_expressions_select_the_same():
    names = ["lab_1", "lab_2", "age", "outcome"]
    forms = ["lab_*", "lab_[12]", "re:lab_.", re.compile(r"lab_\d"), ["lab_1", "lab_2"], "labs"]
    found = [
        Constraints(forbidden=[(form, "age")], groups={"labs": "lab_?"}).compile(names).forbidden
        for form in forms
    ]
    assert all(masks == {2: 0b11} for masks in found)


def test_a_name_is_more_specific_than_a_pattern_and_a_pattern_than_a_star():
    tiers = Constraints(tiers=[["*"], ["lab_*"], ["lab_9"]])
    assert tiers.compile(["age", "lab_1", "lab_9"]).forbidden == {0: 0b110, 1: 0b100}


def test_merging_keeps_both_and_the_smaller_limit():
    one = Constraints(required=["a->b"], max_parents={"b": 2, "c": 1}, tiers=[["a"], ["b"]])
    other = Constraints(required=["a->b", "b->c"], max_parents={"b": 1}, roots="a", tiers=[["a"], ["c"]])
    both = one | other
    assert both.required == ((("a",), ("b",)), (("b",), ("c",)))
    assert both.max_parents == {"b": 1, "c": 1}
    assert both.tiers == (Tiers([["a"], ["b"]]), Tiers([["a"], ["c"]]))
    assert both | Constraints() == both | both == both
    assert bool(both)
    assert not Constraints()
    with pytest.raises(ValueError, match="Group 'g' differs"):
        Constraints(groups={"g": "a"}) | Constraints(groups={"g": "b"})


@settings(max_examples=40)
@given(seed=seeds, n=st.integers(2, 5))
def test_constraints_come_back_from_dictionaries_and_pickles(seed, n):
    value = Constraints.from_dict(random_constraints(random.Random(seed), n))
    assert Constraints.from_dict(value.to_dict()) == value == pickle.loads(pickle.dumps(value))
    assert hash(Constraints.from_dict(value.to_dict())) == hash(value)
    assert str(value).count("\n") >= len(value.required) - 1


def test_an_unknown_key_gets_the_nearest_one():
    with pytest.raises(ValueError, match="got 'require'; did you mean 'required'"):
        Constraints.from_dict({"require": []})


def test_thousands_of_columns_with_tiers_and_patterns_share_their_rows():
    names = [f"{kind}_{i}" for kind in ("early", "late") for i in range(3000)]
    rules = Constraints(tiers=[["early_*"], ["late_*"]], forbidden=[("late_1*", "late_2*")]).compile(names)
    assert len({id(mask) for mask in rules.forbidden.values()}) == 2
    assert rules.forbids(0, 3000)
    assert not rules.forbids(3000, 0)
    assert rules.forbids(3002, 3001)
    assert not rules.forbids(3001, 3002)

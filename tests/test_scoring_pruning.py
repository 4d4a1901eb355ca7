"""The pruning rules: each removes just what its slow twin says, and none ever costs the best structure."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given, settings

from reference import scoring as reference
from strategies_scoring import as_dict, rows_of, small_datasets
from treebound import Bdeu, Bic, Exhaustive, Independence, Local, _core, score
from treebound.scoring._rules import RuleName

pytestmark = pytest.mark.core

BIC_RULES = ["in_degree", "theorem1", "first_condition", "de_campos_ji", "entropy", "dominated"]
RULE_SETS = [[rule] for rule in BIC_RULES] + [BIC_RULES]


def all_sets(data, **options):
    return score(
        data, parent_sets=Exhaustive(data.num_variables - 1), budget=None, where=Local(threads=1), **options
    )


@given(data=small_datasets())
def test_without_pruning_every_set_is_kept(data):
    found = as_dict(all_sets(data, pruning=None).cache)
    rows, cards = rows_of(data), data.schema.cardinalities
    expected = dict.fromkeys(range(data.num_variables), 0)
    for child, parents in reference.all_families(data.num_variables, data.num_variables):
        assert found[child][parents] == pytest.approx(
            reference.bic(child, sorted(parents), rows, cards), abs=1e-8
        )
        expected[child] += 1
    assert {child: len(sets) for child, sets in found.items()} == expected


def closes(rule, child, parents, extra, rows, cards):
    """Whether the twin of a rule closes parents + extra, and how far it is from saying the opposite."""
    if rule == "in_degree":
        saved = (cards[extra] - 1) * reference.penalty(child, parents, len(rows), cards)
        return saved - len(rows) * math.log(cards[child]) >= 0
    twin = {
        "theorem1": reference.pruned_by_theorem_1,
        "first_condition": reference.pruned_by_first_condition,
        "de_campos_ji": reference.pruned_by_de_campos_ji,
        "entropy": reference.pruned_by_entropy,
    }[rule]
    return twin(child, parents, extra, rows, cards)


@settings(max_examples=40)
@given(data=small_datasets(max_variables=4, min_states=2))
@pytest.mark.parametrize("rule", BIC_RULES[:-1])
def test_a_rule_alone_removes_what_its_twin_closes_and_all_above(rule, data):
    rows, cards = rows_of(data), data.schema.cardinalities
    result = all_sets(data, pruning=[rule])
    kept = as_dict(result.cache)
    total = 0
    for child, parents in reference.all_families(data.num_variables, data.num_variables):
        total += 1
        is_closed = any(
            closes(rule, child, sorted(below - {extra}), extra, rows, cards)
            for below in subsets(parents)
            for extra in below
        )
        assert (parents not in kept[child]) == is_closed
    report = result.report
    assert report.pruned[rule] + report.implied <= total - result.cache.num_sets


def subsets(members):
    members = sorted(members)
    for mask in range(1 << len(members)):
        yield frozenset(m for i, m in enumerate(members) if mask >> i & 1)


@settings(max_examples=30)
@given(data=small_datasets(max_variables=4))
@pytest.mark.parametrize("rules", RULE_SETS, ids="+".join)
def test_pruning_keeps_the_best_structure(rules, data):
    n = data.num_variables
    full = as_dict(all_sets(data, pruning=None).cache)
    pruned = as_dict(all_sets(data, pruning=rules).cache)
    best = reference.best_structure(full, n)[0]
    assert reference.best_structure(pruned, n)[0] == pytest.approx(best, abs=1e-7)
    for max_treewidth in range(n):
        best = reference.best_structure_bounded(full, n, max_treewidth)[0]
        found = reference.best_structure_bounded(pruned, n, max_treewidth)[0]
        assert found == pytest.approx(best, abs=1e-7)


@settings(max_examples=30)
@given(data=small_datasets(max_variables=4))
@pytest.mark.parametrize("rules", [["configurations"], ["configurations", "dominated"]], ids="+".join)
@pytest.mark.parametrize("equivalent_sample_size", [0.1, 1.0, 20.0])
def test_bdeu_pruning_keeps_the_best_structure(equivalent_sample_size, rules, data):
    n, bdeu = data.num_variables, Bdeu(equivalent_sample_size)
    full = as_dict(all_sets(data, score=bdeu, pruning=None).cache)
    pruned = as_dict(all_sets(data, score=bdeu, pruning=rules).cache)
    for max_treewidth in range(n):
        best = reference.best_structure_bounded(full, n, max_treewidth)[0]
        found = reference.best_structure_bounded(pruned, n, max_treewidth)[0]
        assert found == pytest.approx(best, abs=1e-7)


@given(data=small_datasets())
def test_dominated_sets_are_those_of_the_twin(data):
    full = as_dict(all_sets(data, pruning=None).cache)
    found = as_dict(all_sets(data, pruning=["dominated"]).cache)
    assert found == reference.without_dominated(full)


@given(data=small_datasets(max_variables=6, max_rows=400))
@pytest.mark.parametrize("score_", [Bic(), Bdeu(1.0)], ids=lambda s: s.name)
def test_independence_selection_with_enough_budget_is_exhaustive(score_, data):
    everything = all_sets(data, score=score_)
    found = score(data, parent_sets=Independence(data.num_variables - 1), score=score_, budget=None)
    assert found.report.stopped == "finished"
    assert as_dict(found.cache) == as_dict(everything.cache)


def test_rules_are_refused_for_a_score_they_do_not_hold_for():
    table = {"a": [0, 1, 0, 1], "b": [0, 1, 1, 0]}
    with pytest.raises(ValueError, match="'entropy' is not proved for bdeu"):
        score(table, score=Bdeu(), pruning=["entropy"])
    with pytest.raises(ValueError, match="got 'magic'"):
        score(table, pruning=["magic"])


def test_the_rules_have_the_names_that_the_core_gives_them():
    assert {rule.name for rule in _core.Rule} == set(get_args(RuleName))

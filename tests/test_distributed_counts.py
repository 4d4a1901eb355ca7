"""Counts of sets in parts of a table, and the search that lives on them, beside slow twins."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference.scoring as reference
from strategies_scoring import as_dict, make_dataset, rows_of, small_datasets
from treebound import Bdeu, Bic, Budget, Exhaustive, _core, score

pytestmark = pytest.mark.core
NEVER = _core.Dataset.Collapse.never


def sets_of(num_variables, size):
    return np.array(list(combinations(range(num_variables), size)), dtype=np.uint32)


def counted(data, sets):
    return _core.count_sets(_core.Dataset(data.codes, list(data.schema.cardinalities), NEVER), sets)


@given(data=small_datasets(), size=st.integers(1, 4), pieces=st.integers(1, 4))
def test_counts_of_parts_add_up_to_those_of_the_rows(data, size, pieces):
    size = min(size, data.num_variables)
    sets, cards = sets_of(data.num_variables, size), data.schema.cardinalities
    expected = np.concatenate(
        [reference.count_set(members, rows_of(data), cards) for members in sets.tolist()]
    )
    cuts = np.linspace(0, data.num_rows, pieces + 1).astype(int)
    parts = [make_dataset(data.codes[:, a:b], cards) for a, b in pairwise(cuts) if a < b]
    assert np.array_equal(sum(counted(part, sets) for part in parts), expected)
    assert np.array_equal(_core.count_sets(data.in_core, sets), expected)


@pytest.mark.parametrize("local_score", [Bic(), Bdeu(2.5)], ids=lambda s: s.name)
@given(data=small_datasets(), size=st.integers(1, 3))
def test_scores_follow_from_counts(local_score, data, size):
    size, cards = min(size, data.num_variables), data.schema.cardinalities
    sets = sets_of(data.num_variables, size)
    counts = np.concatenate([reference.count_set(m, rows_of(data), cards) for m in sets.tolist()])
    in_core = local_score._in_core(data.num_rows)
    terms = _core.set_terms(in_core, np.array(cards, dtype=np.uint32), sets, counts.astype(np.int64))
    scorer = _core.FamilyScorer(data.in_core, in_core)
    unit = unit_of(in_core, data.num_rows, local_score)
    for number, members in enumerate(sets.tolist()):
        for place, child in enumerate(members):
            parents = [v for v in members if v != child]
            scorer.begin(child)
            others = terms["others"][number * size + place]
            paid = reference.penalty(child, parents, data.num_rows, cards) if local_score == Bic() else 0.0
            found = float(terms["joint"][number] - others) * unit - paid
            assert found == pytest.approx(scorer.score(np.array(parents, dtype=np.uint32)), abs=1e-9)
            states = [float(cards[child])], [float(math.prod(cards[p] for p in parents))]
            sums = terms["joint"][number : number + 1], np.array([others])
            assert in_core.scores(*sums, *map(np.array, states)) == [
                scorer.score(np.array(parents, dtype=np.uint32))
            ]
            occurring = len({tuple(row[p] for p in parents) for row in rows_of(data)})
            assert terms["configurations"][number * size + place] == occurring


def unit_of(in_core, num_rows, local_score):
    """One in the integers that sums are kept in."""
    largest = math.log(num_rows) + (0 if local_score == Bic() else 500)
    return 2.0 ** (math.floor(math.log2(num_rows * largest + 1)) + 2 - 62)


@given(data=small_datasets(max_variables=7), cut=st.integers(0, 7))
def test_rows_of_pairs_are_those_of_the_families(data, cut):
    n, cards, in_core = data.num_variables, data.schema.cardinalities, _core.Bic(data.num_rows)
    run = _core.Run(math.inf, _core.Run.NO_LIMIT, 1)
    cut = min(cut, n)
    found = np.concatenate(
        [_core.count_pair_rows(data.in_core, in_core, run, a, b) for a, b in ((0, cut), (cut, n))]
    )
    pairs = [(b, a) for a in range(n) for b in range(a)]
    sets = np.array(pairs, dtype=np.uint32).reshape(-1, 2)
    counts = [reference.count_set(pair, rows_of(data), cards) for pair in pairs]
    terms = _core.set_terms(
        in_core, np.array(cards, dtype=np.uint32), sets, np.concatenate(counts).astype(np.int64)
    )
    assert found.tolist() == terms["joint"].tolist()
    best = reference.bic(0, (), rows_of(data), cards)
    assert score(data, parent_sets=Exhaustive(1), budget=None).cache[0][-1].score <= max(best, 0)


def counted_search(data, max_parents, rules, max_sets, families=None):
    """Drive a CountedSearch with counts from the slow twin."""
    cards = np.array(data.schema.cardinalities, dtype=np.uint32)
    in_core = _core.Bic(data.num_rows)

    def terms_of(sets):
        counts = [reference.count_set(members, rows_of(data), cards.tolist()) for members in sets.tolist()]
        return _core.set_terms(in_core, cards, sets, np.concatenate(counts).astype(np.int64))

    n = data.num_variables
    singles = terms_of(sets_of(n, 1))
    occurring = np.array([len(set(column.tolist())) for column in data.codes], dtype=np.uint32)
    order = np.array([(b, a) for a in range(n) for b in range(a)], dtype=np.uint32)
    pairs = _core.PairTerms(singles["joint"], occurring, int(singles["others"][0]), terms_of(order)["joint"])
    children = np.arange(n, dtype=np.uint32)
    families = _core.FamilyRules() if families is None else families
    search = _core.CountedSearch(
        data.num_rows, cards.tolist(), in_core, pairs, max_parents, rules, families, max_sets, children
    )
    while True:
        size, child, parents = search.wanted()
        if len(child) == 0:
            return search.result()
        families = np.column_stack([child, parents.reshape(-1, size)])
        place = (families < child[:, None]).sum(axis=1)
        terms = terms_of(np.ascontiguousarray(np.sort(families, axis=1)))
        rows = np.arange(len(child)), place
        search.settle(
            terms["joint"],
            np.ascontiguousarray(terms["others"].reshape(-1, size + 1)[rows]),
            np.ascontiguousarray(terms["configurations"].reshape(-1, size + 1)[rows]),
        )


@given(data=small_datasets(), max_parents=st.integers(1, 4))
def test_a_search_on_counts_keeps_what_the_twin_keeps(data, max_parents):
    arrays = counted_search(data, max_parents, [_core.Rule.dominated], 2**62)
    cards = data.schema.cardinalities
    every = {v: {} for v in range(data.num_variables)}
    for child, parents in reference.all_families(data.num_variables, max_parents):
        every[child][parents] = reference.bic(child, parents, rows_of(data), cards)
    cache = score(data, parent_sets=Exhaustive(max_parents), pruning=["dominated"], budget=None).cache
    assert arrays["scores"].tobytes() == cache.scores.tobytes()
    assert arrays["parents"].tobytes() == cache.parents.tobytes()
    wanted = reference.without_dominated(every)
    kept = as_dict(cache)
    for child, sets in wanted.items():
        best = max(sets.values())
        assert max(kept[child].values()) == pytest.approx(best)


@given(data=small_datasets(), max_parents=st.integers(0, 3), steps=st.none() | st.integers(1, 600))
def test_a_search_on_counts_prunes_and_stops_as_one_on_rows(data, max_parents, steps):
    rules = ["in_degree", "theorem1", "first_condition", "de_campos_ji", "entropy", "dominated"]
    budget = None if steps is None else Budget(steps=steps)
    alone = score(data, parent_sets=Exhaustive(max_parents), budget=budget)
    each = 2**62 if steps is None else max(1, steps // data.num_variables)
    arrays = counted_search(data, max_parents, [getattr(_core.Rule, rule) for rule in rules], each)
    for name in ("set_offsets", "scores", "parent_offsets", "parents"):
        assert arrays[name].tobytes() == getattr(alone.cache, name).tobytes()
    assert {rule: arrays["removed"][rule] for rule in rules} == alone.report.pruned
    assert arrays["implied"] == alone.report.implied

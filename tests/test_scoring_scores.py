"""Scores of single families: the core against its slow twins, and against other people's programs."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import scoring as reference
from strategies_scoring import make_dataset, rows_of, small_datasets
from treebound import Bdeu, Bic, _core, _core_testing

pytestmark = pytest.mark.core

SCORES = {
    "bic": (Bic(), reference.bic),
    "bdeu": (Bdeu(2.5), lambda *family: reference.bdeu(*family, 2.5)),
}
LAYOUTS = [_core.Dataset.Collapse.never, _core.Dataset.Collapse.always]


def scorer_of(data, score, collapse=_core.Dataset.Collapse.when_it_pays):
    core = _core.Dataset(data.codes, list(data.schema.cardinalities), collapse)
    return _core.FamilyScorer(core, score._in_core(data.num_rows))


def score_families(data, scorer, families):
    result = []
    for child, parents in families:
        scorer.begin(child)
        result.append(scorer.score(np.array(sorted(parents), dtype=np.uint32)))
    return result


@given(data=small_datasets(), order=st.randoms(use_true_random=False))
@pytest.mark.parametrize("collapse", LAYOUTS)
@pytest.mark.parametrize("name", SCORES)
def test_scores_are_those_of_the_slow_twin(name, collapse, data, order):
    score, twin = SCORES[name]
    families = list(reference.all_families(data.num_variables, data.num_variables))
    order.shuffle(families)
    found = score_families(data, scorer_of(data, score, collapse), families)
    cards, rows = data.schema.cardinalities, rows_of(data)
    expected = [twin(child, sorted(parents), rows, cards) for child, parents in families]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-8)


@given(data=small_datasets(), order=st.randoms(use_true_random=False))
@pytest.mark.parametrize("name", SCORES)
def test_all_scores_inside_a_bag_are_those_of_the_slow_twin(name, data, order):
    score, twin = SCORES[name]
    cards, rows = data.schema.cardinalities, rows_of(data)
    inside = _core_testing.BagScores(data.in_core, score._in_core(data.num_rows))
    bags = [bag for k in range(1, 5) for bag in itertools.combinations(range(data.num_variables), k)]
    order.shuffle(bags)
    for bag in bags[:4] + bags[:1]:  # the first once more, from memory
        inside.count(np.array(bag, dtype=np.uint32))
        families = [(i, mask) for i in range(len(bag)) for mask in range(1 << len(bag)) if not mask >> i & 1]
        found = [inside.score(i, mask) for i, mask in families]
        expected = [
            twin(bag[i], [u for j, u in enumerate(bag) if mask >> j & 1], rows, cards) for i, mask in families
        ]
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-8)


def test_bags_with_many_members_or_states_are_not_counted_at_once():
    data = make_dataset(np.zeros((10, 1), dtype=int), [2] * 9 + [129])
    inside = _core_testing.BagScores(data.in_core, Bic()._in_core(1))
    countable = [inside.is_countable(np.array(bag, dtype=np.uint32)) for bag in ([], range(8), range(9))]
    assert countable == [False, True, False]
    assert not inside.is_countable(np.array([0, 1, 2, 9], dtype=np.uint32))  # 1,032 joint states


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("cards", [(40, 3, 2, 33, 5), (300, 2, 7, 40, 2), (32, 32, 32, 2, 2)])
def test_many_states_take_the_path_without_planes(name, cards):
    score, twin = SCORES[name]
    rng = np.random.default_rng(1)
    codes = np.array([(rng.random(1500) ** 3 * card).astype(int) for card in cards])
    data = make_dataset(codes, cards)
    families = [(child, parents) for child, parents in reference.all_families(len(cards), 4) if child != 2]
    found = score_families(data, scorer_of(data, score), families)
    expected = [twin(child, sorted(p), rows_of(data), cards) for child, p in families]
    assert found == pytest.approx(expected, rel=1e-9)


def test_a_score_has_the_same_bits_whatever_the_layout_and_the_order_of_asking():
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 3, (6, 40))[:, rng.integers(0, 40, 3000)]
    data = make_dataset(codes, [3] * 6)
    families = [(0, p) for k in range(6) for p in itertools.combinations(range(1, 6), k)]
    straight = score_families(data, scorer_of(data, Bic(), LAYOUTS[0]), families)
    collapsed = score_families(data, scorer_of(data, Bic(), LAYOUTS[1]), families[::-1])
    assert straight == collapsed[::-1]


def test_repeated_rows_are_collapsed_where_that_pays():
    rng = np.random.default_rng(3)
    repeated = rng.integers(0, 2, (5, 10_000), dtype=np.uint8)
    distinct = rng.integers(0, 2, (64, 1_000), dtype=np.uint8)
    assert _core.Dataset(repeated, [2] * 5).is_collapsed
    assert _core.Dataset(repeated, [2] * 5).num_positions < 500
    assert not _core.Dataset(distinct, [2] * 64).is_collapsed


@pytest.fixture(scope="module")
def survey():
    rng = np.random.default_rng(11)
    a = rng.integers(0, 3, 400)
    b = (a + (rng.random(400) < 0.2)) % 2
    c = (a + b + (rng.random(400) < 0.1)) % 4
    data = make_dataset([a, b, c], [3, 2, 4])
    return data, [(2, (0, 1)), (2, ()), (1, (0,)), (0, (1, 2))]


def test_pgmpy_agrees(survey):
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pgmpy warns about itself on import
        structure_score = pytest.importorskip("pgmpy.structure_score")
    data, families = survey
    states = {name: list(range(card)) for name, card in zip("abc", data.schema.cardinalities, strict=True)}
    frame = pandas.DataFrame(data.codes.T.astype(int), columns=list("abc"))
    scores = {
        Bic(): structure_score.BIC(frame, state_names=states),
        Bdeu(10.0): structure_score.BDeu(frame, state_names=states, equivalent_sample_size=10),
    }
    for ours, theirs in scores.items():
        found = score_families(data, scorer_of(data, ours), families)
        expected = [theirs.local_score("abc"[x], tuple("abc"[p] for p in parents)) for x, parents in families]
        assert found == pytest.approx(expected, rel=1e-9)


def test_pyagrum_agrees(survey, tmp_path):
    pyagrum = pytest.importorskip("pyagrum")
    data, families = survey
    path = tmp_path / "survey.csv"
    np.savetxt(path, data.codes.T, fmt="%d", delimiter=",", header="a,b,c", comments="")
    learner = pyagrum.BNLearner(str(path))
    learner.useScoreBIC()
    learner.useNoPrior()
    found = score_families(data, scorer_of(data, Bic()), families)
    expected = [learner.score("abc"[x], ["abc"[p] for p in parents]) for x, parents in families]
    # pyAgrum counts in bits.
    assert found == pytest.approx(np.array(expected) * np.log(2), rel=1e-9)

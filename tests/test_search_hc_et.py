"""hc-ET against its slow twin, and what its options promise."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound
from reference import hill_climb, scoring
from strategies_scoring import rows_of, small_datasets
from treebound import Bdeu, Bic, Budget, Constraints, Local, _core_testing, check, learn
from treebound.scoring import Exhaustive
from treebound.solvers import HcEt, StopReason, search

pytestmark = pytest.mark.core


def empty_sets(data, score=None):
    """A cache that hc-ET needs nothing else of."""
    return treebound.score(data, parent_sets=Exhaustive(max_parents=0), score=score or Bic()).cache


class Tree:
    """The elimination tree of the core, which has a twin and tests of its own."""

    def __init__(self, cards, max_treewidth, max_cells):
        bounded = max_cells is not None
        states = np.array(cards if bounded else [], dtype=np.uint32)
        self.tree = _core_testing.EliminationTree(
            len(cards), max_treewidth, max_cells if bounded else math.inf, states
        )

    def change(self, families):
        start = self.tree.mark()
        for child, parents in families.items():
            members = [child, *parents]
            self.tree.remove(child)
            if not parents:
                continue
            if not self.tree.cover(members):
                self.tree.roll_back(start)
                return False
            self.tree.add(child, members)
        return True


def agree(data, k, max_cells=None, local_score=None):
    """Climb to a local optimum and compare with the twin."""
    local_score = local_score or Bic()
    rows, cards = rows_of(data), list(data.schema.cardinalities)

    @functools.cache
    def score(child, parents):
        if isinstance(local_score, Bdeu):
            return scoring.bdeu(child, parents, rows, cards, local_score.equivalent_sample_size)
        return scoring.bic(child, parents, rows, cards)

    width = min(k, data.num_variables - 1)
    if max_cells is not None:
        width = min(width, int(math.log2(max_cells)))
    tree = Tree(cards, width, max_cells)
    expected = hill_climb.climb(data.num_variables, score, tree.change, width)
    cache = empty_sets(data, local_score)
    limit = Constraints(max_cells=max_cells)
    found = search(cache, k, constraints=limit, data=data, solver=HcEt(), threads=1)
    assert found.stopped in (StopReason.FINISHED, StopReason.OPTIMAL)
    assert found.structure.parent_indices == tuple(tuple(sorted(own)) for own in expected)
    assert found.score == pytest.approx(sum(score(v, own) for v, own in enumerate(expected)), abs=1e-6)
    return found


@settings(max_examples=50)
@given(
    data=small_datasets(max_variables=8, min_states=2, max_states=3),
    k=st.integers(1, 7),
    max_cells=st.none() | st.integers(6, 60),
    local_score=st.sampled_from([Bic(), Bdeu(2.0)]),
)
def test_moves_are_those_of_the_twin(data, k, max_cells, local_score):
    agree(data, k, max_cells, local_score)


@pytest.mark.parametrize(
    ("seed", "num_variables", "num_states", "num_rows", "k"),
    [(109, 12, 3, 330, 3), (347, 10, 3, 290, 7), (358, 11, 2, 310, 6)],
)
def test_an_arc_that_closed_a_cycle_is_looked_at_again(seed, num_variables, num_states, num_rows, k):
    """Here an arc is taken late that would have closed a cycle before another was turned."""
    network = treebound.random_network(num_variables, max_treewidth=5, max_states=num_states, seed=seed)
    found = agree(network.sample(num_rows, seed), k)
    assert found.statistics["num_reversed"] > 0


@pytest.fixture(scope="module")
def table():
    return treebound.random_network(300, max_treewidth=4, max_states=2, seed=7).sample(400, 7)


def test_the_threads_that_count_do_not_change_the_answer(table):
    cache = empty_sets(table)
    runs = [
        search(cache, 4, data=table, solver=HcEt(restarts=3), budget=Budget(steps=700), seed=2, threads=t)
        for t in (1, 4)
    ]
    assert runs[0].structure == runs[1].structure
    assert runs[0].statistics == runs[1].statistics


def test_moves_add_up_to_the_steps(table):
    result = search(empty_sets(table), 2, data=table, solver=HcEt(), threads=1)
    assert result.stopped is StopReason.FINISHED
    moves = [result.statistics[f"num_{kind}"] for kind in ("added", "removed", "reversed")]
    assert result.steps == 1 + sum(moves)
    assert result.statistics["num_rejected"] > 0
    assert result.structure.num_arcs == moves[0] - moves[1]


def test_a_restart_makes_nothing_worse_and_often_something_better():
    table = treebound.random_network(30, max_treewidth=4, max_states=2, seed=1).sample(300, 1)
    cache = empty_sets(table)
    one, many = (
        search(cache, 2, data=table, solver=HcEt(restarts=restarts), seed=1, threads=1)
        for restarts in (0, 40)
    )
    assert many.statistics["num_climbs"] == 41
    assert many.score > one.score
    assert check(many.structure, cache, 2, data=table)


def test_it_goes_on_from_a_start(table):
    cache = empty_sets(table)
    first = search(cache, 3, data=table, solver=HcEt(), budget=Budget(steps=100), threads=1)
    rest = search(cache, 3, data=table, solver=HcEt(), start=first.structure, threads=1)
    assert first.stopped is StopReason.STEPS
    assert rest.score > first.score
    assert check(rest.structure, cache, 3, data=table)
    again = search(cache, 3, data=table, solver=HcEt(), start=rest.structure, threads=1)
    assert again.structure == rest.structure


def test_learning_scores_no_more_than_the_empty_sets(table):
    result = learn(table, 3, solver=HcEt(), budget=Budget(steps=50), where=Local(threads=1))
    assert result.cache.num_sets == table.num_variables
    assert result.verdict


@pytest.mark.parametrize("restarts", [-1, 1.5, "2", True])
def test_restarts_must_be_a_number_of_them(restarts):
    with pytest.raises((TypeError, ValueError), match="restarts must be"):
        HcEt(restarts=restarts)

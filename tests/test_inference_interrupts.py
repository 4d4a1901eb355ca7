"""Questions that take long: Ctrl-C ends them, and the next one is answered as if nothing had happened."""

from __future__ import annotations

import _thread
import contextlib
import itertools
import math
import threading

import numpy as np
import pytest
from hypothesis import given

from reference import inference as reference
from strategies_inference import Case, possible_cases
from treebound import BayesianNetwork, JunctionTree, Schema, Variable, _core

pytestmark = pytest.mark.core

NUM_ROOTS = 36


def new_run() -> _core.Run:
    return _core.Run(math.inf, _core.Run.NO_LIMIT, 1)


@pytest.fixture(scope="module")
def endless() -> JunctionTree:
    """A clique of 2^36 joint states, of which no table is stored: each pair of roots has a child."""
    roots = range(NUM_ROOTS)
    pairs = list(itertools.combinations(roots, 2))
    parents = [*(() for _ in roots), *pairs]
    tables = [*(np.array([0.5, 0.5]) for _ in roots), *(np.array([0.9, 0.1] * 4) for _ in pairs)]
    schema = Schema([Variable(f"v{v}", ("no", "yes")) for v in range(len(parents))])
    order = [*range(NUM_ROOTS, len(parents)), *roots]
    return JunctionTree(BayesianNetwork.from_indices(schema, parents, tables, order))


CHILDREN = {f"v{NUM_ROOTS + child}": "yes" for child in range(math.comb(NUM_ROOTS, 2))}
QUESTIONS = {
    "marginals": lambda tree: tree.marginals(CHILDREN),
    "log_probability": lambda tree: tree.log_probability(CHILDREN),
    "posterior": lambda tree: tree.posterior("v0", CHILDREN),
    "joint": lambda tree: tree.posterior(("v0", "v5"), CHILDREN),
    "sample": lambda tree: tree.sample(1, 0, CHILDREN),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_ctrl_c_ends_a_question_that_would_take_hours(endless: JunctionTree, name: str) -> None:
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        QUESTIONS[name](endless)
    timer.join()
    known = {f"v{root}": "yes" for root in range(1, NUM_ROOTS)}
    assert endless.posterior("v0", CHILDREN | known).array == pytest.approx([0.5, 0.5])


@given(case=possible_cases())
def test_a_stopped_question_leaves_the_tree_as_good_as_new(case: Case) -> None:
    tree, stopped = case.network.junction_tree, new_run()
    stopped.request_stop()
    tree._tree.set_findings(*tree._findings(case.evidence).flat())
    for ask in (tree._tree.log_probability, tree._tree.marginals):
        with contextlib.suppress(_core.Stopped):
            ask(stopped)
    assert tree.log_probability(case.evidence) == pytest.approx(math.log(case.weighted.sum()))
    for v, found in enumerate(tree.marginals(case.evidence).values()):
        assert np.asarray(found) == pytest.approx(reference.posterior(case.weighted, (v,)))

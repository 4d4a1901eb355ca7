"""Exact inference with ten thousand variables at width four.

`passes` compares the time of all marginals with one pass over all clique tables at the speed of memory, which
nothing can beat that stores them; we do not store them.

Apart from benchmarks.paper: it measures one made network beside pyAgrum, step by step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

import treebound
from _common import Expect, Row

QUESTION = "What does a network of 10,000 binary variables and width 4 cost, step by step, beside pyAgrum?"
EXPECTED = [Expect("times_faster", at_least=20)]
NUM_VARIABLES = 10_000
WIDTH = 4

Result = TypeVar("Result")


def measure() -> Iterator[Row]:
    """One row for each step."""
    drawn = treebound.random_network(
        NUM_VARIABLES, max_states=2, min_parents=WIDTH, max_parents=WIDTH, max_treewidth=WIDTH, seed=1
    )
    network, built = clocked(
        lambda: treebound.BayesianNetwork.from_indices(
            drawn.schema, drawn.parent_indices, drawn.tables, drawn.elimination_order
        )
    )
    tree, made = clocked(lambda: treebound.JunctionTree(network))
    marginals, asked = clocked(tree.marginals)
    target, known = network.schema.names[NUM_VARIABLES // 2], network.schema.names[17]
    evidence = {known: network.schema[17].states[0]}
    answer, changed = clocked(lambda: tree.posterior(target, evidence))

    peer, peer_built = clocked(lambda: treebound.formats.to_pyagrum(network))
    inference, peer_made = clocked(lambda: junction_tree_of(peer))
    peer_marginals, peer_asked = clocked(
        lambda: {name: inference.posterior(name).toarray() for name in network.schema.names}
    )
    peer_answer, peer_changed = clocked(lambda: ask(inference, evidence, target))

    assert max(np.abs(marginals[name] - peer_marginals[name]).max() for name in marginals) < 1e-9
    assert np.abs(answer.array - peer_answer).max() < 1e-9
    yield row("network object", built, peer_built)
    yield row("junction tree", made, peer_made)
    pass_seconds = tree.num_cells * 8 / bytes_per_second()
    yield row("all marginals", asked, peer_asked) | {"passes": asked / pass_seconds}
    yield row("one finding, one posterior", changed, peer_changed)


def row(step: str, ours: float, theirs: float) -> Row:
    """Processor seconds side by side."""
    return {"step": step, "cpu_s": ours, "pyagrum_cpu_s": theirs, "times_faster": theirs / ours}


def clocked(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result and its processor seconds."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def junction_tree_of(peer: object) -> object:
    """Their tree, without messages."""
    import pyagrum

    inference = pyagrum.LazyPropagation(peer)
    # Its threads wait in loops, which would count as work.
    inference.setNumberOfThreads(1)
    inference.junctionTree()
    return inference


def ask(inference: object, evidence: dict[str, str], target: str) -> np.ndarray:
    """Their answer to one question after one finding."""
    inference.setEvidence(evidence)
    inference.eraseAllTargets()
    inference.addTarget(target)
    return inference.posterior(target).toarray()


def bytes_per_second() -> float:
    """How fast memory is read in order."""
    numbers = np.ones(1 << 25)
    seconds = min(clocked(numbers.sum)[1] for _ in range(5))
    return numbers.nbytes / seconds

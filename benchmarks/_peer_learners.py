"""Learns one table with one program, in a process of its own: python _peer_learners.py METHOD TABLE OUT.

OUT gets a line of JSON after each stage, so a process that is killed in the second stage leaves the first:
the parents of each column with the seconds of learning, then the seconds of all marginals. Reading the table
and importing the program are not counted.
"""

from __future__ import annotations

import importlib
import json
import pathlib
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

Parents = dict[str, list[str]]
Marginals = Callable[[], dict[str, Any]]
# A junction tree without a limit may ask for more memory than any machine has.
MAX_BYTES = 6 * 2**30


def treebound(table: pd.DataFrame, seconds: float) -> Iterator[Parents | Marginals]:
    """Regrow with the default limits: treewidth 5, and 10,000 cells in a bag."""
    import treebound as tb

    result = tb.learn(table, budget=seconds, where=tb.Local(threads=1))
    yield {name: list(parents) for name, parents in result.structure.parents.items()}
    network = result.network
    yield lambda: dict(network.marginals())


def pyagrum(table: pd.DataFrame, search: str) -> Iterator[Parents | Marginals]:
    """Greedy hill climbing, or local search with a tabu list, by BIC; parameters with one pseudo-count."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    learner = gum.BNLearner(table)
    learner.useScoreBIC()
    getattr(learner, search)()
    graph = learner.learnDAG()
    names = learner.names()
    yield {name: [names[p] for p in graph.parents(learner.idFromName(name))] for name in names}
    fitter = gum.BNLearner(table)
    fitter.useSmoothingPrior(1)
    network = fitter.learnParameters(graph)

    def marginals() -> dict[str, Any]:
        inference = gum.LazyPropagation(network)
        inference.makeInference()
        return {name: inference.posterior(name) for name in names}

    yield marginals


def pgmpy(table: pd.DataFrame) -> Iterator[Parents | Marginals]:
    """Hill climbing by BIC; parameters with the BDeu prior; variable elimination for each marginal."""
    from pgmpy.causal_discovery import HillClimbSearch
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator

    found = HillClimbSearch(scoring_method="bic-d", return_type="dag", show_progress=False).fit(table)
    graph = found.causal_graph_
    yield {name: list(graph.predecessors(name)) if name in graph else [] for name in table.columns}
    network = DiscreteBayesianNetwork(graph.edges())
    network.add_nodes_from(table.columns)
    network.fit(table, estimator=DiscreteBayesianEstimator(prior_type="BDeu", equivalent_sample_size=1))

    def marginals() -> dict[str, Any]:
        inference = VariableElimination(network)
        return {name: inference.query([name], show_progress=False) for name in table.columns}

    yield marginals


METHODS: dict[str, Callable[[pd.DataFrame], Iterator[Parents | Marginals]]] = {
    "treebound, 1 s": lambda table: treebound(table, 1.0),
    "treebound, 10 s": lambda table: treebound(table, 10.0),
    "pyAgrum, hill climbing": lambda table: pyagrum(table, "useGreedyHillClimbing"),
    "pyAgrum, tabu search": lambda table: pyagrum(table, "useLocalSearchWithTabuList"),
    "pgmpy, hill climbing": pgmpy,
}
# What each program imports on first use, which is no part of the time.
MODULES = {
    "treebound": ("treebound.learning", "treebound.network", "treebound.tables", "treebound.inference"),
    "pyAgrum": ("pyagrum",),
    "pgmpy": ("pgmpy.causal_discovery", "pgmpy.inference", "pgmpy.models", "pgmpy.parameter_estimator"),
}


def modules_of(method: str) -> tuple[str, ...]:
    """Return the modules that a method needs."""
    return MODULES[method.split(",")[0]]


def main(method: str, path: str, out: str) -> None:
    """Learn and query once."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    table = pd.read_csv(path, dtype=str)
    for module in modules_of(method):
        importlib.import_module(module)
    with pathlib.Path(out).open("w") as file:
        stages = METHODS[method](table)
        start = time.perf_counter()
        parents = next(stages)
        print(json.dumps({"seconds": time.perf_counter() - start, "parents": parents}), file=file, flush=True)
        marginals = next(stages)
        assert callable(marginals)
        start = time.perf_counter()
        found = marginals()
        print(json.dumps({"marginals_s": time.perf_counter() - start}), file=file, flush=True)
    assert len(found) == table.shape[1]


if __name__ == "__main__":
    main(*sys.argv[1:])

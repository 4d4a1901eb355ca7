"""How sure the arcs are: in which share of many good networks two variables are joined, and which way.

The networks come from resampled tables (Friedman, Goldszmidt and Wyner 1999), or are the best of many
searches on one table, each with the weight of its posterior (Madigan and Raftery 1994). Equivalent networks
are equally good, so a reversible arc counts half for each direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from treebound._arguments import check_integer, check_seed, check_type
from treebound._budget import Budget
from treebound._progress import ProgressOption, watched
from treebound._where import Local
from treebound.constraints import Constraints
from treebound.data import Dataset, Rules
from treebound.learning import LearnResult, learn
from treebound.resampling._counter import Counter
from treebound.resampling._strength import ArcStrength
from treebound.resampling._table import dataset_of
from treebound.scoring import ParentSetCache, Score
from treebound.solvers import DEFAULT_SOLVER, Solver
from treebound.structure import Structure

DEFAULT_BUDGET = Budget(seconds=5)


@dataclass(frozen=True)
class Bootstrap:
    """``replicates`` tables of as many rows as the table has, drawn from it with replacement."""

    replicates: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "replicates", check_integer("replicates", self.replicates, 1))


@dataclass(frozen=True)
class ModelAveraging:
    """``searches`` searches of the table itself, which is scored once; the score gives a network its weight.

    A network weighs exp(score), its posterior probability up to a factor: BDeu is the logarithm of it, BIC
    stands for it. Only what the searches find is averaged, so arcs look surer than in a bootstrap.
    """

    searches: int = 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "searches", check_integer("searches", self.searches, 1))


DEFAULT_METHOD = Bootstrap()


def arc_strength(
    table: Any,
    max_treewidth: int,
    *,
    method: Bootstrap | ModelAveraging = DEFAULT_METHOD,
    budget: Budget = DEFAULT_BUDGET,
    solver: Solver = DEFAULT_SOLVER,
    score: Score | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: ProgressOption = None,
    discretise: Rules = None,
    auto: bool = False,
    constraints: Constraints | None = None,
) -> ArcStrength:
    """Learn many networks of limited treewidth, and report how many of them have each arc.

    Ctrl-C ends early, and the networks that were finished count; with none, it is raised.

    Parameters
    ----------
    table : Dataset or anything that ``load`` takes
        The rows.
    max_treewidth : int
        Treewidth limit of every network.
    method : Bootstrap or ModelAveraging
        What differs between the networks: their rows, or their seeds.
    budget : Budget
        The budget of each network.
    solver : Solver
        A solver of ``treebound.solvers``.
    score : Bic or Bdeu, optional
        The score to maximise.
    seed : int
        Random seed.
    threads : int, optional
        Number of threads; all cores by default.
    progress : bool or callable, optional
        True draws a bar, which counts networks.
    discretise, auto
        Options of :func:`treebound.load`, if ``table`` is not a Dataset.
    constraints : Constraints, optional
        What is known about the structure.

    Returns
    -------
    ArcStrength
        With the ``arcs``, strongest first, all ``networks``, and a ``consensus``.
    """
    check_type("method", method, Bootstrap | ModelAveraging, "Bootstrap() or ModelAveraging()")
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=5)")
    check_integer("max_treewidth", max_treewidth, 1)
    data = dataset_of(table, discretise, auto)
    data.require_countable("learning")
    options: dict[str, Any] = {
        "budget": budget,
        "solver": solver,
        "where": Local(threads),
        "constraints": constraints,
    }
    if isinstance(method, Bootstrap):
        total = method.replicates
        results = _of_resampled(data, max_treewidth, total, check_seed(seed), {**options, "score": score})
    else:
        total = method.searches
        results = _of_one_table(data, max_treewidth, total, check_seed(seed), options, score)
    networks: list[Structure] = []
    with watched(progress) as report, suppress(KeyboardInterrupt):
        counter = Counter(report, total)
        for result in results:
            if result.was_interrupted:
                break
            networks.append(result.structure)
            counter.count()
    if not networks:
        raise KeyboardInterrupt
    weights = np.ones(len(networks))
    if isinstance(method, ModelAveraging):
        scores = np.array([structure.score for structure in networks])
        weights = np.exp(scores - scores.max())
    return ArcStrength(
        tuple(networks), tuple(weights.tolist()), max_treewidth, was_interrupted=len(networks) < total
    )


def _of_resampled(
    data: Dataset, max_treewidth: int, replicates: int, seed: int, options: dict[str, Any]
) -> Iterator[LearnResult]:
    for number in range(replicates):
        rows = np.random.default_rng([seed, number]).integers(0, data.num_rows, data.num_rows)
        yield learn(Dataset(data.schema, data.codes[:, rows]), max_treewidth, seed=seed, **options)


def _of_one_table(
    data: Dataset,
    max_treewidth: int,
    searches: int,
    seed: int,
    options: dict[str, Any],
    score: Score | ParentSetCache | None,
) -> Iterator[LearnResult]:
    for number in range(searches):
        result = learn(data, max_treewidth, seed=check_seed(seed + number), score=score, **options)
        score = result.cache
        yield result

"""Which bound to take: held-out rows show how much a larger one is worth, tables what it costs.

For each bound networks are learned without some of the rows, which then are held against them. The smallest
bound is recommended that is no worse than the best by more than one standard error of the difference, row by
row (the rule of Breiman, Friedman, Olshen and Stone 1984, section 3.4.3, on paired differences), or by no
more than a thousandth of a nat per row: with equal networks the standard error may be smaller than that.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_number, check_seed, check_type
from treebound._budget import Budget
from treebound._progress import ProgressOption, watched
from treebound._where import Local
from treebound.constraints import Constraints
from treebound.data import Dataset, Rules
from treebound.inference import JunctionTree
from treebound.learning import LearnResult, learn
from treebound.network import DEFAULT_SMOOTHING, SMOOTHING_IN_WORDS, BayesianNetwork, Smoothing, fit
from treebound.resampling._counter import Counter
from treebound.resampling._table import dataset_of
from treebound.resampling._treewidth_choice import TreewidthChoice, Trial
from treebound.scoring import Score
from treebound.solvers import DEFAULT_SOLVER, Solver

DEFAULT_BUDGET = Budget(seconds=10)
DEFAULT_TREEWIDTHS = range(1, 9)
_TIMED_QUERIES = 5  # queries that are timed


@dataclass(frozen=True)
class CrossValidation:
    """Deal the rows into parts, each of which is held out once.

    Parameters
    ----------
    folds : int
        Number of parts.
    """

    folds: int = 5

    def __post_init__(self) -> None:
        object.__setattr__(self, "folds", check_integer("folds", self.folds, 2))

    @property
    def num_parts(self) -> int:
        """How many networks are learned for each bound."""
        return self.folds

    def parts(self, num_rows: int, seed: int) -> list[NDArray[np.intp]]:
        """The rows that are held out, part by part."""
        order = np.random.default_rng(seed).permutation(num_rows)
        return [np.sort(order[part :: self.folds]) for part in range(self.folds)]


@dataclass(frozen=True)
class Split:
    """Hold out some of the rows, drawn at random.

    Parameters
    ----------
    share : float
        Share of the rows to hold out.
    """

    share: float = 0.25

    def __post_init__(self) -> None:
        share = check_number("share", self.share, positive=True)
        if share >= 1:
            raise ValueError(f"share must be less than 1, got {share}.")
        object.__setattr__(self, "share", share)

    @property
    def num_parts(self) -> int:
        """How many networks are learned for each bound."""
        return 1

    def parts(self, num_rows: int, seed: int) -> list[NDArray[np.intp]]:
        """The rows that are held out."""
        count = max(1, round(self.share * num_rows))
        return [np.sort(np.random.default_rng(seed).permutation(num_rows)[:count])]


Validation: TypeAlias = CrossValidation | Split
DEFAULT_VALIDATION = CrossValidation()


def choose_treewidth(
    table: Any,
    max_treewidths: Iterable[int] = DEFAULT_TREEWIDTHS,
    *,
    validation: Validation = DEFAULT_VALIDATION,
    budget: Budget = DEFAULT_BUDGET,
    solver: Solver = DEFAULT_SOLVER,
    score: Score | None = None,
    smoothing: Smoothing = DEFAULT_SMOOTHING,
    seed: int = 0,
    threads: int | None = None,
    progress: ProgressOption = None,
    discretise: Rules = None,
    auto: bool = False,
    constraints: Constraints | None = None,
) -> TreewidthChoice:
    """Learn networks with several treewidth limits, and recommend one of the limits.

    For each limit one network is learned from all rows, for its score and the size of its CPTs, and one
    without each part of the rows that ``validation`` holds out. Ctrl-C ends early, and the choice is among
    the limits that were finished; with none, it is raised.

    Parameters
    ----------
    table : Dataset or anything that ``load`` takes
        The rows; bins are computed from all of them.
    max_treewidths : iterable of int
        The limits to compare.
    validation : CrossValidation or Split
        Which rows are held out.
    budget : Budget
        The budget of each network.
    solver : Solver
        A solver of ``treebound.solvers``.
    score : Bic or Bdeu, optional
        The score to maximise.
    smoothing : MarginalPrior, BackoffPrior, BdeuPrior, PseudoCount or MaximumLikelihood
        How the CPTs are estimated.
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
    TreewidthChoice
        With ``recommended``, the ``reason``, and a ``table`` of all limits.
    """
    check_type("validation", validation, Validation, "CrossValidation() or Split()")
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=10)")
    check_type("smoothing", smoothing, Smoothing, SMOOTHING_IN_WORDS)
    bounds = _bounds(max_treewidths)
    data = dataset_of(table, discretise, auto)
    if data.num_rows < validation.num_parts + 1:
        raise ValueError(f"{validation} needs at least {validation.num_parts + 1} rows, got {data.num_rows}.")
    held_out = validation.parts(data.num_rows, check_seed(seed))
    options: dict[str, Any] = {
        "budget": budget,
        "solver": solver,
        "score": score,
        "seed": seed,
        "where": Local(threads),
        "constraints": constraints,
    }
    total = len(bounds) * (1 + len(held_out))
    trials = []
    with watched(progress) as report:
        counter = Counter(report, total)
        for bound in bounds:
            try:
                trials.append(_trial(data, bound, held_out, options, smoothing, counter))
            except KeyboardInterrupt:
                if not trials:
                    raise
                break
    return TreewidthChoice(tuple(trials), was_interrupted=len(trials) < len(bounds))


def _bounds(given: Iterable[int]) -> list[int]:
    check_type("max_treewidths", given, Iterable, "several whole numbers, such as range(1, 9)")
    bounds = sorted({check_integer("max_treewidth", bound, 1) for bound in given})
    if not bounds:
        raise ValueError("max_treewidths must hold at least one bound, got none.")
    return bounds


def _trial(
    data: Dataset,
    bound: int,
    held_out: list[NDArray[np.intp]],
    options: dict[str, Any],
    smoothing: Smoothing,
    counter: Counter,
) -> Trial:
    whole = _learned(data, bound, options)
    counter.count()
    network = fit(whole, data, smoothing=smoothing)
    logs = []
    for train, test in _parts(data, held_out):
        part = fit(_learned(train, bound, options), train, smoothing=smoothing)
        logs.append(part.score_samples(test))
        counter.count()
    tree = JunctionTree(network)
    structure = whole.structure.tightened()
    cells = structure.guarantee.largest_cells
    assert cells is not None
    return Trial(
        bound,
        structure.treewidth,
        np.concatenate(logs),
        whole.score,
        cells,
        network.num_parameters,
        _query_seconds(tree, network),
        whole.phases.total,
    )


def _learned(data: Dataset, bound: int, options: dict[str, Any]) -> LearnResult:
    result = learn(data, bound, **options)
    if result.was_interrupted:
        raise KeyboardInterrupt
    return result


def _parts(data: Dataset, held_out: list[NDArray[np.intp]]) -> Iterator[tuple[Dataset, Dataset]]:
    for rows in held_out:
        is_test = np.zeros(data.num_rows, dtype=np.bool_)
        is_test[rows] = True
        yield Dataset(data.schema, data.codes[:, ~is_test]), Dataset(data.schema, data.codes[:, is_test])


def _query_seconds(tree: JunctionTree, network: BayesianNetwork) -> float:
    """The usual time for all marginals after a change of one finding, of a variable with several states."""
    tree.marginals()
    several = [variable for variable in network.schema if variable.cardinality > 1] or list(network.schema)
    seconds = []
    for number in range(_TIMED_QUERIES):
        variable = several[number * len(several) // _TIMED_QUERIES]
        began = time.perf_counter()
        tree.marginals({variable.name: [1.0] * (variable.cardinality - 1) + [2.0]})
        seconds.append(time.perf_counter() - began)
    return median(seconds)

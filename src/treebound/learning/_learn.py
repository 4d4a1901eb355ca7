"""From a table, or a cache of scored parent sets, to a structure of bounded treewidth."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from treebound._arguments import check_type
from treebound._budget import Budget, takes_budget
from treebound._progress import Observer, ProgressOption
from treebound._where import HERE, Local
from treebound.constraints import Constraints
from treebound.data import Dataset, Hidden, check_hidden
from treebound.learning._choose_states import ChosenStates
from treebound.learning._here import Here, Limits
from treebound.learning._incomplete_rows import IncompleteRows
from treebound.learning._recipe import Recipe, Wanted
from treebound.learning._result import LearnResult
from treebound.learning._schedule import Schedule, budget_of
from treebound.learning._sources import Source
from treebound.learning._structural_em import StructuralEm
from treebound.scoring import MemoryEstimate, ParentSetCache, Score, ScoringResult
from treebound.solvers import DEFAULT_SOLVER, Solver, entry_of, kept_bound, solver_of
from treebound.structure import Structure

#: What ``learn`` does with missing values.
LearnMissing: TypeAlias = Literal["error", "drop", "em"]


@takes_budget
def learn(
    table: Any,
    max_treewidth: int | None = None,
    *,
    budget: Budget | float | None = None,
    solver: Solver | str = DEFAULT_SOLVER,
    score: Score | ParentSetCache | ScoringResult | None = None,
    start: Structure | None = None,
    missing: LearnMissing = "error",
    seed: int = 0,
    where: Local | Here = HERE,
    progress: ProgressOption | Observer = None,
    constraints: Constraints | None = None,
    hidden: Hidden | None = None,
) -> LearnResult:
    """Learn a Bayesian network of limited treewidth from a table.

    Parameters
    ----------
    table : Dataset, ParentSetCache, ScoringResult or anything that ``load`` takes
        A :class:`Dataset` or anything that :func:`treebound.load` takes: a file, a data frame, a dict of
        columns. Load it first to discretise it or to fix problems: ``learn(load(table, auto=True))``. A
        :class:`ParentSetCache`, the path of one (``.tbc``, ``.jkl``) or the result of
        :func:`treebound.score` is searched as it is.
    max_treewidth : int, optional
        Limit on each bag of the tree decomposition: at most ``max_treewidth`` + 1 variables.
        ``Constraints(max_cells=...)`` limits their joint states. Without either, the treewidth is at most 5
        and, if the solver supports it, a bag has at most 10,000 joint states (or as many as the largest
        variable). Queries then take milliseconds.
    budget : Budget or float, optional
        A :class:`Budget`, or a number of seconds (default: 60). It covers the whole call: reading, scoring
        (at most a quarter of the seconds), the search and the check. A budget of steps counts steps of the
        search and does not depend on the time: scoring visits the same number of sets on every machine.
    solver : Solver or str
        A solver of ``treebound.solvers`` or its name, such as ``"kg"``.
    score : Bic, Bdeu, ParentSetCache or ScoringResult, optional
        ``Bic()`` (default) or ``Bdeu()``. If few parent sets are within the limits, all are scored, otherwise
        those that the solver uses. To choose them, score them first:
        ``learn(table, score=treebound.score(table, parent_sets=Exhaustive(2)))``. Such a cache holds its
        score and is compared with the table.
    start : Structure, optional
        A structure to continue from. It is scored on these rows first.
    missing : {"error", "drop", "em"}
        What to do with rows that have missing values: raise an error, drop them, or use all observed cells by
        structural EM. The score is then the BIC of the observed cells, and values must be missing at random.
    seed : int
        Random seed. Equal seeds and steps give equal results for any number of threads or workers.
    where : Local or Cluster
        ``Local(threads=..., memory_mb=...)`` or a :class:`treebound.distributed.Cluster`.
    progress : bool, callable or Observer, optional
        True draws a bar; a function is called a few times per second. An :class:`Observer` also gets the
        cache and every better structure, to save them.
    constraints : Constraints, optional
        What is known about the structure: required and forbidden arcs, tiers and more. Every solver obeys
        it, and the verdict says so. It may mention hidden variables.
    hidden : mapping, optional
        Hidden variables, which the table has no column for, with their numbers of states, such as
        ``{"H": 8}``, or ``"bic"`` or ``"held-out"`` to choose the number. Structural EM places them.

    Returns
    -------
    LearnResult
        With the ``structure``, the ``network`` fitted to the rows, and the ``verdict`` of the checker.
        Ctrl-C ends the current phase early; the best structure so far is returned.

    Raises
    ------
    NotEnoughMemory
        If the estimated memory exceeds what is free or allowed. Nothing was scored yet.
    CacheError
        If ``score`` is a cache of other rows.
    ContradictionError
        If no structure obeys the constraints; the message gives the shortest reason.

    Examples
    --------
    >>> import treebound
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9}
    >>> result = treebound.learn(rows, budget=treebound.Budget(steps=10))
    >>> result.structure.num_arcs, result.limits
    (1, 'treewidth 5, 10,000 cells per bag')
    >>> print(f"{result.network.posterior('wet', {'rain': 'yes'})['yes']:.2f}")
    0.99
    """
    whole, solver = budget_of(budget), solver_of(solver)
    score = score.cache if isinstance(score, ScoringResult) else score
    limits = Limits(kept_bound(entry_of(solver), max_treewidth), None)
    observer = progress if isinstance(progress, Observer) else Observer(progress)
    wanted = Wanted(limits, solver, score, start, seed, observer.checkpoint, constraints)
    with place_of(where) as place:
        schedule = Schedule(whole)  # starting a cluster does not count
        source = _opened(table, place, missing)
        return recipe_of(wanted, place, source, schedule, check_hidden(hidden)).run(observer.progress)


def _opened(table: Any, place: Here, missing: LearnMissing) -> Source:
    """Return the source, with the requested rows."""
    if missing not in get_args(LearnMissing):
        raise ValueError(f"missing must be 'error', 'drop' or 'em', got {missing!r}.")
    if isinstance(table, Dataset):
        return place.open(table.complete() if missing == "drop" else table, may_miss=missing == "em")
    if missing == "error":
        return place.open(table)
    if missing == "drop":
        return place.open(table, missing="drop")
    return place.open(table, may_miss=True, missing="keep")


def recipe_of(
    wanted: Wanted, place: Here, source: Source, schedule: Schedule, hidden: Hidden | None = None
) -> Recipe | StructuralEm | ChosenStates:
    """Return how to learn: missing values and hidden variables take rounds of EM and search."""
    named = dict(hidden or {})
    numbers = {name: states if isinstance(states, int) else 2 for name, states in named.items()}
    used = place.observed(source, numbers)
    if not isinstance(used, IncompleteRows):
        return Recipe(wanted, place, used, schedule)
    if numbers == named:
        return StructuralEm(wanted, place, used, schedule)
    return ChosenStates(wanted, place, used, named, schedule)


def estimate_memory(
    table: Any,
    max_treewidth: int | None = None,
    *,
    budget: Budget | float | None = None,
    solver: Solver | str = DEFAULT_SOLVER,
    where: Local = HERE,
) -> MemoryEstimate:
    """Estimate the peak memory of :func:`learn`, with a breakdown.

    Parameters
    ----------
    table : Dataset or anything that ``load`` takes
        The rows.
    max_treewidth : int, optional
        Treewidth limit.
    budget : Budget or float, optional
        A budget, or a number of seconds.
    solver : Solver or str
        The solver or its name.
    where : Local
        Threads and memory of this process.

    Returns
    -------
    MemoryEstimate

    Raises
    ------
    DataError
        If the table cannot be used.

    Examples
    --------
    >>> import treebound
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9}
    >>> treebound.estimate_memory(rows, 2).peak_mb > 0
    True
    """
    wanted = Wanted(Limits(max_treewidth, None), solver_of(solver))
    check_type("where", where, Local, "Local()")
    place = Here(where)
    recipe = Recipe(wanted, place, place.open(table), Schedule(budget_of(budget)))
    if recipe.memory is None:
        raise ValueError("The memory is estimated for tables, and the source is a cache.")
    return recipe.memory


def place_of(where: Local | Here) -> Here:
    """Return the place to work in."""
    check_type("where", where, Local | Here, "Local() or a treebound.distributed.Cluster")
    return Here(where) if isinstance(where, Local) else where

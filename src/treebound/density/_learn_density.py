"""From a table to a density: members of several kinds, trained in one budget, weighted on held-out rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from treebound._arguments import check_seed
from treebound._budget import Budget, resolve_threads
from treebound._progress import Progress, ProgressOption, watched
from treebound._run import StopReason
from treebound.density._clock import BudgetClock
from treebound.density._combine import Combination, combine
from treebound.density._member import Member
from treebound.density._networks import Searches
from treebound.density._result import DensityMember, DensityResult
from treebound.density._split import Split, split_of
from treebound.density._train import Plan, train
from treebound.learning import budget_of
from treebound.structure import Structure

TRAINING = "training"
_NETWORK_LIMITS = (5, 8, 12)
_SHARED_LIMITS = (2, 3)
_SCALES = (0.5, 0.1)
# Shares of the budget: one search, one member of the first round, all training.
_SEARCH_SHARE, _MEMBER_SHARE, _TRAINING_SHARE = 0.02, 0.08, 0.95
_MOST_MEMBERS = 16


def learn_density(
    table: Any,
    *,
    budget: Budget | float | None = None,
    valid: Any = None,
    seed: int = 0,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> DensityResult:
    """Learn the joint distribution of all columns as a mixture that answers exact queries.

    Members are smooth mixtures over a tree and over networks of treewidth 2 and 3, and single networks of
    treewidth 5, 8 and 12. Held-out rows decide when training stops, which starts are repeated, and the
    weights of the members.

    Parameters
    ----------
    table : Dataset or anything that ``load`` takes
        The rows. Missing cells are summed out in smooth mixtures. Load the table first to discretise it, to
        keep its missing cells (``missing="keep"``) or to give its rows weights; searches for structures do
        not use the weights.
    budget : Budget or float, optional
        A :class:`Budget`, or a number of seconds (default: 60), for the whole call. A budget of steps
        counts steps of training, and then nothing looks at the clock.
    valid : table, optional
        Held-out rows. Without them a tenth of the rows is held out.
    seed : int
        Random seed. Equal seeds and steps give equal results for any number of threads, on processors with
        the same vector instructions.
    threads : int, optional
        Number of threads; None uses all cores.
    progress : bool or callable, optional
        True draws a bar; a function is called after every few steps.

    Returns
    -------
    DensityResult
        With the ``model`` and its ``members``. Ctrl-C ends training early; the best so far is returned.

    Raises
    ------
    DataError
        If the table cannot be used.

    Examples
    --------
    >>> import treebound as tb
    >>> rows = tb.random_network(5, max_states=2, seed=1).sample(300, seed=1)
    >>> result = tb.learn_density(rows, budget=tb.Budget(steps=40))
    >>> result.model.log_likelihood_rows(rows).shape
    (300,)
    """
    whole, seed, threads = budget_of(budget), check_seed(seed), resolve_threads(threads)
    clock = BudgetClock(whole)
    split = split_of(table, valid, seed)
    with watched(progress) as callback:
        members = _members(split, clock, seed, threads, callback)
    found = combine(members, split)
    return DensityResult(
        found.model,
        _listed(found),
        float(found.valid_logs.mean()),
        clock.seconds,
        clock.num_steps,
        _reason(clock),
    )


def _members(
    split: Split, clock: BudgetClock, seed: int, threads: int, callback: Callable[[Progress], None] | None
) -> list[Member]:
    """Return single networks, then smooth mixtures: each kind once, and the best ones with further seeds."""
    searches = Searches(split, split.complete_rows(), clock, _SEARCH_SHARE, threads, seed)
    members: list[Member] = []
    for limit in _within(_NETWORK_LIMITS, split):
        if not (members and clock.is_stopped):
            members.append(searches.member(limit))
    best: float = -math.inf

    def report(valid_log_likelihood: float) -> None:
        nonlocal best
        best = max(best, valid_log_likelihood)
        if callback is not None:
            callback(Progress(TRAINING, clock.seconds, clock.num_steps, best, 0, 0, clock.budget))

    trained: list[tuple[Plan, Member]] = []
    for plan in _first_plans(searches, seed):
        until = min(_TRAINING_SHARE, clock.used + _MEMBER_SHARE)
        if clock.used < _TRAINING_SHARE:
            trained.append((plan, train(plan, split, clock, until, threads, report)))
    for plan in _further_plans(trained, seed):
        if clock.used >= _TRAINING_SHARE or len(trained) >= _MOST_MEMBERS:
            break
        trained.append((plan, train(plan, split, clock, _TRAINING_SHARE, threads, report)))
    return [*members, *(member for _, member in trained)]


def _first_plans(searches: Searches, seed: int) -> Iterator[Plan]:
    """Yield all structures with all scales: which scale uses the latent space differs between tables."""
    if searches.clock.is_stopped:
        return
    structures: list[tuple[str, Structure]] = [("a tree", searches.tree())]
    for limit in _within(_SHARED_LIMITS, searches.split):
        structures.append((f"treewidth {limit}", searches.network(limit)))
    for number, (name, structure) in enumerate(structures):
        for scale in _SCALES:
            yield Plan(f"smooth mixture over {name}, scale {scale}", structure, scale, seed + number)


def _further_plans(trained: list[tuple[Plan, Member]], seed: int) -> Iterator[Plan]:
    """Yield the two best plans again and again, with new seeds."""
    ranked = sorted(trained, key=lambda one: -one[1].valid_log_likelihood)
    best = [plan for plan, _ in ranked[:2]]
    for number in count(1):
        for plan in best:
            yield Plan(f"{plan.name}, seed {number}", plan.structure, plan.scale, seed + 1000 * number)


def _within(limits: tuple[int, ...], split: Split) -> list[int]:
    """Return treewidth limits below the number of variables, at least one."""
    widest = max(1, len(split.schema) - 1)
    return sorted({min(limit, widest) for limit in limits})


def _listed(found: Combination) -> tuple[DensityMember, ...]:
    members = [
        DensityMember(one.name, weight, one.valid_log_likelihood)
        for one, weight in zip(found.members, found.weights.tolist(), strict=True)
    ]
    return tuple(sorted(members, key=lambda one: -one.weight))


def _reason(clock: BudgetClock) -> StopReason:
    if clock.is_stopped:
        return StopReason.INTERRUPTED
    if clock.used < _TRAINING_SHARE:
        return StopReason.FINISHED
    return StopReason.SECONDS if clock.budget.steps is None else StopReason.STEPS

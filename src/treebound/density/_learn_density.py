"""From a table to a density: members of several kinds, trained in one budget, weighted on held-out rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from threading import Lock
from typing import Any

import numpy as np

from treebound._arguments import check_seed
from treebound._budget import Budget, resolve_threads, takes_budget
from treebound._progress import Progress, ProgressOption, watched
from treebound._run import StopReason
from treebound.data import Dataset
from treebound.density._clock import BudgetClock
from treebound.density._combine import Combination, combine
from treebound.density._member import Member, weights_by_em
from treebound.density._networks import Searches
from treebound.density._result import DensityMember, DensityResult
from treebound.density._saturated import is_small
from treebound.density._smooth import SmoothMixture
from treebound.density._split import Split, split_of
from treebound.density._train import Plan, Report, Training, advance_all
from treebound.learning import budget_of
from treebound.structure import Structure

TRAINING = "training"
_MIXTURE_LIMITS, _NETWORK_LIMITS = (2, 3, 8), (5, 8, 12)
# Shares of the budget: one search, at most one start of a smooth mixture, all training.
_SEARCH_SHARE, _START_SHARE, _TRAINING_SHARE = 0.02, 0.05, 0.95
# What is left after the starts: further networks get at most the first share, if networks have all the
# weight; the two best starts get the second, if that is enough steps for each, or else everything.
_NETWORKS_SHARE, _BEST_SHARE = 0.5, 0.65
_ENOUGH_STEPS = 2000
# No further networks if the first ones have less weight than this after the starts.
_LEAST_NETWORKS_WEIGHT = 0.1
_MOST_NETWORKS = 8
# A start over another structure is trained on, too, if it is at most this share behind the best one.
_NEAR = 0.01
# Nothing new is begun with less than this.
_LEAST_SHARE = 0.05
_MOST_MEMBERS = 16
# Of starts that use the latent space where plain ones may not.
_SHARP = 4.0


@takes_budget
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

    Members are smooth mixtures over independent columns, over a tree and over networks of treewidth 2, 3 and
    8, and single networks of treewidth 5, 8 and 12, or with all arcs if rows outnumber joint states. All are
    begun; held-out rows decide which of them get the rest of the budget, when training stops, and the weights
    of the members.

    Parameters
    ----------
    table : Dataset or anything that ``load`` takes
        The rows. Missing cells are summed out in smooth mixtures. Load the table first to discretise it, to
        keep its missing cells (``missing="keep"``) or to give its rows weights.
    budget : Budget or float, optional
        A :class:`Budget`, or a number of seconds (default: 60), for the whole call. A budget of steps
        counts steps of training and does not depend on the time.
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
        found.valid_log_likelihood,
        clock.seconds,
        clock.num_steps,
        _reason(clock),
    )


def _members(
    split: Split, clock: BudgetClock, seed: int, threads: int, callback: Callable[[Progress], None] | None
) -> list[Member]:
    """Return single networks and smooth mixtures: all kinds are begun, the best ones get most of the time."""
    searches = Searches(split, split.complete_rows(), clock, _SEARCH_SHARE, threads, seed)
    networks: list[Member] = []
    for limit in _limits(searches.rows):
        if not (networks and clock.is_stopped):
            networks.append(searches.member(limit, _SEARCH_SHARE))
    report = _reporting(clock, callback)
    trainings = _starts(searches, seed)
    before = clock.used
    advance_all(trainings, _START_SHARE * len(trainings), clock, threads, report, is_last=False)
    steps_per_share = clock.num_steps / max(clock.used - before, 1e-9)
    if trainings:
        networks += _further_networks(searches, networks, trainings)
    for chosen, share in _rounds(trainings, clock, steps_per_share, seed):
        advance_all(chosen, share, clock, threads, report, is_last=True)
        trainings += [one for one in chosen if one not in trainings]
    return [*networks, *(one.member() for one in trainings)]


def _reporting(clock: BudgetClock, callback: Callable[[Progress], None] | None) -> Report:
    """Return a function that any thread may call with a new log-likelihood of held-out rows."""
    best, lock = -math.inf, Lock()

    def report(valid_log_likelihood: float) -> None:
        nonlocal best
        with lock:
            best = max(best, valid_log_likelihood)
            if callback is not None:
                callback(Progress(TRAINING, clock.seconds, clock.num_steps, best, 0, 0, clock.budget))

    return report


def _starts(searches: Searches, seed: int) -> list[Training]:
    """Return smooth mixtures over all structures, started in ways of which one uses the latent space."""
    split, clock = searches.split, searches.clock
    structures: list[tuple[str, Structure, tuple[tuple[float, float], ...]]] = []
    if not clock.is_stopped:
        structures.append(("independent columns", searches.independent(), ((0.5, _SHARP),)))
        structures.append(("a tree", searches.tree(), ((0.5, _SHARP), (0.5, 1.0))))
    for limit in _MIXTURE_LIMITS:
        if limit < len(split.schema) and not clock.is_stopped:
            found = searches.network(limit)
            ways = ((0.5, _SHARP), (0.2, 1.0)) if limit == 2 else ((0.2, _SHARP),)
            structures.append((f"treewidth {limit}", found, ways))
    trainings = []
    for name, structure, starts in structures:
        first = SmoothMixture(structure, split.train, split.weights, scale=0.5, seed=seed, threads=1)
        for scale, sharpness in starts:
            title = f"smooth mixture over {name}, scale {scale:g}, sharpness {sharpness:g}"
            plan = Plan(title, scale, sharpness, seed)
            trainings.append(Training(plan, first.restarted(scale, seed), split))
    return trainings


def _further_networks(
    searches: Searches, networks: list[Member], trainings: list[Training]
) -> Iterator[Member]:
    """Yield more networks of the best kind, the more the higher the weight of networks so far."""
    clock, before = searches.clock, searches.clock.used
    logs = np.stack([one.valid_logs for one in [*networks, *(one.member() for one in trainings)]], axis=1)
    weight = float(weights_by_em(logs, searches.split.valid_weights)[: len(networks)].sum())
    if weight < _LEAST_NETWORKS_WEIGHT:
        return
    share = _NETWORKS_SHARE * math.sqrt(weight) * (_TRAINING_SHARE - before)
    most = min(int(share / _SEARCH_SHARE), _MOST_NETWORKS)
    limits = _limits(searches.rows)
    best = max(zip(limits, networks, strict=False), key=lambda one: one[1].valid_log_likelihood)[0]
    for number in range(1, most + 1):
        if clock.is_stopped or clock.used - before >= share:
            return
        yield searches.member(best, share / most, number)


def _rounds(
    trainings: list[Training], clock: BudgetClock, steps_per_share: float, seed: int
) -> Iterator[tuple[list[Training], float]]:
    """Yield what to train next, and by what share of the budget: the best starts, then new seeds."""
    best, num_members = _best_two(trainings), len(trainings)
    for number in count():
        left = _TRAINING_SHARE - clock.used
        if not best or left < _LEAST_SHARE or num_members >= _MOST_MEMBERS:
            return
        if number == 0:
            is_enough = _BEST_SHARE * left * steps_per_share >= _ENOUGH_STEPS * len(best)
            yield best, _BEST_SHARE * left if is_enough else left
        else:
            again = [_restarted(one, number, seed) for one in best]
            num_members += len(again)
            yield again, left


def _best_two(trainings: list[Training]) -> list[Training]:
    """Return the best start, and the best one over another structure unless that is far behind."""
    ranked = sorted(trainings, key=lambda one: -one.valid_log_likelihood)
    if len(ranked) < 2:
        return ranked
    first, second = ranked[:2]
    others = [one for one in ranked if one.smooth.structure is not first.smooth.structure]
    behind = first.valid_log_likelihood - others[0].valid_log_likelihood if others else math.inf
    is_near = behind <= _NEAR * abs(first.valid_log_likelihood)
    return [first, others[0] if is_near else second]


def _restarted(training: Training, number: int, seed: int) -> Training:
    plan, own_seed = training.plan, seed + 1000 * number
    smooth = training.smooth.restarted(plan.scale, own_seed)
    again = replace(plan, name=f"{plan.name}, seed {number}", seed=own_seed)
    return Training(again, smooth, training.split)


def _limits(rows: Dataset) -> list[int]:
    """Return the treewidths of single networks, the last one with all arcs if the variables are few."""
    widest = max(1, len(rows.schema) - 1)
    complete = {widest} if is_small(rows) else set()
    return sorted({min(limit, widest) for limit in _NETWORK_LIMITS} | complete)


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

"""Expectation maximisation: CPTs from rows with missing values.

See Dempster, Laird and Rubin (1977) and, for networks, Lauritzen (1995). The objective is the log-likelihood
of the observed cells plus the logarithm of the prior, which pseudo-counts stand for; it never falls. Two
steps in a row suggest how far to go in their direction (SQUAREM, Varadhan and Roland 2008, the third scheme).
A leap that loses is undone, so the objective keeps its promise.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treebound._budget import Budget
from treebound._progress import Progress, ProgressCallback
from treebound.data import DataError, Dataset, Problem, Schema
from treebound.inference import ImpossibleEvidence, offsets, table_sizes
from treebound.network._smoothing import PseudoCount, Smoothing

logger = logging.getLogger(__name__)

Flat = NDArray[np.float64]
#: EM ends when a step gains less than this share of the objective.
TOLERANCE = 1e-6
MAX_STEPS = 2_000
EM = "EM"
# With hidden variables: the number of starts, steps of each, how many of them are finished, and the share of
# a budget of seconds that the starts may take.
NUM_STARTS = 10
STEPS_OF_A_START = 12
NUM_FINISHED = 2
SHARE_OF_STARTS = 0.4
# Added to the counts that EM starts from where the smoothing leaves zeros.
_START = PseudoCount(0.5)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The outcome of EM: CPTs, laid end to end, and the objective after each step."""

    tables: Flat
    log_likelihood: float
    trace: tuple[float, ...]
    converged: bool
    num_starts: int = 1

    @property
    def objective(self) -> float:
        """The log-likelihood of the observed cells plus the logarithm of the prior."""
        return self.trace[-1]

    def facts(self) -> dict[str, Any]:
        """What a network records about it."""
        return {
            "steps": len(self.trace),
            "log_likelihood": self.log_likelihood,
            "converged": self.converged,
            **({} if self.num_starts == 1 else {"starts": self.num_starts}),
        }


class TableRows:
    """The rows of CPTs that are laid end to end."""

    def __init__(self, parents: Sequence[Sequence[int]], schema: Schema) -> None:
        self.cards = schema.cardinalities
        is_hidden = [variable.is_hidden for variable in schema]
        self.has_hidden = any(is_hidden)
        self.parents = parents
        self.sizes = table_sizes(parents, self.cards)
        cards = np.array(self.cards)
        self._lengths = np.repeat(cards, np.array(self.sizes) // cards)
        self._starts = offsets(self._lengths)[:-1]
        touched = [is_hidden[v] or any(is_hidden[p] for p in family) for v, family in enumerate(parents)]
        #: Whether each cell is one of a family with a hidden variable.
        self.is_hidden = np.repeat(touched, self.sizes)

    def normalised(self, weights: Flat) -> Flat:
        """Return the weights divided by the sum of their row; rows without weight become uniform."""
        sums = np.add.reduceat(weights, self._starts)
        empty = sums == 0
        spread = np.repeat(np.where(empty, self._lengths, sums), self._lengths)
        found: Flat = np.where(np.repeat(empty, self._lengths), 1.0, weights) / spread
        return found

    def pseudo_counts(self, counts: Flat, smoothing: Smoothing) -> Flat:
        """Return the prior of every cell; priors that follow the counts are made of these."""
        found = []
        for seen, family, own in zip(
            np.split(counts, np.cumsum(self.sizes)[:-1]), self.parents, self.cards, strict=True
        ):
            shaped = seen.reshape(*(self.cards[p] for p in family if self.cards[p] > 1), own)
            found.append(np.broadcast_to(smoothing.pseudo_counts(shaped), shaped.shape).ravel())
        return np.concatenate(found)


class Counting(Protocol):
    """The E-step: ``ExpectedCounts``, or the same over rows that lie in parts."""

    @property
    def impossible_row(self) -> int | None:
        """Index of the first row that was impossible in the last count."""

    def count(self, tables: Flat) -> tuple[Flat, float]:
        """Return the expected counts and the log-likelihood of the observed cells."""


class Climb:
    """One run of EM from given tables."""

    def __init__(self, expected: Counting, rows: TableRows, prior: Flat) -> None:
        self._expected, self._rows, self._prior = expected, rows, prior
        self._is_pulled = prior > 0
        self.steps = 0

    def run(
        self, start: Flat, budget: Budget | None = None, progress: ProgressCallback | None = None
    ) -> Fitted:
        """Climb from the start until a step gains next to nothing or the budget ends."""
        began, most = time.monotonic(), MAX_STEPS
        if budget is not None and budget.steps is not None:
            most = min(most, budget.steps)
        seconds = None if budget is None else budget.seconds
        now = self._at(start)
        trace, converged = [now.objective], False
        while not converged and len(trace) < most:
            if seconds is not None and time.monotonic() - began >= seconds:
                break
            for number, reached in enumerate(self._double_step(now)):
                gain = reached.objective - now.objective
                trace.append(reached.objective)
                now = reached
                # A leap that gains nothing may have gone too far; only a plain step shows that EM has ended.
                converged = number == 0 and gain <= TOLERANCE * abs(reached.objective)
                if progress is not None:
                    elapsed = time.monotonic() - began
                    progress(Progress(EM, elapsed, len(trace), now.objective, 0, 0, budget))
                if converged or len(trace) >= most:
                    break
        return Fitted(now.tables, now.log_likelihood, tuple(trace), converged)

    def _double_step(self, first: _Point) -> list[_Point]:
        """Return the points after a step, and after a leap or another step."""
        second = self._at(first.next_tables)
        third = second.next_tables
        ahead = self._at(self._leap(first.tables, second.tables, third))
        if ahead.objective >= second.objective:
            return [second, ahead]
        return [second, self._at(third)]

    def _leap(self, first: Flat, second: Flat, third: Flat) -> Flat:
        step, bend = second - first, third - 2 * second + first
        size = float(np.linalg.norm(bend))
        length = max(1.0, float(np.linalg.norm(step)) / size) if size > 0 else 1.0
        leap = first + 2 * length * step + length**2 * bend
        # What would fall to zero or below stays where two steps have brought it.
        return self._rows.normalised(np.where(leap > 0, leap, third))

    def _at(self, tables: Flat) -> _Point:
        counts, log_likelihood = self._expected.count(tables)
        self.steps += 1
        if log_likelihood == -np.inf:
            row = self._expected.impossible_row
            assert row is not None
            raise ImpossibleEvidence(
                f"row {row + 1}: the observed values have probability 0 under this network. "
                "Use a smoothing that excludes nothing, such as PseudoCount().",
                rows=(row,),
            )
        pull = float(self._prior[self._is_pulled] @ np.log(tables[self._is_pulled]))
        return _Point(
            tables, self._rows.normalised(counts + self._prior), log_likelihood, log_likelihood + pull
        )


@dataclass(frozen=True, eq=False)
class _Point:
    """Tables, those after a step from there, and how good they are."""

    tables: Flat
    next_tables: Flat
    log_likelihood: float
    objective: float


def maximise(
    expected: Counting,
    rows: TableRows,
    available: Flat,
    smoothing: Smoothing,
    *,
    start: Flat | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    progress: ProgressCallback | None = None,
) -> Fitted:
    """Run EM from given CPTs, or from those of the rows in which a family is complete.

    ``available`` are the counts of these rows. Priors that follow the data are made of them once, so the
    objective stays the same. Where hidden variables make the objective multimodal, several starts are tried.
    """
    prior = rows.pseudo_counts(available, smoothing)
    climb = Climb(expected, rows, prior)
    if start is not None:
        return climb.run(start, budget, progress)
    first = _first_tables(rows, available, prior)
    if not rows.has_hidden:
        return climb.run(first, budget, progress)
    return _best_of(climb, random_starts(rows, first, seed), budget, progress)


def _best_of(
    climb: Climb, starts: Iterable[Flat], budget: Budget | None, progress: ProgressCallback | None
) -> Fitted:
    """Climb a few steps from each start, and to the top from the best of them (Biernacki et al. 2003)."""
    began, most = time.monotonic(), STEPS_OF_A_START
    seconds = None if budget is None else budget.seconds
    if budget is not None and budget.steps is not None:
        most = min(most, budget.steps)
    found: list[Fitted] = []
    ends = None if seconds is None else began + SHARE_OF_STARTS * seconds
    for start in starts:
        rest = None if ends is None else max(0.0, ends - time.monotonic())
        found.append(climb.run(start, Budget(seconds=rest, steps=most)))
        if ends is not None and time.monotonic() >= ends:
            break
    found.sort(key=lambda one: -one.objective)  # of equal ones the first
    left = budget
    tops: list[Fitted] = []
    for one in found[:NUM_FINISHED]:
        if budget is not None and seconds is not None:
            rest = max(0.0, seconds - (time.monotonic() - began))
            left = replace(budget, seconds=rest / (NUM_FINISHED - len(tops)))
        top = climb.run(one.tables, left, progress)
        tops.append(replace(top, trace=one.trace + top.trace[1:]))
    best = max(tops, key=lambda one: one.objective)
    return replace(best, num_starts=len(found))


def random_starts(rows: TableRows, first: Flat, seed: int) -> Iterator[Flat]:
    """CPTs to start from: at random for families with a hidden variable, the given ones for all others."""
    rng = np.random.default_rng(seed)
    for _ in range(NUM_STARTS):
        drawn = rows.normalised(rng.standard_exponential(len(first)))  # uniform over all distributions
        yield np.where(rows.is_hidden, drawn, first)


def observed_rows(data: Dataset) -> Dataset:
    """Return the rows that have an observed value; others say nothing, and are skipped with a warning."""
    has_value = np.asarray((data.codes >= 0).any(axis=0))
    if has_value.all():
        return data
    warn_of_empty_rows(int(np.count_nonzero(~has_value)), data.num_rows)
    return data.take(has_value)


def warn_of_empty_rows(num_empty: int, num_rows: int) -> None:
    """Warn of rows that are skipped; raise an error if no others are left."""
    if num_empty == num_rows:
        raise DataError([Problem("no observed values", f"all {num_rows:,} rows are empty")])
    if num_empty:
        logger.warning("%d of %d rows have no observed value and are skipped", num_empty, num_rows)


def _first_tables(rows: TableRows, available: Flat, prior: Flat) -> Flat:
    """The CPTs to start from. They exclude nothing, or no step could bring it back."""
    if not (prior > 0).all():
        prior = prior + rows.pseudo_counts(available, _START)
    return rows.normalised(available + prior)

"""Structural EM: learn from rows with missing values (Friedman 1997, 1998).

Each round draws several completions of every row from the exact posterior of the current network, searches
for a better structure of the completed rows, starting from the best one so far, and fits its CPTs to the
observed cells by EM. A structure is kept only if the BIC of the observed cells improves, as in TSEM
(Benjumeda, Luengo-Sanchez, Larranaga and Bielza 2019). More rounds therefore never lower the score.

Completions are drawn from a network that may not have an arc yet, so they show only the observed share of
the dependence that the arc would explain. The price of a parameter is reduced to this share while completed
rows are searched; the benchmark ``completions`` compares it with the full price. Whether a parameter pays is
decided by the observed cells, at the full price.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound._budget import Budget
from treebound._phases import peak_memory_mb
from treebound._progress import ProgressCallback, ProgressOption, watched
from treebound.constraints import with_cells
from treebound.learning._choose_prior import choose_prior
from treebound.learning._here import Here
from treebound.learning._incomplete_rows import IncompleteRows
from treebound.learning._pairwise_start import latent_classes, pairwise_forest
from treebound.learning._recipe import Recipe, Wanted
from treebound.learning._result import LearnResult
from treebound.learning._schedule import Schedule
from treebound.network import (
    DEFAULT_SMOOTHING,
    BayesianNetwork,
    EmRun,
    Promises,
    Smoothing,
    observed_score,
)
from treebound.scoring import Bdeu, Bic, ParentSetCache, Score
from treebound.solvers import Improvement, StopReason
from treebound.structure import Structure, check

# Rounds that a budget is divided into; the first, which starts from a forest, takes a larger share.
ROUNDS = 4
_FIRST_SHARE = 0.4
_FOREST_SHARE = 0.25
# The share of the budget that the choice of the prior may take.
_PRIOR_SHARE = 0.2
# How much longer the first structure takes to fit than the forest before it.
_FIRST_FIT = 3.0
# Completions of each row that are searched together: more than one, or a draw would confirm itself. Of many
# rows fewer are enough, since the noise of a draw falls with their number: at most so many in all.
_COMPLETIONS, _MOST_COMPLETED = 3, 100_000
# The checker's own EM: the share of the budget and the seconds that it may take at most, and how many joint
# states of bags it computes in a second, over all rows. If that is not enough, it sees a sample of the rows.
_CHECK_SHARE, _MOST_CHECKING, _CHECKED_PER_SECOND = 0.05, 10.0, 1e7
# What the first round searches if nothing is left for it. Steps alone would score thousands of sets of every
# variable, however long that takes.
_LEAST = Budget(seconds=0.01, steps=1)
# Rounds without a better structure after which nothing more is expected.
_MOST_IDLE = 2
_MOST_LISTED = 5


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A structure with its network and the BIC of the observed cells."""

    structure: Structure
    network: BayesianNetwork
    score: float


class StructuralEm:
    """One run of ``learn`` on rows with missing values."""

    def __init__(
        self,
        wanted: Wanted,
        place: Here,
        rows: IncompleteRows,
        schedule: Schedule,
        first: BayesianNetwork | None = None,
    ) -> None:
        if isinstance(wanted.score, ParentSetCache):
            raise ValueError("missing='em' scores completed rows in every round; drop the cache.")
        self.wanted, self.place, self.rows, self.schedule = wanted, place, rows, schedule
        # Structures are accepted on the BIC of the observed cells, whatever score guides the search.
        self.score = wanted.score if isinstance(wanted.score, Bic) else Bic()
        self.limits = wanted.limits_for(rows.schema)
        self.constraints = with_cells(wanted.constraints, self.limits.max_cells)
        self.observed_share = rows.observed_share
        self.completions = max(1, min(_COMPLETIONS, _MOST_COMPLETED // rows.num_rows))
        self.first = first
        self.prior: Smoothing = DEFAULT_SMOOTHING
        self.trace: list[Improvement] = []
        self.steps = 0
        self.began, self._fit_seconds, self._check_seconds = time.monotonic(), 0.0, 0.0
        seconds = schedule.budget.seconds
        self._own_check_seconds = 1.0 if seconds is None else min(_MOST_CHECKING, _CHECK_SHARE * seconds)
        self.memory = None

    def run(
        self, progress: ProgressOption = None, writing: Callable[[float], float] = lambda _: 0.0
    ) -> LearnResult:
        """Learn. ``writing`` returns the seconds to keep for writing, given those of the check."""
        self.schedule.end("reading")
        with watched(progress) as callback:
            best, last, stopped = self._climb(callback, writing(0.0))
        self.schedule.end("searching")
        promises = Promises(self.limits.max_treewidth, self.score, self.constraints)
        most_cells = _CHECKED_PER_SECOND * self._own_check_seconds
        verdict = promises.verdict_on(
            best.network, lambda network: self.rows.recomputed(network, most_cells), self.rows.num_rows
        )
        self.schedule.end("checking")
        found = replace(
            last.search,
            structure=best.structure,
            ktree=None,
            trace=tuple(self.trace),
            steps=self.steps,
            seconds=self.schedule.phases.searching,
            stopped=stopped,
            bound=None,
            bound_source=None,
        )
        return replace(
            last,
            structure=best.structure,
            search=found,
            verdict=verdict,
            phases=self.schedule.phases,
            peak_memory_mb=peak_memory_mb(),
            rows=self.rows.table,
            fitted=best.network,
        )

    def _climb(
        self, progress: ProgressCallback | None, reserve: float
    ) -> tuple[_Candidate, LearnResult, StopReason]:
        best = self._first(progress)
        last: LearnResult | None = None
        stopped, idle, number = StopReason.FINISHED, 0, 0
        while True:
            budget = self._budget_of(number, reserve)
            if budget is None and last is not None:
                stopped = StopReason.STEPS if self.schedule.budget.seconds is None else StopReason.SECONDS
                break
            try:
                last = self._search(best, budget, number, progress)
                number += 1
                self.steps += last.search.steps
                if budget is None and best.score > -math.inf:
                    stopped = StopReason.SECONDS
                    break
                found = self._fitted(last.structure, progress, self._tables_of(last))
            except KeyboardInterrupt:
                if last is None or best.score == -math.inf:
                    raise
                stopped = StopReason.INTERRUPTED
                break
            idle = 0 if found.score > best.score else idle + 1
            if found.score > best.score:
                best = found
                self._note(best)
            if last.was_interrupted:
                stopped = StopReason.INTERRUPTED
                break
            if idle == _MOST_IDLE:
                stopped = StopReason.STALLED
                break
        return best, last, stopped

    def _first(self, progress: ProgressCallback | None) -> _Candidate:
        """The structure to start from: the one given, latent classes or a forest."""
        start = self.wanted.start
        if start is not None:
            self._check_start(start)
        else:
            made = latent_classes if self.rows.schema.hidden else pairwise_forest
            seconds = self.schedule.budget.seconds
            start = made(self.rows, self.limits, None if seconds is None else _FOREST_SHARE * seconds)
        seconds = self.schedule.budget.seconds
        share = None if seconds is None else _PRIOR_SHARE * seconds
        threads = self.place.local.num_threads
        self.prior = choose_prior(self.rows, self.limits, self.wanted.seed, threads, share)
        tables = None if self.first is None else self.first.flat_tables.tables
        best = self._fitted(start, progress, tables)
        if self.wanted.start is None and self.wanted.constraints is not None:
            # A forest knows no constraints: it only completes the rows of the first search.
            return replace(best, score=-math.inf)
        self._note(best)
        return best

    def _check_start(self, start: Structure) -> None:
        """Reject a structure that could not be the result, which it is if the budget ends early."""
        if start.names != self.rows.schema.names:
            raise ValueError(
                "The structure to start from is for other variables than the table: expected "
                f"{_listed(self.rows.schema.names)}, got {_listed(start.names)}. Drop start."
            )
        verdict = check(
            replace(start, local_scores=None, score=None),
            max_treewidth=self.limits.max_treewidth,
            constraints=self.constraints,
        )
        if not verdict:
            raise ValueError(f"The structure to start from does not hold for this table: {verdict}")

    def _note(self, best: _Candidate) -> None:
        self.trace.append(Improvement(time.monotonic() - self.began, self.steps, best.score))
        if self.wanted.checkpoint is not None:
            self.wanted.checkpoint(best.structure)

    def _budget_of(self, number: int, reserve: float) -> Budget | None:
        """What a round may search, or None after the last."""
        whole = self.schedule.budget
        share = _FIRST_SHARE if number == 0 else (1 - _FIRST_SHARE) / (ROUNDS - 1)
        if whole.seconds is None:
            assert whole.steps is not None
            return Budget(steps=max(1, round(share * whole.steps))) if number < ROUNDS else None
        # The fit that follows a search takes about as long as the last one, and longer than that of a forest.
        fitting = self._fit_seconds * (_FIRST_FIT if number == 0 else 1)
        seconds = min(share * whole.seconds, self._seconds_left(reserve) - fitting)
        return Budget(seconds=seconds) if seconds > self._fit_seconds else None

    def _seconds_left(self, reserve: float) -> float:
        """What is left of the seconds, less those for the check and for writing."""
        left = self.schedule.left.seconds
        return math.inf if left is None else left - reserve - self._check_seconds - self._own_check_seconds

    def _search(
        self, best: _Candidate, budget: Budget | None, number: int, progress: ProgressCallback | None
    ) -> LearnResult:
        """Search the completions that the best network draws, starting from its structure.

        Without a budget the search is one step from nowhere, for a result around the best structure.
        """
        seed = self.wanted.seed + number
        schedule = Schedule(budget or _LEAST)
        seeds = np.random.SeedSequence([self.wanted.seed, seed]).generate_state(self.completions)
        began = time.monotonic()
        rows = self.rows.completed(best.network, seeds.tolist())
        # The check goes through the rows once, as a draw does.
        self._check_seconds = (time.monotonic() - began) / self.completions
        score = self._score_of(rows.num_rows)
        start = None if best.score == -math.inf or budget is None else best.structure
        wanted = replace(
            self.wanted, limits=self.limits, score=score, start=start, seed=seed, checkpoint=None
        )
        with self.place:  # a cluster forgets the completed rows at the end
            return Recipe(wanted, self.place, rows, schedule).run(progress)

    def _score_of(self, num_rows: int) -> Score:
        """The score of completed rows, each of which is there several times."""
        if isinstance(self.wanted.score, Bdeu):
            return Bdeu(self.completions * self.wanted.score.equivalent_sample_size)
        # A single row has no penalty, and a score needs one.
        own = self.completions * math.log(max(2, self.rows.num_rows)) / math.log(num_rows)
        return Bic(self.score.penalty * self.observed_share * own)

    def _tables_of(self, found: LearnResult) -> NDArray[np.float64] | None:
        """CPTs to start EM from: those of the completed rows, if another start may end in another optimum."""
        return found.network.flat_tables.tables if self.rows.schema.hidden else None

    def _fitted(
        self,
        structure: Structure,
        progress: ProgressCallback | None,
        tables: NDArray[np.float64] | None = None,
    ) -> _Candidate:
        began = time.monotonic()
        bare = replace(structure, local_scores=None, score=None, schema=self.rows.schema)
        left = self._seconds_left(0.0)
        limit = None if math.isinf(left) else Budget(seconds=max(0.0, left))
        threads = self.place.local.num_threads
        run = EmRun(bare, self.prior, limit, self.wanted.seed, threads, progress)
        network = self.rows.fitted(run, tables)
        likelihood = float(network.provenance["em"]["log_likelihood"])
        score = observed_score(network, likelihood, self.rows.num_rows, self.score)
        self._fit_seconds = time.monotonic() - began
        scored = replace(
            bare,
            score=score,
            max_treewidth=self.limits.max_treewidth,
            max_cells=self.limits.max_cells,
            provenance={
                **structure.provenance,
                "score": f"{self.score!r} of observed cells",
                "smoothing": repr(self.prior),
            },
        )
        return _Candidate(scored, replace(network, structure=scored), score)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (", ..." if len(names) > _MOST_LISTED else "")

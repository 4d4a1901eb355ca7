"""Structures for smooth mixtures, and single networks as members of their own."""

from __future__ import annotations

from dataclasses import dataclass

from treebound._where import Local
from treebound.data import Dataset
from treebound.density._clock import BudgetClock
from treebound.density._member import Member
from treebound.density._split import Split
from treebound.learning import LearnResult, learn
from treebound.network import BackoffPrior, BdeuPrior, Smoothing, fit
from treebound.scoring import Bdeu
from treebound.solvers import ChowLiu
from treebound.structure import Structure

# How many rows the prior of a network counts for; the best on held-out rows is taken.
_PRIOR_ROWS = (1.0, 4.0, 16.0)


@dataclass(frozen=True, eq=False)
class Searches:
    """Searches for structures, each with a share of the budget."""

    split: Split
    rows: Dataset  # complete, perhaps with weights
    clock: BudgetClock
    share: float
    threads: int
    seed: int

    def tree(self) -> Structure:
        """Return the best tree or forest (Chow and Liu 1968)."""
        budget = self.clock.search_budget(self.share)
        return self._learned(learn(self._unweighted, 1, solver=ChowLiu(), budget=budget, where=self._where))

    def network(self, max_treewidth: int) -> Structure:
        """Return a structure for a smooth mixture."""
        budget = self.clock.search_budget(self.share)
        found = learn(self._unweighted, max_treewidth, budget=budget, seed=self.seed, where=self._where)
        return self._learned(found)

    def member(self, max_treewidth: int) -> Member:
        """Learn one network by BDeu, and choose its prior on the held-out rows."""
        budget = self.clock.search_budget(self.share)
        found = learn(
            self._unweighted, max_treewidth, score=Bdeu(), budget=budget, seed=self.seed, where=self._where
        )
        priors: list[Smoothing] = [*map(BdeuPrior, _PRIOR_ROWS), *map(BackoffPrior, _PRIOR_ROWS)]
        members = []
        for prior in priors:
            network = fit(self._learned(found), self.rows, smoothing=prior, threads=self.threads)
            logs = network.log_likelihood_rows(self.split.valid, threads=self.threads)
            members.append(Member(f"network of treewidth {max_treewidth}", network, logs))
        return max(members, key=lambda one: one.valid_log_likelihood)

    def _learned(self, found: LearnResult) -> Structure:
        """Return the structure; Ctrl-C during a search ends all that would follow."""
        if found.was_interrupted:
            self.clock.stop()
        return found.structure

    @property
    def _unweighted(self) -> Dataset:
        """The rows for a search, which counts each row once."""
        return self.rows if self.rows.weights is None else Dataset(self.rows.schema, self.rows.codes)

    @property
    def _where(self) -> Local:
        return Local(threads=self.threads)

"""Structures for smooth mixtures, and single networks as members of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treebound._where import Local
from treebound.data import Dataset
from treebound.density._clock import BudgetClock
from treebound.density._member import Member
from treebound.density._split import Split
from treebound.learning import LearnResult, learn
from treebound.network import BackoffPrior, BdeuPrior, Smoothing, fit
from treebound.scoring import Bdeu
from treebound.solvers import ChowLiu
from treebound.structure import Structure, TreeDecomposition

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

    def independent(self) -> Structure:
        """Return the structure without arcs."""
        names = self.split.schema.names
        bags = TreeDecomposition(tuple((v,) for v in range(len(names))), ())
        return Structure(names, ((),) * len(names), bags, schema=self.split.schema)

    def member(self, max_treewidth: int, share: float, start: Structure | None = None) -> Member:
        """Learn one network by BDeu, and choose its prior on the held-out rows."""
        found = learn(
            self._unweighted,
            max_treewidth,
            score=Bdeu(),
            budget=self.clock.search_budget(share),
            start=start,
            seed=self.seed,
            where=self._where,
        )
        priors: list[Smoothing] = [*map(BdeuPrior, _PRIOR_ROWS), *map(BackoffPrior, _PRIOR_ROWS)]
        members = []
        for prior in priors:
            network = fit(self._learned(found), self.rows, smoothing=prior, threads=self.threads)
            logs = network.log_likelihood_rows(self.split.valid, threads=self.threads)
            name = f"network of treewidth {max_treewidth}" + (", longer search" if start else "")
            members.append(Member(name, network, logs, self.split.valid_mean(logs)))
        return max(members, key=lambda one: one.valid_log_likelihood)

    def _learned(self, found: LearnResult) -> Structure:
        """Return the structure; Ctrl-C during a search ends all that would follow."""
        if found.was_interrupted:
            self.clock.stop()
        return found.structure

    @cached_property
    def _unweighted(self) -> Dataset:
        """The rows for a search, which counts each row once: a row of weight w comes about w times."""
        if self.rows.weights is None:
            return self.rows
        ends = np.cumsum(self.rows.weights) / self.rows.weights.sum() * self.rows.num_rows
        places = np.searchsorted(ends, np.arange(self.rows.num_rows) + 0.5)
        drawn = self.rows.take(np.minimum(places, self.rows.num_rows - 1))
        return Dataset(drawn.schema, drawn.codes)

    @property
    def _where(self) -> Local:
        return Local(threads=self.threads)

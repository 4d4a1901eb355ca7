"""Structures for smooth mixtures, and single networks as members of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treebound._where import Local
from treebound.data import Dataset
from treebound.density._backoff import backed_off
from treebound.density._clock import BudgetClock
from treebound.density._member import Member
from treebound.density._saturated import by_entropy, complete, is_small, saturated
from treebound.density._split import Split
from treebound.learning import LearnResult, learn
from treebound.network import BackoffPrior, BayesianNetwork, BdeuPrior, Smoothing, fit
from treebound.scoring import Bdeu
from treebound.solvers import ChowLiu
from treebound.structure import Structure, TreeDecomposition

# How many rows the prior of a network counts for, if all families have the same.
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
    _found: dict[int, Structure] = field(default_factory=dict)  # where further searches start, by treewidth

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

    def member(self, max_treewidth: int, share: float, number: int = 0) -> Member:
        """Return one network; further numbers give others of the same kind.

        With all arcs they differ in the order of the variables. Otherwise number 1 continues the search of
        number 0, and later ones continue from there with rows drawn with replacement (bagging). The tables
        come from all rows.
        """
        suffix = f", number {number + 1}" if number else ""
        if max_treewidth >= len(self.split.schema) - 1 and is_small(self.rows):
            network = backed_off(complete(self.split.schema, self._order(number)), self.rows, self.threads)
            return self._best([network.network], f"network with all arcs{suffix}")
        found = learn(
            self._drawn(number),
            max_treewidth,
            score=Bdeu(),
            budget=self.clock.search_budget(share),
            start=self._found.get(max_treewidth),
            seed=self.seed,
            where=self._where,
        )
        structure = self._learned(found)
        if number < 2:
            self._found[max_treewidth] = structure
        return self._best(self._fits(structure), f"network of treewidth {max_treewidth}{suffix}")

    def _fits(self, structure: Structure) -> Iterator[BayesianNetwork]:
        """Yield networks with several priors: weak ones where rows determine cells, backing off elsewhere."""
        priors: list[Smoothing] = [*map(BdeuPrior, _PRIOR_ROWS), *map(BackoffPrior, _PRIOR_ROWS)]
        for prior in priors:
            yield fit(structure, self.rows, smoothing=prior, threads=self.threads)
        structures = (structure, saturated(structure, self.rows))
        fits = (backed_off(one, self.rows, self.threads) for one in structures)
        yield max(fits, key=lambda one: one.left_out).network

    def _best(self, networks: Iterable[BayesianNetwork], name: str) -> Member:
        """Return the network that fits held-out rows best."""
        members = []
        for network in networks:
            logs = network.log_likelihood_rows(self.split.valid, threads=self.threads)
            members.append(Member(name, network, logs, self.split.valid_mean(logs)))
        return max(members, key=lambda one: one.valid_log_likelihood)

    def _order(self, number: int) -> list[int]:
        if number == 0:
            return by_entropy(self.rows)
        return list(map(int, self._random(number).permutation(len(self.split.schema))))

    def _drawn(self, number: int) -> Dataset:
        if number < 2:
            return self._unweighted
        size = self._unweighted.num_rows
        return self._unweighted.take(self._random(number).integers(0, size, size))

    def _random(self, number: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, number))

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

"""Sums and scores of families from the counts of all parts: bit for bit those of all rows in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.distributed._partitioned import PartitionedTable
from treebound.distributed._row_counts import Counts, RowCounts, Sets, Tick
from treebound.scoring import Score

if TYPE_CHECKING:
    from distributed import Client


class RowTerms(RowCounts):
    """What is counted in a table to score its families."""

    def __init__(self, client: Client, table: PartitionedTable, score: Score) -> None:
        super().__init__(client, table.parts, table.schema)
        self.fingerprint, self.score = table.fingerprint, score
        self.num_rows = table.fingerprint.num_rows
        self.in_core = score._in_core(self.num_rows)

    def terms(self, sets: Sets, tick: Tick) -> dict[str, NDArray[Any]]:
        """The sums of sets, as ``_core.set_terms`` returns them."""

        def terms_of(batch: Sets, counts: Counts) -> dict[str, NDArray[Any]]:
            return _core.set_terms(self.in_core, self.cardinalities, batch, counts)

        found = self.in_batches(sets, tick, terms_of)
        return {name: np.concatenate([terms[name] for terms in found]) for name in found[0]}

    def family_terms(
        self, children: NDArray[np.uint32], parents: Sets, tick: Tick
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint32]]:
        """Of families with equally many parents: sums of the family and of its parents, occurring states."""
        families = np.column_stack([children, parents])
        families.sort(axis=1)
        sets, of_family = np.unique(families, axis=0, return_inverse=True)
        terms = self.terms(np.ascontiguousarray(sets), tick)
        of_family = of_family.reshape(-1)
        place = (families < children[:, None]).sum(axis=1)  # of the child in its family
        others = terms["others"].reshape(len(sets), -1)[of_family, place]
        configurations = terms["configurations"].reshape(len(sets), -1)[of_family, place]
        return terms["joint"][of_family], np.ascontiguousarray(others), np.ascontiguousarray(configurations)

    def family_scores(self, children: NDArray[np.uint32], parents: Sets, tick: Tick) -> NDArray[np.float64]:
        """The local scores of families with equally many parents."""
        joint, others, _ = self.family_terms(children, parents, tick)
        own_states = self.cardinalities.astype(np.float64)[children]
        scores: NDArray[np.float64] = self.in_core.scores(joint, others, own_states, self.num_cells(parents))
        return scores

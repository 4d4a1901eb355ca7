"""The E-step of EM: expected counts of families given the observed cells of each row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._budget import resolve_threads
from treebound._memory import half_of_memory
from treebound._ordering import orderable
from treebound._run import complete, new_run
from treebound.data import Dataset
from treebound.inference._memory import bytes_of, check_tree
from treebound.inference._tables import offsets, table_sizes
from treebound.inference._trees import best_tree

_Answer = TypeVar("_Answer")


class ExpectedCounts:
    """Rows with missing values, prepared for the E-step of EM under any CPTs of one structure.

    Rows are split at their observed cells into parts that are independent of each other. Equal parts in
    equal states are calibrated once, and families without a missing value are counted once, before the first
    E-step. Counts are equal to the last bit for any number of threads.

    Parameters
    ----------
    parents : sequence of sequences of int
        Indices of the parents of each variable.
    data : Dataset
        The rows, with missing cells and weights.
    elimination_order : sequence of int, optional
        The order that proves a small treewidth.
    threads : int, optional
        Number of threads; None uses all cores.
    """

    def __init__(
        self,
        parents: Sequence[Sequence[int]],
        data: Dataset,
        *,
        elimination_order: tuple[int, ...] | None = None,
        threads: int | None = None,
    ) -> None:
        codes = np.ascontiguousarray(data.codes, dtype=np.int32)
        self.threads = resolve_threads(threads)
        cards = np.array(data.schema.cardinalities, dtype=np.uint32)
        parent_offsets = offsets([len(family) for family in parents])
        flat = np.array([parent for family in parents for parent in family], dtype=np.uint32)
        table_offsets = offsets(table_sizes(parents, data.schema.cardinalities))
        order = np.array(orderable([tuple(family) for family in parents]), dtype=np.uint32)
        # Only the shape of the network matters here.
        network = _core.InferenceNetwork(cards, order, parent_offsets, flat, table_offsets, np.zeros(0))
        tree = best_tree(network, elimination_order)
        check_tree(tree, bytes_of(tree, int(table_offsets[-1])), half_of_memory())
        weights = np.ones(data.num_rows) if data.weights is None else data.weights
        self._core = self._watched(
            lambda run: _core.ExpectedCounts(
                cards, parent_offsets, flat, table_offsets, tree.order(), codes, weights, run
            )
        )

    def count(self, tables: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Return the expected counts, laid out like the CPTs, and the log-likelihood of the observed cells.

        The log-likelihood is minus infinity if the observed cells of a row are impossible; see
        ``impossible_row``.
        """
        return self._watched(lambda run: self._core.count(tables, run))

    @property
    def impossible_row(self) -> int | None:
        """Index of the first row that was impossible in the last count."""
        return self._core.impossible_row

    @property
    def num_passes(self) -> int:
        """Number of distinct calibrations in each E-step."""
        return self._core.num_passes

    def _watched(self, work: Callable[[_core.Run], _Answer]) -> _Answer:
        run = new_run(None, self.threads)
        return complete("expected counts", run, lambda: work(run))

"""Questions asked of many rows at once, as codes: what each row costs is what its gaps cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_integer, check_seed
from treebound._budget import resolve_threads
from treebound._run import complete, new_run
from treebound.data import checked_codes
from treebound.inference._errors import InferenceError
from treebound.inference._impossible import Impossible, check_impossible, check_rows_possible
from treebound.inference._memory import check_tree
from treebound.inference._tables import TabledNetwork
from treebound.inference._trees import FEW_CELLS

_Answer = TypeVar("_Answer")
# Fewer cells are answered in less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 15


class RowQuestions:
    """The part of a junction tree that answers about rows.

    ``rows`` holds codes, one row of the array for each variable in the order of the schema and one column for
    each row of the table, with -1 for "not known".

    A row is impossible if its known cells have probability zero together. Its log-likelihood is minus
    infinity. All other questions refuse such rows by name; with ``impossible="nan"`` the probabilities are
    not numbers, and unknown cells stay -1.
    """

    network: TabledNetwork
    max_bytes: int
    _tree: _core.JunctionTree
    _shape: _core.CliqueTree
    _needed_bytes: float

    def log_likelihood_rows(self, rows: NDArray[Any], *, threads: int | None = None) -> NDArray[np.float64]:
        """Logarithm of the probability of the known cells of each row; unknown ones are summed out."""
        codes = self._checked(rows)
        return self._answered(codes, threads, lambda run: self._tree.log_likelihood_rows(codes, run))

    def posterior_rows(
        self, target: int, rows: NDArray[Any], *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Distribution of variable ``target`` given the other cells of each row, one row of the result each.

        The target's own cell is not looked at.
        """
        check_impossible(impossible)
        cards = self.network.schema.cardinalities
        target = check_integer("target", target, 0, len(cards) - 1)
        codes = self._checked(rows, target)
        flat = self._answered(codes, threads, lambda run: self._tree.posterior_rows(target, codes, run))
        weights = flat.reshape(-1, cards[target])
        if impossible == "raise":
            check_rows_possible(~np.isnan(weights[:, 0]))
        return weights

    def most_probable_rows(
        self, rows: NDArray[Any], *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.int32]:
        """The rows with their unknown cells filled in by the most probable joint completion."""
        return self._completed(rows, impossible, threads, self._tree.most_probable_rows)

    def sample_rows_given(
        self,
        rows: NDArray[Any],
        seed: int = 0,
        *,
        impossible: Impossible = "raise",
        threads: int | None = None,
    ) -> NDArray[np.int32]:
        """The rows with their unknown cells drawn given the known ones."""
        seed = check_seed(seed)
        return self._completed(
            rows,
            impossible,
            threads,
            lambda codes, run, out: self._tree.sample_rows_given(codes, seed, run, out),
        )

    def _completed(
        self,
        rows: NDArray[Any],
        impossible: Impossible,
        threads: int | None,
        fill: Callable[[NDArray[np.int32], _core.Run, NDArray[np.int32]], NDArray[np.uint8]],
    ) -> NDArray[np.int32]:
        check_impossible(impossible)
        codes = self._checked(rows)
        completed = np.empty_like(codes)
        is_possible = self._answered(codes, threads, lambda run: fill(codes, run, completed))
        if impossible == "raise":
            check_rows_possible(is_possible)
        return completed

    def _checked(self, rows: NDArray[Any], target: int | None = None) -> NDArray[np.int32]:
        """The codes of rows that can be answered: what few gaps need is small in any network."""
        try:
            checked = checked_codes(rows, self.network.schema, may_lack=True)
        except ValueError as wrong:
            raise InferenceError(f"rows: {wrong}") from None
        codes = np.ascontiguousarray(checked, dtype=np.int32)
        if self._needed_bytes > self.max_bytes:
            num_gaps = np.count_nonzero(codes < 0, axis=0)
            if target is not None:
                num_gaps += codes[target] >= 0
            if num_gaps.max(initial=0) > 1:
                check_tree(self._shape, self._needed_bytes, self.max_bytes)
        return codes

    def _answered(
        self, codes: NDArray[np.int32], threads: int | None, ask: Callable[[_core.Run], _Answer]
    ) -> _Answer:
        run = new_run(None, resolve_threads(threads))
        is_long = codes.size > _MANY_CELLS or self._shape.all_cliques > FEW_CELLS
        return complete("answers about rows", run, lambda: ask(run), is_long=is_long)

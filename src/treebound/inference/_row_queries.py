"""Queries about many rows at once, as codes: a row costs what its missing cells cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_integer, check_seed, check_type
from treebound._budget import resolve_threads
from treebound._run import complete, new_run
from treebound.data import Dataset, Schema
from treebound.inference._errors import InferenceError
from treebound.inference._impossible import Impossible, check_impossible, check_rows_possible
from treebound.inference._memory import check_tree
from treebound.inference._tables import TabledNetwork
from treebound.inference._trees import FEW_CELLS

_Result = TypeVar("_Result")
# Fewer cells take less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 15


class RowQueries:
    """Queries about rows.

    ``rows`` is a Dataset with the variables of the network; its missing cells are not known.

    A row is impossible if its observed cells have probability zero together. Its log-likelihood is minus
    infinity. All other queries reject such rows by name; with ``impossible="nan"`` the probabilities are
    not numbers, and unknown cells stay missing.
    """

    network: TabledNetwork
    max_bytes: int
    _tree: _core.JunctionTree
    _shape: _core.CliqueTree
    _needed_bytes: float

    def log_likelihood_rows(self, rows: Dataset, *, threads: int | None = None) -> NDArray[np.float64]:
        """Logarithm of the probability of the observed cells of each row; unknown ones are summed out."""
        codes = self._checked(rows)
        return self._run_query(codes, threads, lambda run: self._tree.log_likelihood_rows(codes, run))

    def posterior_rows(
        self, target: int, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> NDArray[np.float64]:
        """Distribution of variable ``target`` given the other cells of each row, one row of the result each.

        The target's own cell is not looked at.
        """
        check_impossible(impossible)
        cards = self.network.schema.cardinalities
        target = check_integer("target", target, 0, len(cards) - 1)
        codes = self._checked(rows, target)
        flat = self._run_query(codes, threads, lambda run: self._tree.posterior_rows(target, codes, run))
        weights = flat.reshape(-1, cards[target])
        if impossible == "raise":
            check_rows_possible(~np.isnan(weights[:, 0]))
        return weights

    def most_probable_rows(
        self, rows: Dataset, *, impossible: Impossible = "raise", threads: int | None = None
    ) -> Dataset:
        """The rows with their unknown cells filled in by the most probable joint completion."""
        return self._completed(rows, impossible, threads, self._tree.most_probable_rows)

    def sample_rows_given(
        self,
        rows: Dataset,
        seed: int = 0,
        *,
        impossible: Impossible = "raise",
        threads: int | None = None,
    ) -> Dataset:
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
        rows: Dataset,
        impossible: Impossible,
        threads: int | None,
        fill: Callable[[NDArray[np.int32], _core.Run, NDArray[np.int32]], NDArray[np.uint8]],
    ) -> Dataset:
        check_impossible(impossible)
        codes = self._checked(rows)
        completed = np.empty_like(codes)
        is_possible = self._run_query(codes, threads, lambda run: fill(codes, run, completed))
        if impossible == "raise":
            check_rows_possible(is_possible)
        completed.flags.writeable = False
        return Dataset(rows.schema, completed, rows.weights)

    def _checked(self, rows: Dataset, target: int | None = None) -> NDArray[np.int32]:
        """The codes of rows that fit in memory: few missing cells need little in any network."""
        check_rows(rows, self.network.schema)
        codes = np.ascontiguousarray(rows.codes, dtype=np.int32)
        if self._needed_bytes > self.max_bytes:
            num_gaps = np.count_nonzero(codes < 0, axis=0)
            if target is not None:
                num_gaps += codes[target] >= 0
            if num_gaps.max(initial=0) > 1:
                check_tree(self._shape, self._needed_bytes, self.max_bytes)
        return codes

    def _run_query(
        self, codes: NDArray[np.int32], threads: int | None, query: Callable[[_core.Run], _Result]
    ) -> _Result:
        run = new_run(None, resolve_threads(threads))
        is_long = codes.size > _MANY_CELLS or self._shape.all_cliques > FEW_CELLS
        return complete("results for rows", run, lambda: query(run), is_long=is_long)


def check_rows(rows: Dataset, schema: Schema) -> None:
    """Reject rows of other variables: their codes stand for other states."""
    check_type("rows", rows, Dataset, "a Dataset, such as load(table, schema=network.schema)")
    if rows.schema is schema or rows.schema.variables == schema.variables:
        return
    pairs = zip(rows.schema, schema, strict=False)
    first = next((ours.name for theirs, ours in pairs if theirs != ours), "")
    where = f", first in {first!r}" if first else f": {len(rows.schema):,} in place of {len(schema):,}"
    raise InferenceError(
        f"rows: the variables of the rows differ from those of the network{where}. "
        "Read the rows with load(table, schema=network.schema)."
    )

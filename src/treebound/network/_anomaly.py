"""Rows that a network finds surprising, and the cells that surprise it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound._description import Described, Description, Table
from treebound._visible import counted, visible
from treebound.data import Codes, Dataset

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork

_MOST_SHOWN = 5


@dataclass(frozen=True, eq=False, repr=False)
class AnomalyScores(Described):
    """``scores`` are the negative log-likelihoods of the rows in nats, higher for stranger rows.

    numpy and pandas take the object itself for them: ``found[:5]``, ``frame.assign(strange=found)``.
    ``print`` shows the strangest rows, by the index of a pandas frame, else by their place from 0, with the
    cell that adds most to each.

    ``contributions`` has a column for each variable: the negative logarithm of the probability of the cell
    given the cells of its parents. In a complete row they add up to the score. Where cells are missing, the
    row is completed by its most probable values first, and the missing cells contribute nothing; an
    impossible row with missing cells has no completion, and its contributions are not numbers.
    """

    scores: NDArray[np.float64]
    contributions: Any

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, rows: Any) -> Any:
        """The score of a row, or those of a slice, of places or of a mask."""
        return self.scores[rows]

    def __iter__(self) -> Iterator[float]:
        return iter(self.scores.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.scores, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return str(self)

    def describe(self) -> Description:
        """Return the strangest rows, each with its strangest cell."""
        rows = [[row, f"{score:.4f}", cell] for row, score, cell in self._strangest()]
        table = Table(["row", "score", "strangest cell"], rows, max(0, len(self) - _MOST_SHOWN))
        return Description(f"Anomaly scores of {counted(len(self), 'row')}", tables=[table])

    def _strangest(self) -> list[tuple[str, float, str]]:
        """Names and scores of the strangest rows, each with the cell that adds most to it, in words."""
        order = np.argsort(-self.scores, kind="stable")[:_MOST_SHOWN].tolist()
        parts, index = self._columns(), getattr(self.contributions, "index", None)
        found = []
        for row in order:
            known = {name: float(cells[row]) for name, cells in parts.items() if not np.isnan(cells[row])}
            name = max(known, key=known.__getitem__, default=None)
            cell = "" if name is None else f"{visible(name)} {known[name]:.4f}"
            label = visible(row if index is None else index[row])
            found.append((label, float(self.scores[row]), cell))
        return found

    def _columns(self) -> dict[str, Any]:
        """The contributions by name, or by the place of the column where the table was an array."""
        if isinstance(self.contributions, np.ndarray):
            return {f"column {v}": cells for v, cells in enumerate(self.contributions.T)}
        if isinstance(self.contributions, dict):
            return self.contributions
        import narwhals.stable.v2 as nw

        frame = nw.from_native(self.contributions, eager_only=True)
        return {name: frame[name].to_numpy() for name in frame.columns}


def surprises(network: BayesianNetwork, rows: Dataset, threads: int | None = None) -> NDArray[np.float64]:
    """Negative log-probabilities of cells given the parents' cells, of shape (variables, rows)."""
    complete = rows
    if not rows.is_complete:
        complete = network.junction_tree.most_probable_rows(rows, impossible="nan", threads=threads)
    result = -family_logs(network, complete.codes)
    if not rows.is_complete:
        result[rows.codes < 0] = 0
        result[:, (complete.codes < 0).any(axis=0)] = np.nan
    return result


def family_logs(network: BayesianNetwork, codes: Codes) -> NDArray[np.float64]:
    """Log-probabilities of cells given the parents' cells, of shape (variables, rows); rows are complete."""
    logs = np.empty(codes.shape)
    cardinalities = network.schema.cardinalities
    for child, (family, table) in enumerate(zip(network.parent_indices, network.tables, strict=True)):
        place = np.zeros(codes.shape[1], dtype=np.int64)
        for v in (*family, child):
            place = place * cardinalities[v] + np.maximum(codes[v], 0)
        with np.errstate(divide="ignore"):
            logs[child] = np.log(table)[place]
    return logs

"""What the bounds on the treewidth came to, row by row held out, and which of them to take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound._description import Cell, Described, Description, Styled, Table
from treebound.inference import Backend, frame_of

_SAME = 1e-12
LEVEL = 0.001  # nats per row; a smaller loss does not justify larger tables, however certain it is
_ROUNDING = 1 + 1e-9  # a bound that is behind by exactly one standard error is near enough


@dataclass(frozen=True, eq=False)
class Trial:
    """A bound, what was learned with it from all rows, and the log-likelihood of each row held out."""

    max_treewidth: int
    treewidth: int
    log_likelihoods: NDArray[np.float64]
    score: float
    largest_cells: int
    num_parameters: int
    query_seconds: float
    seconds: float


class TreewidthRow(NamedTuple):
    """A row of the table: one treewidth limit. Log-likelihoods are those of rows held out, in nats per row.

    ``behind`` is how much less it is than that of the best bound; both have a standard error, ``behind`` one
    of the differences row by row. ``treewidth``, ``score``, ``largest_cells`` (joint states of the largest
    bag), ``num_parameters``, ``query_seconds`` (all marginals after a change of one finding) and ``seconds``
    (of learning) belong to the network of all rows.
    """

    max_treewidth: int
    treewidth: int
    log_likelihood: float
    standard_error: float
    behind: float
    behind_error: float
    score: float
    largest_cells: int
    num_parameters: int
    query_seconds: float
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class TreewidthChoice(Described):
    """Bounds on the treewidth, ascending, and the one to take: ``recommended``, with its ``reason``."""

    trials: tuple[Trial, ...]
    was_interrupted: bool = False

    def __post_init__(self) -> None:
        check_type("trials", self.trials, Sequence, "a sequence of trials, as choose_treewidth() makes them")
        for trial in self.trials:
            check_type("each of trials", trial, Trial, "a trial, as choose_treewidth() makes it")
        if not self.trials:
            raise ValueError("trials must hold at least one bound, got none.")

    @cached_property
    def table(self) -> tuple[TreewidthRow, ...]:
        """A row for each bound."""
        best = self._best_trial.log_likelihoods
        return tuple(_row(trial, best) for trial in self.trials)

    @property
    def _best_trial(self) -> Trial:
        possible, best = max(map(_quality, self.trials))
        least = best - _SAME * abs(best)  # equal networks may differ in the last digits of their sums
        return next(t for t in self.trials if (q := _quality(t))[0] == possible and q[1] >= least)

    @property
    def best(self) -> int:
        """The bound with the highest held-out log-likelihood; of equal ones, the smallest."""
        return self._best_trial.max_treewidth

    @property
    def recommended(self) -> int:
        """The smallest bound that is behind the best by at most one standard error of the difference.

        Bounds that are behind by at most ``LEVEL`` nats per row count as level with the best.
        """
        return next(
            row.max_treewidth for row in self.table if row.behind <= max(LEVEL, row.behind_error * _ROUNDING)
        )

    @property
    def reason(self) -> str:
        """Why this bound is recommended, in a sentence."""
        return self._comparison + (" Interrupted: no other limit was tried." if self.was_interrupted else "")

    @property
    def _comparison(self) -> str:
        rows = {row.max_treewidth: row for row in self.table}
        chosen, best = rows[self.recommended], rows[self.best]
        likelihood = f"held-out log-likelihood {best.log_likelihood:.4f} nats per row"
        if chosen is best:
            smaller = [row for row in self.table if row.max_treewidth < best.max_treewidth]
            why = (
                "no smaller limit comes within one standard error of it" if smaller else "no limit is smaller"
            )
            message = f"Treewidth limit {self.best} has the best {likelihood}, and {why}."
            is_last = smaller and best is self.table[-1] and best.treewidth == best.max_treewidth
            return message + (" No larger one was tried, and one may be better still." if is_last else "")
        behind = f"{chosen.behind:.4f} \u00b1 {chosen.behind_error:.4f} nats per row behind"
        if chosen.behind <= LEVEL:
            behind = "level with"
        return (
            f"Treewidth limit {self.recommended} is {behind} {self.best}, which has the best {likelihood}"
            + (": one standard error at most." if chosen.behind > LEVEL else ".")
            + (
                f" Its largest table has {chosen.largest_cells:,} cells instead of {best.largest_cells:,}."
                if chosen.largest_cells < best.largest_cells
                else ""
            )
        )

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """The table as a frame."""
        return frame_of(
            {name: [getattr(row, name) for row in self.table] for name in TreewidthRow._fields}, backend
        )

    def describe(self) -> Description:
        """Return a row for each bound, the recommended one marked."""
        rows = [self._cells(row) for row in self.table]
        headings = ["limit", "held out", "behind the best", "score", "largest table", "query"]
        table = Table(headings, rows, right=range(len(headings)))
        notes = ("held out is the log-likelihood of held-out rows, in nats per row",)
        data = {
            "recommended": self.recommended,
            "best": self.best,
            "reason": self.reason,
            "was_interrupted": self.was_interrupted,
            "table": [row._asdict() for row in self.table],
        }
        return Description(self.reason, tables=[table], notes=notes, data=data)

    def _cells(self, row: TreewidthRow) -> list[Cell]:
        is_recommended = row.max_treewidth == self.recommended
        cells = [
            f"{'* ' if is_recommended else ''}{row.max_treewidth}",
            f"{row.log_likelihood:,.4f}",
            f"{row.behind:,.4f} \u00b1 {row.behind_error:.4f}",
            f"{row.score:,.1f}",
            f"{row.largest_cells:,}",
            f"{1e3 * row.query_seconds:,.2g} ms",
        ]
        return [Styled(cell, "bold green") if is_recommended else cell for cell in cells]

    def __repr__(self) -> str:
        bounds = ", ".join(str(trial.max_treewidth) for trial in self.trials)
        return f"<TreewidthChoice: {self.recommended} of the limits {bounds}. {self.reason}>"


def _quality(trial: Trial) -> tuple[int, float]:
    """Fewer rows of probability zero are better; then, a higher mean of the others."""
    possible = trial.log_likelihoods[np.isfinite(trial.log_likelihoods)]
    return len(possible), float(possible.sum())


def _row(trial: Trial, best: NDArray[np.float64]) -> TreewidthRow:
    own = trial.log_likelihoods
    # Rows that both rule out are no difference between them.
    differences = np.where(own == best, 0.0, best - np.where(own == best, 0.0, own))
    return TreewidthRow(
        trial.max_treewidth,
        trial.treewidth,
        float(own.mean()),
        _standard_error(own),
        float(differences.mean()),
        _standard_error(differences),
        trial.score,
        trial.largest_cells,
        trial.num_parameters,
        trial.query_seconds,
        trial.seconds,
    )


def _standard_error(values: NDArray[np.float64]) -> float:
    """Of the mean; 0 where it is unknown."""
    if len(values) < 2 or not np.isfinite(values).all():
        return 0.0
    return float(values.std(ddof=1)) / math.sqrt(len(values))

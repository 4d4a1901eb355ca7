"""What the checker finds: faults, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from treebound._description import Described
from treebound._visible import visible
from treebound.constraints import Constraints


class FaultKind(StrEnum):
    """What can be wrong with a structure, as its report is headed."""

    CYCLE = "cycle"
    FAMILY = "family outside all bags"
    TREE = "bags do not form a tree"
    VARIABLES = "bags do not match the variables"
    CONNECTION = "bags of a variable are not connected"
    WIDTH = "treewidth limit exceeded"
    CELLS = "cell limit exceeded"
    ORDER = "invalid insertion order"
    SCORES = "wrong scores"
    CONSTRAINTS = "constraint violated"


@dataclass(frozen=True)
class Fault:
    """Something that is wrong, and where."""

    kind: FaultKind
    message: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True)
class Verdict(Described):
    """What the checker found; true if there is no fault."""

    faults: tuple[Fault, ...]
    treewidth: int
    max_treewidth: int | None
    max_cells: int | None
    score: float | None
    # "table", "cache", both or nothing; "observed cells", alone or with what the checker did by itself: "EM",
    # "inference", or inference for a "sample" of the rows.
    compared_with: tuple[str, ...]
    constraints: Constraints | None = None  # those that the structure obeys
    rows_compared: int | None = None  # the rows of the sample

    @property
    def scores_checked(self) -> bool:
        """Whether the scores were compared with a cache or a table."""
        return bool(self.compared_with)

    @property
    def is_ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.is_ok

    def describe(self) -> str:
        """Return the result in a sentence, or the faults as lines."""
        if not self.is_ok:
            return "\n".join(["rejected:", *(f"- {visible(fault)}" for fault in self.faults)])
        bound = "" if self.max_treewidth is None else f", within the limit {self.max_treewidth}"
        states = "" if self.max_cells is None else f", at most {self.max_cells:,} joint states per bag"
        obeyed = ", constraints obeyed" if self.constraints else ""
        limits = f"{bound}{states}{obeyed}"
        return f"ok: acyclic, treewidth at most {self.treewidth}{limits}, {self._describe_scores()}"

    def _describe_scores(self) -> str:
        if self.score is None:
            return "no scores to compare"
        all_rows = "score recomputed from the observed cells of all rows"
        return {
            (): "scores add up (not compared with a table or a cache)",
            ("cache",): "scores agree with the cache",
            ("table",): "scores recounted from the table",
            ("table", "cache"): "scores recounted from the table, and the cache agrees with it",
            ("observed cells",): all_rows,
            ("observed cells", "inference"): f"{all_rows} by the checker's own inference",
            ("observed cells", "EM"): f"{all_rows} by the checker's own EM",
            (
                "observed cells",
                "sample",
            ): f"{all_rows}, of {self.rows_compared or 0:,} rows also by the checker's own inference",
        }[self.compared_with]

"""The scores on offer: what a family is worth, given the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from treebound import _core


@dataclass(frozen=True)
class Bic:
    """Bayesian information criterion: log-likelihood minus (log N / 2) per free parameter, natural logs."""

    name: ClassVar[str] = "bic"

    def to_json(self) -> dict[str, Any]:
        """Return the score as it stands in files."""
        return {"name": self.name}

    def _in_core(self, num_rows: int) -> _core.LocalScore:
        return _core.Bic(num_rows)


@dataclass(frozen=True)
class Bdeu:
    """Log marginal likelihood under a uniform Dirichlet prior worth ``equivalent_sample_size`` rows."""

    equivalent_sample_size: float = 1.0
    name: ClassVar[str] = "bdeu"

    def __post_init__(self) -> None:
        size = float(self.equivalent_sample_size)
        object.__setattr__(self, "equivalent_sample_size", size)
        if not (math.isfinite(size) and size > 0):
            raise ValueError(f"equivalent_sample_size must be positive and finite, got {size}.")

    def to_json(self) -> dict[str, Any]:
        """Return the score as it stands in files."""
        return {"name": self.name, "equivalent_sample_size": self.equivalent_sample_size}

    def _in_core(self, num_rows: int) -> _core.LocalScore:
        return _core.Bdeu(num_rows, self.equivalent_sample_size)


Score: TypeAlias = Bic | Bdeu
SCORE_IN_WORDS = "Bic() or Bdeu()"


def score_from_json(fields: dict[str, Any]) -> Score | None:
    """Return the score that stands in a file; None if it is none of ours."""
    match fields:
        case {"name": Bic.name}:
            return Bic()
        case {"name": Bdeu.name, "equivalent_sample_size": float() | int() as size}:
            return Bdeu(size)
    return None

"""The local scores: how good a family is, given the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from treebound import _core
from treebound._arguments import check_number


@dataclass(frozen=True, repr=False)
class Bic:
    """Score by the Bayesian information criterion.

    The log-likelihood minus ``penalty`` times (log N / 2) per free parameter, in natural logarithms.

    Parameters
    ----------
    penalty : float
        Multiplier of the price of a parameter; larger values give sparser structures.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.Bic()
    Bic()
    """

    penalty: float = 1.0
    name: ClassVar[str] = "bic"

    def __post_init__(self) -> None:
        object.__setattr__(self, "penalty", check_number("penalty", self.penalty, positive=True))

    def __repr__(self) -> str:
        return "Bic()" if self.penalty == 1 else f"Bic(penalty={self.penalty})"

    def _in_core(self, num_rows: int) -> _core.LocalScore:
        return _core.Bic(num_rows, self.penalty)


@dataclass(frozen=True)
class Bdeu:
    """Score by the log marginal likelihood under a uniform Dirichlet prior.

    Parameters
    ----------
    equivalent_sample_size : float
        Number of rows that the prior counts for.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.Bdeu(10)
    Bdeu(equivalent_sample_size=10.0)
    """

    equivalent_sample_size: float = 1.0
    name: ClassVar[str] = "bdeu"

    def __post_init__(self) -> None:
        size = check_number("equivalent_sample_size", self.equivalent_sample_size, positive=True)
        object.__setattr__(self, "equivalent_sample_size", size)

    def _in_core(self, num_rows: int) -> _core.LocalScore:
        return _core.Bdeu(num_rows, self.equivalent_sample_size)


Score: TypeAlias = Bic | Bdeu
DEFAULT_SCORE: Score = Bic()
SCORE_IN_WORDS = "Bic() or Bdeu()"

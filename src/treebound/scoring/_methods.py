"""How parent sets are looked for: the two methods of parent set identification, as option records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from treebound import _core
from treebound._arguments import check_integer

# What a visited set costs independence selection: itself, its place in the index and its share of the heap.
BYTES_PER_VISITED_SET = 120
_FEWEST_VISITED = 64
BYTES_PER_PAIR = 8
_NO_LIMIT = 2**63 - 1
_MAX_COUNT = 2**31 - 1


@dataclass(frozen=True)
class Exhaustive:
    """Score every parent set that the pruning rules leave open.

    With a hundred columns, three parents take seconds.

    Parameters
    ----------
    max_parents : int
        Largest number of parents.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.Exhaustive(2)
    Exhaustive(max_parents=2)
    """

    max_parents: int = 3
    name: ClassVar[Literal["exhaustive"]] = "exhaustive"

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_parents", check_integer("max_parents", self.max_parents, 0, _MAX_COUNT))

    def _in_core(self) -> _core.ScoringJob.Method:
        return _core.ScoringJob.Method.exhaustive

    def _max_visited(self, num_variables: int) -> int:
        return 0

    def _max_pairs(self) -> int:
        return _NO_LIMIT


@dataclass(frozen=True)
class Independence:
    """Search parent sets best first, guided by the estimate BIC*, for tables with many variables.

    Up to half of the memory goes to the counts of pairs of variables, which the default has room for up to
    18,000 variables; beyond that, each variable keeps only its best partners as candidate parents. The rest
    is shared equally among the variables; one whose share is full stops there. No variable keeps more single
    parents than its share has sets.

    Parameters
    ----------
    max_parents : int
        Largest number of parents. Six are usual in the literature, and about what BIC admits with 5,000 rows.
    memory_mb : int
        Memory for counts and visited sets.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.Independence(max_parents=4)
    Independence(max_parents=4, memory_mb=2560)
    """

    max_parents: int = 6
    memory_mb: int = 2560
    name: ClassVar[Literal["independence"]] = "independence"

    def __post_init__(self) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "max_parents", check_integer("max_parents", self.max_parents, 0, 30))
        put(self, "memory_mb", check_integer("memory_mb", self.memory_mb, 1, _MAX_COUNT))

    def _in_core(self) -> _core.ScoringJob.Method:
        return _core.ScoringJob.Method.independence

    def _max_visited(self, num_variables: int) -> int:
        num_pairs = min(num_variables * (num_variables - 1) // 2, self._max_pairs())
        left = self.memory_mb * 2**20 - BYTES_PER_PAIR * num_pairs
        return max(_FEWEST_VISITED, left // (BYTES_PER_VISITED_SET * num_variables))

    def _max_pairs(self) -> int:
        return self.memory_mb * 2**20 // 2 // BYTES_PER_PAIR


ParentSetSearch: TypeAlias = Exhaustive | Independence
PARENT_SETS_IN_WORDS = "Exhaustive() or Independence()"

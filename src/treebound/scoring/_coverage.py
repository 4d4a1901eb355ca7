"""Which parent sets a cache covers: up to what size, and whether all of them were looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, TypeAlias, get_args

from treebound._arguments import check_integer
from treebound.scoring._methods import ParentSetSearch

Method: TypeAlias = Literal["exhaustive", "independence"]


@dataclass(frozen=True)
class Coverage:
    """How the parent sets of a cache were found.

    ``method`` ``"exhaustive"`` means that every set of up to ``max_parents`` parents was scored or removed by
    one of the ``pruning`` rules, each of which keeps an optimal structure; ``"independence"`` that the most
    promising ones were. ``num_further`` sets joined later, requested by a search.
    """

    method: Method
    max_parents: int
    pruning: tuple[str, ...] = ()
    num_further: int = 0

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise ValueError(f"method must be 'exhaustive' or 'independence', got {self.method!r}.")
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "max_parents", check_integer("max_parents", self.max_parents, 0))
        put(self, "num_further", check_integer("num_further", self.num_further, 0))
        put(self, "pruning", tuple(map(str, self.pruning)))

    @classmethod
    def of(cls, parent_sets: ParentSetSearch, rules: Iterable[str]) -> Self:
        """Return the coverage of a search for parent sets with some pruning rules."""
        return cls(parent_sets.name, parent_sets.max_parents, tuple(rules))

    @property
    def complete_size(self) -> int:
        """Size up to which every set was looked at."""
        return self.max_parents if self.method == "exhaustive" else 0

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data, from which ``Coverage(**data)`` makes the same coverage."""
        return asdict(self)

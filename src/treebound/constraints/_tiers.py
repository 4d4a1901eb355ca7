"""Tiers: variables in layers, with arcs from earlier layers to later ones only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.constraints._arcs import Patterns, plain
from treebound.constraints._names import NameIndex, patterns_of

UNLISTED = -1


@dataclass(frozen=True)
class Tiers:
    """Layers of variables, earliest first: no arc leads from a later layer to an earlier one.

    Variables that no layer lists are free. A name is more specific than a pattern, and a pattern more than
    ``"*"``: the most specific one decides in which layer a variable is.

    Parameters
    ----------
    levels : sequence of names, patterns or sequences of them
        The layers.
    within : bool or sequence of bool
        Whether arcs between variables of one layer are allowed, for all layers or for each.
    only_next : bool
        Whether arcs lead into the same or the next layer only.

    Examples
    --------
    >>> from treebound.constraints import Tiers
    >>> print(Tiers([["age", "sex"], ["*_score"]], within=False))
    'age', 'sex' | '*_score' (no arcs inside a tier)
    """

    levels: tuple[Patterns, ...]
    within: tuple[bool, ...] = ()
    only_next: bool = False

    def __init__(
        self, levels: Iterable[Any], within: bool | Iterable[bool] = True, only_next: bool = False
    ) -> None:
        if isinstance(levels, str):
            raise TypeError(f"tiers must be a sequence of tiers, got the string {levels!r}.")
        layers = tuple(patterns_of(level, "tiers") for level in levels)
        if not all(layers):
            raise ValueError(f"Each tier must list variables, and tier {layers.index(()) + 1} is empty.")
        inside = (within,) * len(layers) if isinstance(within, bool) else tuple(within)
        if len(inside) != len(layers) or not all(isinstance(one, bool) for one in inside):
            raise ValueError(
                f"within must be a boolean, or one for each of {len(layers)} tiers, got {within!r}."
            )
        check_type("only_next", only_next, bool, "a boolean")
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "levels", layers)
        put(self, "within", inside)
        put(self, "only_next", only_next)

    def ranks(self, index: NameIndex) -> NDArray[np.int64]:
        """Return the layer of each variable; UNLISTED where there is none."""
        ranks = np.full(len(index.names), UNLISTED, dtype=np.int64)
        strength = np.full(len(index.names), 3)
        for level, patterns in enumerate(self.levels):
            for pattern in patterns:
                self._place(ranks, strength, level, pattern, index)
        return ranks

    def _place(
        self,
        ranks: NDArray[np.int64],
        strength: NDArray[np.int64],
        level: int,
        pattern: str,
        index: NameIndex,
    ) -> None:
        rank, matching = index.rank_of(pattern), np.array(index.matches(pattern, "tiers"))
        clash = matching[(strength[matching] == rank) & (ranks[matching] != level)]
        if len(clash):
            v = int(clash[0])
            raise ValueError(
                f"{index.names[v]!r} is in tier {ranks[v] + 1} and in tier {level + 1}; list it once."
            )
        weaker = matching[strength[matching] > rank]
        ranks[weaker], strength[weaker] = level, rank

    def barred(self, ranks: NDArray[np.int64], rank: int) -> NDArray[np.bool_]:
        """Return which variables must not be parents of one in the layer ``rank``."""
        result = ranks > rank
        if not self.within[rank]:
            result |= ranks == rank
        if self.only_next:
            result |= (ranks != UNLISTED) & (ranks < rank - 1)
        return result

    def reason(self, parent_rank: int, child_rank: int) -> str | None:
        """Return why a variable of one layer is not a parent in another, or None if it may be."""
        if UNLISTED in (parent_rank, child_rank):
            return None
        if parent_rank > child_rank:
            return f"tier {parent_rank + 1} comes after tier {child_rank + 1}"
        if parent_rank == child_rank and not self.within[child_rank]:
            return f"tier {child_rank + 1} has no arcs inside"
        if self.only_next and parent_rank < child_rank - 1:
            return f"tier {child_rank + 1} is not next to tier {parent_rank + 1}"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data."""
        inside: bool | list[bool] = (
            self.within[0] if len({*self.within}) < 2 and self.within else [*self.within]
        )
        return {
            "levels": [plain(level) for level in self.levels],
            "within": inside,
            "only_next": self.only_next,
        }

    def __str__(self) -> str:
        shown = " | ".join(", ".join(map(repr, level)) for level in self.levels)
        closed = [str(number + 1) for number, inside in enumerate(self.within) if not inside]
        notes = []
        if len(closed) == len(self.within):
            notes.append("no arcs inside a tier")
        elif closed:
            notes.append(f"no arcs inside tier {', '.join(closed)}")
        if self.only_next:
            notes.append("only into the next tier")
        return shown + (f" ({'; '.join(notes)})" if notes else "")

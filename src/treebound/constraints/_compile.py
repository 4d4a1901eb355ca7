"""From constraints by name and pattern to rules for numbered variables.

Nothing is expanded to pairs except what is required: a tier is a rank per variable, a pattern a set of
variables, and the forbidden parents of a variable are the union of a few sets of bits. Variables with the
same forbidden parents share theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from treebound.constraints._arcs import Pair
from treebound.constraints._masks import mask_of
from treebound.constraints._names import NameIndex
from treebound.constraints._order import later_masks
from treebound.constraints._rules import FamilyRules
from treebound.constraints._tiers import UNLISTED

if TYPE_CHECKING:
    from treebound.constraints._constraints import Constraints


class Draft:
    """Rules that are being put together."""

    def __init__(self, constraints: Constraints, names: Sequence[str]) -> None:
        self.constraints, self.num_variables = constraints, len(names)
        self.index = NameIndex(names, constraints.groups)
        self.forbidden: dict[int, int] = {}
        self.required = self._arcs(constraints.required, "required")
        self.adjacent = self._edges(constraints.adjacent)
        self.max_parents = self._max_parents()
        self._forbid_arcs()
        self._forbid_by_tiers()
        self._forbid_by_order()
        self._forbid_ends()

    def rules(self) -> FamilyRules:
        """Return the rules; pairs that can be joined in one direction only become required arcs."""
        required: dict[int, set[int]] = {}
        for parent, child in self.required:
            required.setdefault(child, set()).add(parent)
        undecided = []
        rules = FamilyRules(self.num_variables, {}, self.forbidden, self.max_parents)
        for a, b in self.adjacent:
            if a in required.get(b, ()) or b in required.get(a, ()):
                continue
            if rules.forbids(b, a):
                required.setdefault(a, set()).add(b)
            elif rules.forbids(a, b):
                required.setdefault(b, set()).add(a)
            else:
                undecided.append((a, b))
        ascending = {child: tuple(sorted(parents)) for child, parents in sorted(required.items())}
        return FamilyRules(self.num_variables, ascending, self.forbidden, self.max_parents, tuple(undecided))

    def _select(self, patterns: Iterable[str], what: str) -> list[int]:
        return self.index.select(patterns, what)

    def _arcs(self, pairs: Iterable[Pair], what: str) -> list[tuple[int, int]]:
        found: dict[tuple[int, int], None] = {}
        for sources, targets in pairs:
            one, other = self._select(sources, what), self._select(targets, what)
            # A pattern on both sides means each with the others; a name on both sides is a mistake.
            is_single = len(one) == len(other) == 1
            found.update(dict.fromkeys(arc for arc in product(one, other) if is_single or arc[0] != arc[1]))
        return list(found)

    def _edges(self, pairs: Iterable[Pair]) -> list[tuple[int, int]]:
        arcs = self._arcs(pairs, "adjacent")
        return list(dict.fromkeys((min(arc), max(arc)) for arc in arcs))

    def _max_parents(self) -> dict[int, int]:
        most: dict[int, int] = {}
        for pattern, number in self.constraints.max_parents.items():
            for v in self.index.matches(pattern, "max_parents"):
                most[v] = min(number, most.get(v, number))
        return most

    def _forbid(self, sources: int, targets: Iterable[int]) -> None:
        """Forbid arcs from the variables of a mask to others; equal unions are made once."""
        made: dict[int, int] = {}
        for child in targets:
            before = self.forbidden.get(child, 0)
            if before not in made:
                made[before] = before | sources
            if made[before]:
                self.forbidden[child] = made[before]

    def _forbid_arcs(self) -> None:
        both = [(b, a) for a, b in self.constraints.not_adjacent]
        rules = [(pair, "forbidden") for pair in self.constraints.forbidden]
        rules += [(pair, "not_adjacent") for pair in (*self.constraints.not_adjacent, *both)]
        for (sources, targets), what in rules:
            mask = mask_of(self._select(sources, what), self.num_variables)
            self._forbid(mask, self._select(targets, what))

    def _forbid_by_tiers(self) -> None:
        for tiers in self.constraints.tiers:
            ranks = tiers.ranks(self.index)
            for rank in np.unique(ranks[ranks != UNLISTED]).tolist():
                mask = mask_of(tiers.barred(ranks, rank), self.num_variables)
                self._forbid(mask, np.flatnonzero(ranks == rank).tolist())

    def _forbid_by_order(self) -> None:
        chains = [[self._select(group, "order") for group in chain] for chain in self.constraints.order]
        for v, mask in later_masks(chains, self.index.names).items():
            self._forbid(mask, [v])

    def _forbid_ends(self) -> None:
        everything = range(self.num_variables)
        if self.constraints.roots:
            mask = mask_of(everything, self.num_variables)
            self._forbid(mask, self._select(self.constraints.roots, "roots"))
        if self.constraints.leaves:
            mask = mask_of(self._select(self.constraints.leaves, "leaves"), self.num_variables)
            self._forbid(mask, everything)

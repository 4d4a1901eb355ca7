"""Constraints compiled for numbered variables: which families are allowed, as the core reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from treebound import _core
from treebound.constraints._masks import members_of, row_of

_NO_ROW = 2**32 - 1


@dataclass(frozen=True, eq=False)
class FamilyRules:
    """Which parents each variable must have, may have, and how many; by index.

    ``forbidden`` has a mask of bits per variable; variables with the same forbidden parents share it.
    ``undecided`` are pairs that must be joined, in either direction: a search decides on their directions
    first.
    """

    num_variables: int
    required: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    forbidden: Mapping[int, int] = field(default_factory=dict)
    max_parents: Mapping[int, int] = field(default_factory=dict)
    undecided: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.max_parents or self.undecided)

    def least(self, child: int) -> tuple[int, ...]:
        """The least allowed parent set of a child: the required parents, ascending."""
        return self.required.get(child, ())

    def forbids(self, child: int, parent: int) -> bool:
        """Whether an arc is forbidden."""
        return bool(self.forbidden.get(child, 0) >> parent & 1)

    def forbidden_parents(self, child: int) -> list[int]:
        """Return the parents that a child must not have, ascending, without itself."""
        found = members_of(self.forbidden.get(child, 0), self.num_variables)
        return [parent for parent in found if parent != child]

    def allows(self, child: int, parents: Collection[int]) -> bool:
        """Whether a child may have these parents."""
        return (
            len(parents) <= self.max_parents.get(child, len(parents))
            and set(self.least(child)) <= set(parents)
            and not any(self.forbids(child, p) for p in parents)
        )

    def requiring(self, arcs: Collection[tuple[int, int]]) -> FamilyRules:
        """Return the rules that require further arcs and leave no pair undecided."""
        required = dict(self.required)
        for parent, child in arcs:
            required[child] = tuple(sorted({*self.least(child), *required.get(child, ()), parent}))
        return replace(self, required=required, undecided=())

    def in_core(self) -> _core.FamilyRules:
        """Return the rules as the core reads them."""
        if not self:
            return _core.FamilyRules()
        n = self.num_variables
        numbers: dict[int, int] = {}
        rows = np.full(n, _NO_ROW, dtype=np.uint32)
        for child, mask in self.forbidden.items():
            rows[child] = numbers.setdefault(mask, len(numbers))
        most = np.full(n, n, dtype=np.uint32)
        most[list(self.max_parents)] = list(self.max_parents.values())
        sizes = [len(self.least(v)) for v in range(n)]
        is_undecided = np.zeros(n, dtype=np.uint8)
        is_undecided[[v for pair in self.undecided for v in pair]] = 1
        packed = b"".join(row_of(mask, n) for mask in numbers)
        return _core.FamilyRules(
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            np.array([p for v in range(n) for p in self.least(v)], dtype=np.uint32),
            rows,
            np.frombuffer(packed, dtype=np.uint8),
            most,
            is_undecided,
        )

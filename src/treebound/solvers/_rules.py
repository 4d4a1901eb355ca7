"""Which families a search may choose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from treebound import _core
from treebound.structure import find_cycle, flat_rows, orderable

_NO_ROW = 2**32 - 1
_NOTHING: Mapping[int, Collection[int]] = MappingProxyType({})


@dataclass(frozen=True)
class FamilyRules:
    """By child: the parents that it must have, those that it must not have, and how many it may have."""

    required: Mapping[int, Collection[int]] = field(default_factory=lambda: _NOTHING)
    forbidden: Mapping[int, Collection[int]] = field(default_factory=lambda: _NOTHING)
    max_parents: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.max_parents)

    def least(self, child: int) -> tuple[int, ...]:
        """The least allowed parent set of a child: the required parents, ascending."""
        return tuple(sorted(set(self.required.get(child, ()))))

    def allows(self, child: int, parents: Collection[int]) -> bool:
        """Whether a child may have these parents."""
        return (
            len(parents) <= self.max_parents.get(child, len(parents))
            and set(self.required.get(child, ())) <= set(parents)
            and not set(self.forbidden.get(child, ())) & set(parents)
        )

    def check(self, names: Sequence[str]) -> None:
        """Raise ValueError if the rules contradict each other; cycles of required parents do."""
        for child in self.required:
            self._check_child(child, names)
        least = [self.least(v) for v in range(len(names))]
        if len(orderable(least)) < len(names):
            path = " -> ".join(repr(names[v]) for v in find_cycle(least))
            raise ValueError(f"The required parents form a cycle, {path}; drop one of these arcs.")

    def _check_child(self, child: int, names: Sequence[str]) -> None:
        least, name = self.least(child), names[child]
        if clash := set(least) & {child, *self.forbidden.get(child, ())}:
            raise ValueError(
                f"{names[min(clash)]!r} is both required and forbidden as a parent of {name!r}; drop one"
                " rule."
            )
        if len(least) > self.max_parents.get(child, len(least)):
            raise ValueError(
                f"{name!r} requires {len(least)} parents and may have at most {self.max_parents[child]};"
                " drop one rule."
            )

    def in_core(self, num_variables: int) -> _core.FamilyRules:
        """Compile the rules; children with the same forbidden parents share a row of bits."""
        if not self:
            return _core.FamilyRules()
        patterns: dict[bytes, int] = {}
        row_of = np.full(num_variables, _NO_ROW, dtype=np.uint32)
        for child, parents in self.forbidden.items():
            bits = np.zeros(num_variables, dtype=np.bool_)
            bits[list(parents)] = True
            row = np.packbits(bits, bitorder="little").tobytes()
            row_of[child] = patterns.setdefault(row, len(patterns))
        most = np.full(num_variables, num_variables, dtype=np.uint32)
        most[list(self.max_parents)] = list(self.max_parents.values())
        return _core.FamilyRules(
            *flat_rows([self.least(v) for v in range(num_variables)]),
            row_of,
            np.frombuffer(b"".join(patterns), dtype=np.uint8),
            most,
        )


NO_RULES = FamilyRules()

"""The structure of whatever has one: what ``learn`` and ``search`` return, and networks."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from treebound._arguments import shown
from treebound.structure._structure import Structure


class HasStructure(Protocol):
    """A ``LearnResult``, a ``SearchResult`` or a ``BayesianNetwork``."""

    @property
    def structure(self) -> Structure:
        """The arcs, with their witness."""


StructureLike: TypeAlias = Structure | HasStructure
_IN_WORDS = "a Structure, what learn() or search() returned, or a BayesianNetwork"


def structure_of(source: StructureLike, also: str = "") -> Structure:
    """Return the structure itself, or that of the result or network; ``also``: what else the caller takes."""
    if isinstance(source, Structure):
        return source
    found: object = getattr(source, "structure", None)
    if isinstance(found, Structure):
        return found
    raise TypeError(f"structure must be {_IN_WORDS}{also}, got {shown(source)}.")

"""How two structures over the same variables differ, arc by arc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from treebound._description import MOST_ROWS, Described, Description, Table
from treebound.structure._same_names import check_same_names
from treebound.structure._structure_of import StructureLike, structure_of

Arcs: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, repr=False)
class StructureDiff(Described):
    """A structure seen from another one. Arcs are pairs of names (parent, child), in order of the child.

    ``common`` are in both, ``reversed`` are in both but point the other way in the second structure (and are
    listed as they point in the first), ``missing`` are in the first alone, ``extra`` in the second alone.
    """

    common: Arcs
    reversed: Arcs
    missing: Arcs
    extra: Arcs

    @property
    def distance(self) -> int:
        """Structural Hamming distance of the graphs: arcs to add, to take away or to turn around."""
        return len(self.reversed) + len(self.missing) + len(self.extra)

    @property
    def has_same_skeleton(self) -> bool:
        """Whether the same pairs are joined, in any direction."""
        return not self.missing and not self.extra

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary}>"

    def describe(self) -> Description:
        """Return the arcs that differ."""
        kinds = {"reversed": self.reversed, "missing": self.missing, "extra": self.extra}
        arcs = [[kind, parent, "\u2192", child] for kind, found in kinds.items() for parent, child in found]
        table = Table(["", "parent", "", "child"], arcs[:MOST_ROWS], max(0, len(arcs) - MOST_ROWS))
        data = {"common": self.common, **kinds, "distance": self.distance}
        return Description(self.summary, tables=[table] if arcs else [], data=data)

    @property
    def summary(self) -> str:
        """How many arcs are in both or differ, on one line."""
        common = "1 arc" if len(self.common) == 1 else f"{len(self.common)} arcs"
        return (
            f"{common} in common, {len(self.reversed)} reversed, {len(self.missing)} missing, "
            f"{len(self.extra)} extra"
        )


def diff(first: StructureLike, second: StructureLike) -> StructureDiff:
    """Compare two structures arc by arc.

    Parameters
    ----------
    first, second : Structure, LearnResult, SearchResult or BayesianNetwork
        Structures over variables of the same names, in any order.

    Returns
    -------
    StructureDiff
        Arcs in common, reversed, missing and extra.
    """
    one, other = structure_of(first), structure_of(second)
    check_same_names(one.names, other.names)
    old, new = dict.fromkeys(one.arcs), dict.fromkeys(other.arcs)
    return StructureDiff(
        common=tuple(arc for arc in old if arc in new),
        reversed=tuple((a, b) for a, b in old if (b, a) in new),
        missing=tuple((a, b) for a, b in old if (a, b) not in new and (b, a) not in new),
        extra=tuple((a, b) for a, b in new if (a, b) not in old and (b, a) not in old),
    )

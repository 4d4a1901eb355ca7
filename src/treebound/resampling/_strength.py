"""Shares of networks in which pairs of variables are joined, as a table, and their consensus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from treebound._arguments import check_integer, check_number, check_type
from treebound._description import MOST_ROWS, Bar, Cell, Described, Description, Table
from treebound._files import shortened
from treebound.data import nearest
from treebound.inference import Backend, frame_of
from treebound.resampling._consensus import consensus_of
from treebound.structure import Structure, cpdag, structure_of


class Arc(NamedTuple):
    """Two variables that are joined in a share of ``strength`` of the networks.

    ``direction`` is the share of these in which the arc leads from ``parent`` to ``child``, one half or more.
    """

    parent: str
    child: str
    strength: float
    direction: float


@dataclass(frozen=True, eq=False, repr=False)
class ArcStrength(Described):
    """Many networks over the same variables, their weights, and how sure their arcs are.

    ``arc_strength`` makes one; it can also be made of any networks whose variables are in the same order.
    Weights are scaled to sum to one.
    """

    networks: tuple[Structure, ...]
    weights: tuple[float, ...]
    max_treewidth: int
    was_interrupted: bool = False

    def __post_init__(self) -> None:
        for name in ("networks", "weights"):
            check_type(name, getattr(self, name), Sequence, "a sequence")
        networks = tuple(map(structure_of, self.networks))
        weights = [check_number("a weight", weight, positive=False) for weight in self.weights]
        if not networks or len(weights) != len(networks) or not sum(weights) > 0:
            raise ValueError(
                "networks must be one or more, with a weight for each, not all of them zero; "
                f"got {len(networks)} networks and {len(weights)} weights."
            )
        if len({network.names for network in networks}) > 1:
            raise ValueError("networks must be over the same variables in the same order, got others.")
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "networks", networks)
        put(self, "weights", tuple(weight / sum(weights) for weight in weights))
        put(self, "max_treewidth", check_integer("max_treewidth", self.max_treewidth, 0))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.networks[0].names

    @cached_property
    def shares(self) -> Mapping[tuple[int, int], float]:
        """The share of networks that have an arc, by indices (parent, child), both directions of a pair.

        A reversible arc, which an equally good network has the other way round, counts half for each.
        """
        shares: dict[tuple[int, int], float] = defaultdict(float)
        for network, weight in zip(self.networks, self.weights, strict=True):
            graph = cpdag(network)
            for a, b in graph.compelled:
                shares[a, b] += weight
                shares[b, a] += 0.0
            for a, b in graph.reversible:
                shares[a, b] += weight / 2
                shares[b, a] += weight / 2
        return dict(shares)

    def strength(self, first: str, second: str) -> float:
        """The share of networks in which two variables are joined."""
        a, b = (self.names.index(_known(name, self.names)) for name in (first, second))
        return _rounded(self.shares.get((a, b), 0.0) + self.shares.get((b, a), 0.0))

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """All pairs that any network joins, the strongest first, each in its more frequent direction."""
        found = []
        for (a, b), there in self.shares.items():
            back = self.shares[b, a]
            if there > back or (there == back and a < b):
                strength, direction = there + back, there / (there + back)
                found.append(Arc(self.names[a], self.names[b], *map(_rounded, (strength, direction))))
        return tuple(sorted(found, key=lambda arc: (-arc.strength, -arc.direction)))

    @cached_property
    def consensus(self) -> Structure:
        """A structure within the bound whose mean distance (SHD) from the networks is as small as was found.

        See :func:`consensus_of` for how it is searched.
        """
        return consensus_of(self.networks, self.shares, self.max_treewidth)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """A frame with a row for each pair: ``parent``, ``child``, ``strength`` and ``direction``."""
        return frame_of({name: [getattr(arc, name) for arc in self.arcs] for name in Arc._fields}, backend)

    def describe(self) -> Description:
        """Return the strongest arcs."""
        rows: list[list[Cell]] = [
            [parent, child, f"{strength:.4f}", f"{direction:.4f}", Bar(strength)]
            for parent, child, strength, direction in self.arcs[:MOST_ROWS]
        ]
        headings = ["parent", "child", "strength", "direction", ""]
        table = Table(headings, rows, len(self.arcs) - len(rows))
        return Description(f"Arcs of {len(self.networks):,} networks, the strongest first", tables=[table])

    def __repr__(self) -> str:
        sure = sum(arc.strength > 0.5 for arc in self.arcs)
        return (
            f"<ArcStrength: {len(self.networks)} networks of {len(self.names)} variables, {len(self.arcs)} "
            f"pairs joined in any of them, {sure} in more than half>"
        )


def _rounded(share: float) -> float:
    """A sum of shares without the rounding of its terms, so what is always there has strength 1."""
    return round(share, 12)


def _known(name: str, names: tuple[str, ...]) -> str:
    check_type("a variable", name, str, "a name")
    if name not in names:
        hint = nearest(name, names)
        raise ValueError(f"there is no variable {shortened(repr(name))}{hint or '.'}")
    return name

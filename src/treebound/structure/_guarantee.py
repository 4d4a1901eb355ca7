"""What a tree decomposition promises about exact queries: sizes of tables, memory, time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from treebound._description import Described
from treebound._visible import visible
from treebound.structure._decomposition import TreeDecomposition

_BYTES_PER_CELL = 8
# What all marginals of the networks with hundreds of variables take on one core in `benchmarks/run.py
# inference` and `inference_wide`, within a third (diabetes, full of zeros, takes a quarter); hence "about".
_SECONDS_PER_CELL = 20e-9
_SECONDS_PER_BAG = 3e-6


@dataclass(frozen=True)
class Guarantee(Described):
    """Bounds on exact inference, for every query; cells are None if the numbers of states are unknown."""

    treewidth: int
    max_treewidth: int | None
    largest_bag: tuple[str, ...]
    largest_cells: int | None
    total_cells: int | None
    num_bags: int

    @property
    def memory_bytes(self) -> int | None:
        """Bytes for all tables of the junction tree, in double precision."""
        return None if self.total_cells is None else self.total_cells * _BYTES_PER_CELL

    @property
    def query_seconds(self) -> float | None:
        """A rough time for the marginals of all variables given any evidence, on one core."""
        if self.total_cells is None:
            return None
        return self.total_cells * _SECONDS_PER_CELL + self.num_bags * _SECONDS_PER_BAG

    def describe(self) -> str:
        """Return the guarantee in sentences."""
        limit = "" if self.max_treewidth is None else f" (limit {self.max_treewidth})"
        first = f"Treewidth at most {self.treewidth}{limit}."
        if self.largest_cells is None or self.total_cells is None or self.query_seconds is None:
            size = len(self.largest_bag)
            return (
                f"{first} Largest table over {size} variables, with s^{size} cells if each has s states; "
                "the numbers of states are not known."
            )
        return (
            f"{first} Largest table {self.largest_cells:,} cells (over {_listed(self.largest_bag)}); "
            f"all tables {self.total_cells:,} cells, {spelled_bytes(self.total_cells * _BYTES_PER_CELL)}; "
            f"an exact query takes about {_duration(self.query_seconds)}."
        )


def guarantee_of(
    witness: TreeDecomposition,
    names: Sequence[str],
    cardinalities: Sequence[int] | None,
    max_treewidth: int | None,
) -> Guarantee:
    """Compute what a decomposition promises."""
    num_bags = len(witness.bags)
    if cardinalities is None:
        largest = max(witness.bags, key=len)
        members = tuple(names[v] for v in largest)
        return Guarantee(witness.width, max_treewidth, members, None, None, num_bags)
    cells = [prod(cardinalities[v] for v in bag) for bag in witness.bags]
    largest = witness.bags[cells.index(max(cells))]
    members = tuple(names[v] for v in largest)
    return Guarantee(witness.width, max_treewidth, members, max(cells), sum(cells), num_bags)


def _listed(names: tuple[str, ...], most: int = 6) -> str:
    shown = ", ".join(map(visible, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def spelled_bytes(count: float) -> str:
    """A number of bytes in words."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB" if count < 1000 else "more than 1,000 PB"


def _duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{max(seconds * 1e6, 1):.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.0f} ms"
    return f"{seconds:.3g} s"

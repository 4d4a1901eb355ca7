"""What stands around a variable: all that is at most so many arcs away, in whatever direction they lead."""

from __future__ import annotations

from collections.abc import Iterable

from treebound._arguments import check_integer, check_type
from treebound.data import nearest
from treebound.structure import Structure


def around_of(
    structure: Structure, around: str | Iterable[str], distance: int
) -> tuple[list[int], list[int]]:
    """The variables requested, and these with all that are at most ``distance`` arcs away, ascending."""
    distance = check_integer("distance", distance, 0)
    check_type("around", around, str | Iterable, "the name of a variable, or several")
    centres = [_position(structure, name) for name in ([around] if isinstance(around, str) else around)]
    if not centres:
        raise ValueError("around must name a variable of the structure at least, got none.")
    neighbours: list[list[int]] = [[] for _ in structure.names]
    for parent, child in structure.arc_indices:
        neighbours[parent].append(child)
        neighbours[child].append(parent)
    found = edge = set(centres)
    for _ in range(min(distance, structure.num_variables)):
        edge = {other for v in edge for other in neighbours[v]} - found
        found = found | edge
    return centres, sorted(found)


def part_of(structure: Structure, chosen: list[int]) -> Structure:
    """The structure among some of the variables: arcs that lead out of it are dropped."""
    number = {v: i for i, v in enumerate(chosen)}
    parents = [[number[p] for p in structure.parent_indices[v] if p in number] for v in chosen]
    return Structure.from_parents(parents, names=[structure.names[v] for v in chosen])


def arcs_outside(structure: Structure, chosen: list[int]) -> list[int]:
    """How many arcs of each chosen variable lead to others."""
    number = {v: i for i, v in enumerate(chosen)}
    counts = [0] * len(chosen)
    for parent, child in structure.arc_indices:
        for one, other in ((parent, child), (child, parent)):
            if one in number and other not in number:
                counts[number[one]] += 1
    return counts


def _position(structure: Structure, name: object) -> int:
    check_type("around", name, str, "the name of a variable, or several")
    try:
        return structure.names.index(str(name))
    except ValueError:
        hint = nearest(str(name), structure.names) or "."
        raise ValueError(f"around must name variables of the structure, got {name!r}{hint}") from None

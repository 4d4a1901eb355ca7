"""Constraints as lists of arcs by name, for formats that have nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from treebound.constraints import Constraints, Tiers

# What only our own files have.
_OWN = {
    "adjacent": "required adjacencies",
    "max_parents": "largest numbers of parents",
    "max_cells": "limit on cells",
}


def check_expressible(constraints: Constraints) -> None:
    """Raise ValueError if the constraints are more than arcs and tiers."""
    for field, words in _OWN.items():
        if getattr(constraints, field):
            raise ValueError(f"This format has no {words}; write a .toml or .json file of treebound.")


def expanded(patterns: Iterable[str], constraints: Constraints, names: Sequence[str] | None) -> list[str]:
    """Return the names that patterns stand for; without known names, patterns must be names."""
    if names is not None:
        return [names[v] for v in constraints.select(patterns, names)]
    listed = list(patterns)
    for pattern in listed:
        if constraints.is_pattern(pattern):
            raise ValueError(f"{pattern!r} stands for several variables; pass the names of all variables.")
    return listed


def selected(tiers: Tiers, constraints: Constraints, names: Sequence[str] | None) -> list[list[str]]:
    """Return the names in each tier."""
    if names is None:
        return [expanded(level, constraints, None) for level in tiers.levels]
    ranks = constraints.ranks(tiers, names)
    return [
        [name for name, rank in zip(names, ranks, strict=True) if rank == level]
        for level in range(len(tiers.levels))
    ]


def required_arcs(constraints: Constraints, names: Sequence[str] | None) -> list[tuple[str, str]]:
    """Return all required arcs."""
    check_expressible(constraints)
    return _unique(
        arc
        for a, b in constraints.required
        for arc in product(expanded(a, constraints, names), expanded(b, constraints, names))
    )


def forbidden_arcs(constraints: Constraints, names: Sequence[str] | None) -> list[tuple[str, str]]:
    """Return all forbidden arcs that do not follow from tiers."""
    check_expressible(constraints)
    return _unique(_forbidden(constraints, names))


def _forbidden(constraints: Constraints, names: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    for a, b in (*constraints.forbidden, *constraints.not_adjacent):
        yield from product(expanded(a, constraints, names), expanded(b, constraints, names))
    for a, b in constraints.not_adjacent:
        yield from product(expanded(b, constraints, names), expanded(a, constraints, names))
    if not (constraints.order or constraints.roots or constraints.leaves):
        return
    if names is None:
        raise ValueError("Orders, roots and leaves become arcs here; pass the names of all variables.")
    only = Constraints(
        order=constraints.order, roots=constraints.roots, leaves=constraints.leaves, groups=constraints.groups
    )
    rules = only.compile(names)
    for child, name in enumerate(names):
        yield from ((names[p], name) for p in range(len(names)) if rules.forbids(child, p))


def _unique(arcs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(arc for arc in arcs if arc[0] != arc[1]))

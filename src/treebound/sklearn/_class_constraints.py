"""Constraints where the class is a parent of every feature: its own, and what those of the user leave.

The arcs among the features are searched without the class, so the user's constraints are compiled together
with those of the class, and what concerns the class is taken away again.
"""

from __future__ import annotations

from collections.abc import Sequence

from treebound.constraints import Constraints


def class_constraints(names: Sequence[str]) -> Constraints:
    """The class, the last variable, is a parent of every feature and has none itself."""
    *features, target = names
    return Constraints(required=[(target, name) for name in features], roots=[target])


def feature_constraints(constraints: Constraints, names: Sequence[str]) -> Constraints:
    """What the constraints leave for the arcs among the features; ContradictionError if nothing."""
    target = len(names) - 1
    rules = (constraints | class_constraints(names)).compile(names)
    children: dict[int, list[str]] = {}  # with the same forbidden parents
    for child in range(target):
        mask = rules.forbidden.get(child, 0) & ~(1 << target) & ~(1 << child)
        children.setdefault(mask, []).append(names[child])
    return Constraints(
        required=[(names[p], names[v]) for v in range(target) for p in rules.least(v) if p != target],
        forbidden=[
            ([name for p, name in enumerate(names[:target]) if mask >> p & 1], group)
            for mask, group in children.items()
            if mask
        ],
        adjacent=[(names[a], names[b]) for a, b in rules.undecided],
        max_parents={names[v]: most - 1 for v, most in rules.max_parents.items() if v != target},
    )

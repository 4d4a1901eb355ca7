"""Constraints as an argument: checked, and compiled where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from treebound import _core
from treebound._arguments import check_type
from treebound.constraints._constraints import Constraints
from treebound.constraints._rules import FamilyRules


def check_constraints(constraints: object) -> None:
    """Reject what is not constraints and not None."""
    check_type("constraints", constraints, Constraints | None, "Constraints, or None")


def rules_of(constraints: Constraints | None, names: Sequence[str]) -> FamilyRules:
    """Return the rules for these variables; without constraints everything is allowed."""
    return FamilyRules(len(names)) if constraints is None else constraints.compile(names)


def families_in_core(constraints: Constraints | None, names: Sequence[str]) -> _core.FamilyRules:
    """Return which families may be scored, as the core reads it."""
    return rules_of(constraints, names).in_core()


def merged(*several: Constraints | None) -> Constraints | None:
    """Return all of them together; None if there are none."""
    given = [one for one in several if one is not None]
    return (reduce(or_, given) or None) if given else None


def with_cells(constraints: Constraints | None, max_cells: int | None) -> Constraints | None:
    """Return the constraints and a limit on cells together, as ``search`` and ``check`` take it."""
    return constraints if max_cells is None else merged(constraints, Constraints(max_cells=max_cells))


def split_cells(constraints: Constraints | None) -> tuple[int | None, Constraints | None]:
    """Return the limit on cells and the constraints without it; None for what is not there."""
    if constraints is None or constraints.max_cells is None:
        return None, constraints or None
    return constraints.max_cells, replace(constraints, max_cells=None) or None

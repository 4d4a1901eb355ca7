"""Checks of the arguments of ``search`` and ``learn``, before any work is done."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from treebound._arguments import check_integer, check_type
from treebound._budget import Budget
from treebound.constraints import ContradictionError, FamilyRules
from treebound.solvers._registry import Entry, Needs, Takes, entry_of, takers_of
from treebound.solvers._task import Solver

_MAX_BOUND = 2**63 - 1


def check_arguments(max_treewidth: object, max_cells: int | None, budget: object, solver: Solver) -> Entry:
    """Reject bounds, budgets and solvers of the wrong type or range, and bounds without support."""
    if max_treewidth is not None:
        check_integer("max_treewidth", max_treewidth, 0, _MAX_BOUND)
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=60)")
    entry = entry_of(solver)
    if max_cells is not None:
        check_takes(entry, Takes.CELLS)
    if max_treewidth is None and max_cells is None and Needs.BOUND in entry.needs:
        raise ValueError("A bound is needed: max_treewidth, Constraints(max_cells=...) or both, got neither.")
    return entry


class IgnoredBound(UserWarning):
    """A bound was given to a solver that keeps none."""


def kept_bound(entry: Entry, max_treewidth: int | None) -> int | None:
    """Return the bound if the solver keeps it; else warn that it is ignored."""
    if entry.is_bounded or max_treewidth is None:
        return max_treewidth
    warnings.warn(
        f"The solver {entry.solver.name} keeps no bound on the treewidth: max_treewidth={max_treewidth} is"
        " ignored.",
        IgnoredBound,
        stacklevel=3,
    )
    return None


def check_rules(entry: Entry, rules: FamilyRules, names: Sequence[str]) -> None:
    """Reject requirements that no structure of the solver meets."""
    most = entry.max_parents
    for child in rules.required:
        if most is not None and len(rules.least(child)) > most:
            raise ContradictionError(
                f"Each variable has at most {most} parent in the structures of {entry.solver.name}, and"
                f" {names[child]!r} requires {len(rules.least(child))}; choose another solver."
            )


def check_takes(entry: Entry, what: Takes) -> None:
    """Reject what the solver can make no use of."""
    if what not in entry.takes:
        raise ValueError(f"{what} needs another solver ({takers_of(what)}), got {entry.solver.name}.")

"""Whether constraints leave a structure within the limits, before anything is scored."""

from __future__ import annotations

from collections.abc import Sequence

from treebound.constraints import Constraints
from treebound.data import Schema
from treebound.solvers._arguments import check_rules
from treebound.solvers._bounds import Bounds
from treebound.solvers._problem import check_width
from treebound.solvers._registry import Entry


def check_possible(
    constraints: Constraints,
    names: Sequence[str],
    schema: Schema | None,
    entry: Entry,
    max_treewidth: int | None,
    max_cells: int | None,
) -> None:
    """Raise ``ContradictionError`` if no structure of a solver obeys the constraints within the limits.

    Directions of required adjacencies are not decided here: a search with its scores does that first.
    """
    rules = constraints.compile(names)
    check_rules(entry, rules, names)
    check_width(rules, Bounds.within(len(names), schema, max_treewidth, max_cells), names)

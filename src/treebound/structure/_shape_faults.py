"""Faults of the graph, of the bags that prove its treewidth, and of what limits them.

One short function per kind of fault, over the numbers that a structure holds. The time is proportional to the
sizes of all bags times that of a family.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from treebound.constraints import Constraints
from treebound.structure._structure import Structure
from treebound.structure._verdict import Fault, FaultKind

_MOST_NAMED = 10
_MOST_IN_CYCLE = 5


def cycle(structure: Structure) -> Iterator[Fault]:
    """Take variables away whose children are all gone; what stays lies on a cycle or above one."""
    num_children = [0] * structure.num_variables
    for chosen in structure.parent_indices:
        for parent in chosen:
            num_children[parent] += 1
    gone = [v for v, count in enumerate(num_children) if count == 0]
    for v in gone:
        for parent in structure.parent_indices[v]:
            num_children[parent] -= 1
            if num_children[parent] == 0:
                gone.append(parent)
    if len(gone) < structure.num_variables:
        # Whatever stays has a child that stays: walking down must come back to where it was.
        child_of = {
            p: c for c, chosen in enumerate(structure.parent_indices) for p in chosen if num_children[c] > 0
        }
        v = min(child_of)
        walk: dict[int, int] = {}
        while v not in walk:
            walk[v] = len(walk)
            v = child_of[v]
        cycle = [structure.names[u] for u in [*walk][walk[v] :]]
        path = " -> ".join([*cycle[:_MOST_IN_CYCLE], *(["..."] if len(cycle) > _MOST_IN_CYCLE else [])])
        yield Fault(FaultKind.CYCLE, f"{path} -> {cycle[0]}")


def uncovered_families(structure: Structure) -> Iterator[Fault]:
    """A family inside a bag puts all its moral edges inside one: the second condition of the paper."""
    bags = [frozenset(bag) for bag in structure.witness.bags]
    bags_of: dict[int, list[frozenset[int]]] = {}
    for bag in bags:
        for v in bag:
            bags_of.setdefault(v, []).append(bag)
    for v, chosen in enumerate(structure.parent_indices):
        family = {v, *chosen}
        if not any(family <= bag for bag in bags_of.get(v, [])):
            listed = ", ".join(structure.names[p] for p in chosen)
            yield Fault(
                FaultKind.FAMILY, f"no bag contains {structure.names[v]} and its parents {{{listed}}}"
            )


def not_a_tree(structure: Structure) -> Iterator[Fault]:
    """A graph is a tree if it has one edge less than vertices and all are reached from the first."""
    num_bags, edges = len(structure.witness.bags), structure.witness.edges
    if len(edges) != num_bags - 1:
        yield Fault(FaultKind.TREE, f"{num_bags} bags need {num_bags - 1} edges, got {len(edges)}")
        return
    around: dict[int, list[int]] = {}
    for a, b in edges:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    reached = {0: None}
    walk = [0]
    for bag in walk:
        fresh = [other for other in around.get(bag, []) if other not in reached]
        reached.update(dict.fromkeys(fresh))
        walk += [*dict.fromkeys(fresh)]
    if len(reached) < num_bags:
        yield Fault(FaultKind.TREE, f"only {len(reached)} of {num_bags} bags are connected to the first")


def missing_variables(structure: Structure) -> Iterator[Fault]:
    """The first condition of the paper: every variable is in some bag."""
    held = {v for bag in structure.witness.bags for v in bag}
    for v in range(structure.num_variables):
        if v not in held:
            yield Fault(FaultKind.VARIABLES, f"{structure.names[v]} is in no bag")
    for v in sorted(held.difference(range(structure.num_variables))):
        yield Fault(
            FaultKind.VARIABLES,
            f"a bag contains index {v}, but there are {structure.num_variables} variables",
        )


def scattered_variables(structure: Structure) -> Iterator[Fault]:
    """The third condition of the paper, running intersection.

    In a tree, the bags of a variable form a forest, which has as many parts as bags less edges.
    """
    num_parts = [0] * structure.num_variables
    bags = [frozenset(bag) for bag in structure.witness.bags]
    variables = frozenset(range(structure.num_variables))
    for bag in bags:
        for v in bag & variables:
            num_parts[v] += 1
    for a, b in structure.witness.edges:
        for v in bags[a] & bags[b] & variables:
            num_parts[v] -= 1
    for v, parts in enumerate(num_parts):
        if parts > 1:
            yield Fault(FaultKind.CONNECTION, f"those of {structure.names[v]} form {parts} separate parts")


def too_wide(structure: Structure, bound: int | None) -> Iterator[Fault]:
    if bound is None:
        return
    wide = [bag for bag in structure.witness.bags if len(bag) - 1 > bound]
    if wide:
        worst = max(wide, key=len)
        size = f"has {len(worst)} variables, limit {bound} allows {bound + 1}"
        yield Fault(FaultKind.WIDTH, f"bag {_listed(structure, worst)} {size}{_and_more(len(wide) - 1)}")


def too_many_cells(structure: Structure, bound: int | None) -> Iterator[Fault]:
    if bound is None:
        return
    states = structure.cardinalities
    if states is None:
        yield Fault(FaultKind.CELLS, "cannot be checked, because the structure has no schema")
        return
    variables = range(len(states))
    cells = [math.prod(states[v] for v in bag if v in variables) for bag in structure.witness.bags]
    worst = max(range(len(cells)), key=cells.__getitem__)
    if cells[worst] > bound:
        more = _and_more(sum(number > bound for number in cells) - 1)
        bag = _listed(structure, structure.witness.bags[worst])
        yield Fault(FaultKind.CELLS, f"bag {bag} has {cells[worst]:,} joint states, limit {bound:,}{more}")


def _listed(structure: Structure, bag: Sequence[int]) -> str:
    """The names of the variables in a bag; of many only the first."""
    known = range(structure.num_variables)
    names = [structure.names[v] if v in known else str(v) for v in sorted(bag)[:_MOST_NAMED]]
    rest = [f"... {len(bag) - _MOST_NAMED:,} more"] if len(bag) > _MOST_NAMED else []
    return f"{{{', '.join([*names, *rest])}}}"


def _and_more(num_bags: int) -> str:
    """A note on other bags beyond the limit."""
    if num_bags == 0:
        return ""
    return f" ({num_bags:,} more {'bag exceeds' if num_bags == 1 else 'bags exceed'} it)"


def violations(structure: Structure, constraints: Constraints | None) -> Iterator[Fault]:
    if constraints is None:
        return
    try:
        reasons = constraints.reasons(structure.names)
    except ValueError as error:
        yield Fault(FaultKind.CONSTRAINTS, f"they cannot be read for these variables: {error}")
        return
    for message in reasons.violations(structure.parent_indices):
        yield Fault(FaultKind.CONSTRAINTS, message)


def not_an_order(structure: Structure) -> Iterator[Fault]:
    order = structure.insertion_order
    if order is not None and sorted(order) != list(range(structure.num_variables)):
        yield Fault(FaultKind.ORDER, f"it does not contain each of {structure.num_variables} variables once")

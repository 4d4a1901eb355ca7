"""Whether any structure obeys the constraints, and if none does, the shortest reason by name.

The test is exact. A structure exists if and only if the required arcs are allowed and variables can be taken
away one after the other, each as a last one: it has no required arc to a variable that remains, and its
required parents together with all undecided neighbours that remain are no more than it may have. Taking such
a variable away never harms: the others only get fewer neighbours. Treewidth is not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treebound._ordering import orderable
from treebound.constraints._errors import ContradictionError
from treebound.constraints._rules import FamilyRules
from treebound.constraints._shortest import shortest_cycle

if TYPE_CHECKING:
    from treebound.constraints._reasons import Reasons

_MOST_REDUCED = 60  # larger sets of variables are shown as they are
_MOST_NAMED = 10


def check_consistent(rules: FamilyRules, reasons: Reasons) -> None:
    """Raise ``ContradictionError`` if no structure obeys the rules."""
    for message in _contradictions(rules, reasons):
        raise ContradictionError(message)


def _contradictions(rules: FamilyRules, reasons: Reasons) -> Iterator[str]:
    names = reasons.names
    for child, parents in rules.required.items():
        for parent in parents:
            if parent == child:
                yield f"{names[child]!r} is required to be its own parent; drop this arc."
            if rules.forbids(child, parent):
                yield reasons.clash(parent, child)
        if len(parents) > rules.max_parents.get(child, len(parents)):
            yield (
                f"{names[child]!r} requires {len(parents)} parents ({_listed(parents, names)}) and may have"
                f" at most {rules.max_parents[child]}; raise max_parents or drop a required arc."
            )
    least = [rules.least(v) for v in range(rules.num_variables)]
    if len(orderable(least)) < rules.num_variables:
        path = " -> ".join(repr(names[v]) for v in shortest_cycle(least))
        yield f"The required arcs form a cycle, {path}; drop one of them."
    if rules.undecided and (stuck := last_first(rules)[1]):
        yield _stuck_message(_reduced(rules, stuck), names)


def last_first(rules: FamilyRules, among: set[int] | None = None) -> tuple[list[int], set[int]]:
    """Return variables that can be taken away one after the other, last first, and those that remain."""
    remaining = set(range(rules.num_variables)) if among is None else set(among)
    children: dict[int, int] = dict.fromkeys(remaining, 0)  # required ones that remain
    edges: dict[int, set[int]] = {v: set() for v in remaining}
    for child, parents in rules.required.items():
        for parent in parents:
            if child in remaining and parent in remaining:
                children[parent] += 1
    for a, b in rules.undecided:
        if a in remaining and b in remaining:
            edges[a].add(b)
            edges[b].add(a)

    def can_go(v: int) -> bool:
        held = len(rules.least(v)) + len(edges[v])
        return children[v] == 0 and held <= rules.max_parents.get(v, held)

    order = [v for v in sorted(remaining) if can_go(v)]
    remaining.difference_update(order)
    for v in order:
        for u in edges[v]:
            edges[u].discard(v)
        for parent in rules.least(v):
            if parent in children:
                children[parent] -= 1
        for u in sorted({*edges[v], *rules.least(v)} & remaining):
            if can_go(u):
                remaining.discard(u)
                order.append(u)
    return order, remaining


def _reduced(rules: FamilyRules, stuck: set[int]) -> set[int]:
    """A set of variables none of which can be taken away, without any that it does not need."""
    if len(stuck) > _MOST_REDUCED:
        return stuck
    for v in sorted(stuck):
        if smaller := last_first(rules, stuck - {v})[1]:
            stuck = smaller
    return stuck


def _stuck_message(stuck: set[int], names: Sequence[str]) -> str:
    return (
        f"The required adjacencies among {_listed(sorted(stuck), names)} cannot be directed: each direction"
        " closes a cycle with required arcs or exceeds max_parents; drop one of them."
    )


def _listed(variables: Sequence[int], names: Sequence[str]) -> str:
    shown = [repr(names[v]) for v in variables[:_MOST_NAMED]]
    more = [f"{len(variables) - _MOST_NAMED} more"] if len(variables) > _MOST_NAMED else []
    return ", ".join([*shown, *more])

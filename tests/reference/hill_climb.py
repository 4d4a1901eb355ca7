"""Slow twin of hc-ET: every move is looked at anew in every step.

``score(child, parents)`` is a local score, and ``change({child: parents, ...})`` exchanges the parents of
these variables in the witness of the width: False, with nothing changed, if it cannot be kept within the
bound.
"""

from __future__ import annotations

from collections.abc import Callable

UNIT = 2.0**-20
LEAST_GAIN = 2.0**-19
ADD, REMOVE, REVERSE = range(3)
Parents = tuple[int, ...]


def climb(
    num_variables: int,
    score: Callable[[int, Parents], float],
    change: Callable[[dict[int, Parents]], bool],
    max_parents: int,
) -> list[Parents]:
    """Take the best move that fits, until none gains.

    An addition that did not fit is not tried again; another move is when one of its two variables has other
    parents than before.
    """
    parents: list[Parents] = [()] * num_variables
    refused = set()
    while True:
        for _, kind, child, parent in sorted(gaining_moves(parents, score, max_parents)):
            changed = after(parents, kind, child, parent)
            key = (child, parent) if kind == ADD else (kind, child, parent, parents[child], parents[parent])
            turned_is_refused = kind == REVERSE and (parent, child) in refused
            if key in refused or turned_is_refused or not is_acyclic(parents, changed):
                continue
            if change(changed):
                for v, chosen in changed.items():
                    parents[v] = chosen
                break
            refused.add(key)
        else:
            return parents


def gaining_moves(parents, score, max_parents):
    """Moves that gain, as (minus the gain, kind, child, parent)."""

    def gain(v, chosen):
        return round((score(v, chosen) - score(v, parents[v])) / UNIT) * UNIT

    for child, own in enumerate(parents):
        for parent in range(len(parents)):
            if parent == child:
                continue
            if parent not in own:
                gains = {ADD: gain(child, (*own, parent)) if len(own) < max_parents else 0.0}
            else:
                removed = gain(child, without(own, parent))
                added = gain(parent, (*parents[parent], child)) if len(parents[parent]) < max_parents else 0.0
                gains = {REMOVE: removed, REVERSE: removed + added if added > LEAST_GAIN else 0.0}
            yield from ((-value, kind, child, parent) for kind, value in gains.items() if value > LEAST_GAIN)


def without(parents: Parents, parent: int) -> Parents:
    return tuple(p for p in parents if p != parent)


def after(parents: list[Parents], kind: int, child: int, parent: int) -> dict[int, Parents]:
    """The families that a move changes, in the order in which it changes them."""
    if kind == ADD:
        return {child: (*parents[child], parent)}
    changed = {child: without(parents[child], parent)}
    if kind == REVERSE:
        changed[parent] = (*parents[parent], child)
    return changed


def is_acyclic(parents: list[Parents], changed: dict[int, Parents]) -> bool:
    """Whether variables can be removed one by one, parents first."""
    all_parents = {v: set(changed.get(v, own)) for v, own in enumerate(parents)}
    left = set(all_parents)
    while removable := {v for v in left if not left & all_parents[v]}:
        left -= removable
    return not left

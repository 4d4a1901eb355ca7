"""Slow twin of the rules for families: by child required parents, forbidden parents, and how many."""

from __future__ import annotations


def allows(rules, child, parents):
    """Whether a child may have these parents; ``rules`` are three dictionaries by child."""
    required, forbidden, max_parents = rules
    return (
        all(p in parents for p in required.get(child, ()))
        and not any(p in parents for p in forbidden.get(child, ()))
        and (child not in max_parents or len(parents) <= max_parents[child])
    )


def only_allowed(rules, sets):
    """The parent sets of each variable that it may have."""
    return [[pair for pair in pairs if allows(rules, v, pair[1])] for v, pairs in enumerate(sets)]

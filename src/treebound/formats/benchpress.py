"""Edge constraints of benchpress: JSON with arcs, tiers and groups of causes and effects."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treebound.constraints import Constraints, Tiers
from treebound.formats._explicit_arcs import forbidden_arcs, required_arcs, selected

KEYS = (
    "forbidden_edges",
    "required_edges",
    "tiers",
    "tier_settings",
    "forbidden_groups",
    "required_groups",
    "source_nodes",
)
_WITHIN, _ONLY_NEXT = "forbid_within_tiers", "can_only_cause_next_tier"


def is_benchpress(fields: Mapping[str, Any]) -> bool:
    """Whether fields are those of benchpress and not our own."""
    return any(key in fields for key in KEYS if key != "tiers")


def parse_benchpress(fields: Mapping[str, Any]) -> Constraints:
    """Make constraints of the fields of a file."""
    for key in fields:
        if key not in KEYS:
            raise ValueError(f"expected the keys {', '.join(KEYS)}, got {key!r}.")
    settings = fields.get("tier_settings") or {}
    for key in settings:
        if key not in (_WITHIN, _ONLY_NEXT):
            raise ValueError(f"expected {_WITHIN} and {_ONLY_NEXT} in tier_settings, got {key!r}.")
    tiers = [level for level in fields.get("tiers") or [] if level]
    layers = Tiers(tiers, not settings.get(_WITHIN, False), bool(settings.get(_ONLY_NEXT, False)))
    return Constraints(
        required=[*(fields.get("required_edges") or []), *_groups(fields, "required_groups")],
        forbidden=[*(fields.get("forbidden_edges") or []), *_groups(fields, "forbidden_groups")],
        tiers=layers if tiers else None,
        roots=fields.get("source_nodes"),
    )


def _groups(fields: Mapping[str, Any], key: str) -> list[tuple[Any, Any]]:
    return [(group["cause"], group["effect"]) for group in fields.get(key) or []]


def format_benchpress(constraints: Constraints, names: Sequence[str] | None) -> str:
    """Return the text of a file; ``names`` are needed where there are patterns."""
    if len(constraints.tiers) > 1 or any(len({*tiers.within}) > 1 for tiers in constraints.tiers):
        raise ValueError("A file of benchpress has one sequence of tiers, and one rule for arcs inside them.")
    fields: dict[str, Any] = {
        "forbidden_edges": forbidden_arcs(constraints, names),
        "required_edges": required_arcs(constraints, names),
    }
    for tiers in constraints.tiers:
        fields["tiers"] = selected(tiers, constraints, names)
        fields["tier_settings"] = {_WITHIN: not tiers.within[0], _ONLY_NEXT: tiers.only_next}
    return json.dumps(fields, indent=2) + "\n"

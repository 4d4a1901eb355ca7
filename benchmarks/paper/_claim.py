"""A claim, and what a record says about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treebound.experiments import SignTest

HOLDS, IN_PART, FAILS, OPEN = "holds", "holds in part", "does not hold", "not tested"


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, or of ours, and what the record says about it."""

    place: str
    words: str
    found: str
    verdict: str


def spelled(test: SignTest) -> str:
    """Wins and losses, marked if the sign test says so."""
    ties = f", {test.ties} tie{'s' if test.ties > 1 else ''}" if test.ties else ""
    sign = "" if test.is_significant else ", not significant"
    return f"{test.wins}:{test.losses}{ties} (p = {test.p_value:.2g}{sign})"


def verdict(parts: Sequence[object]) -> str:
    """Whether all, some or none of the parts hold."""
    true = sum(bool(part) for part in parts)
    if not parts:
        return OPEN
    return HOLDS if true == len(parts) else FAILS if true == 0 else IN_PART

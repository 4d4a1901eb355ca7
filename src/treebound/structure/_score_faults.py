"""Faults of scores: sums, and differences from a cache or a table."""

from __future__ import annotations

import math
from collections.abc import Iterator

from treebound.scoring import ParentSetCache
from treebound.structure._recount import close
from treebound.structure._structure import Structure
from treebound.structure._verdict import Fault, FaultKind

# Half a unit of the third decimal, to which files of others round a total.
_TOTAL_ROUNDING = 0.0005


def wrong_sum(structure: Structure) -> Iterator[Fault]:
    if structure.local_scores is None or structure.score is None:
        return
    total = math.fsum(structure.local_scores)
    slack = structure.num_variables * structure.score_rounding
    if not close(structure.score, total, slack + (_TOTAL_ROUNDING if slack else 0)):
        yield Fault(
            FaultKind.SCORES, f"the structure reports {structure.score}, but its local scores sum to {total}"
        )


def wrong_variables(structure: Structure, names: tuple[str, ...], where: str) -> Iterator[Fault]:
    if structure.num_variables != len(names):
        message = f"the {where} has {len(names)} variables, the structure has {structure.num_variables}"
        yield Fault(FaultKind.SCORES, message)
    # Formats without names number the variables; then the position decides.
    elif structure.names not in (names, tuple(map(str, range(len(names))))):
        v = next(i for i, (a, b) in enumerate(zip(structure.names, names, strict=True)) if a != b)
        message = f"variable {v} is {structure.names[v]} in the structure, but {names[v]} in the {where}"
        yield Fault(FaultKind.SCORES, message)


def held_scores(structure: Structure, cache: ParentSetCache) -> dict[int, float]:
    """The scores of the families that the cache holds, by variable."""
    scores = (cache.score_of(v, chosen) for v, chosen in enumerate(structure.parent_indices))
    return {v: known for v, known in enumerate(scores) if known is not None}


def wrong_sets(
    structure: Structure, held: dict[int, float], rounding: float, *, may_miss: bool
) -> Iterator[Fault]:
    """Scores that are not those of the cache."""
    for v, chosen in enumerate(structure.parent_indices):
        if v not in held and not may_miss:
            listed = ", ".join(structure.names[p] for p in chosen)
            yield Fault(
                FaultKind.SCORES, f"the cache has no parent set {{{listed}}} for {structure.names[v]}"
            )
    yield from _wrong_scores(structure, held, "cache", rounding)


def wrong_counts(
    structure: Structure, held: dict[int, float], rounding: float, counted: dict[int, float]
) -> Iterator[Fault]:
    """Scores that are not what the rows give: those of the structure, and those of the cache."""
    yield from _wrong_scores(structure, counted, "table", 0)
    for v, known in held.items():
        if not close(known, counted[v], rounding):
            message = f"{structure.names[v]} scores {known} in the cache, but {counted[v]} in the table"
            yield Fault(FaultKind.SCORES, message)


def _wrong_scores(
    structure: Structure, true_scores: dict[int, float], source: str, rounding: float
) -> Iterator[Fault]:
    """Local scores and a total that are not the true ones, which may be rounded and of some variables."""
    if structure.local_scores is not None:
        for v, true_score in true_scores.items():
            local = structure.local_scores[v]
            if not close(local, true_score, structure.score_rounding + rounding):
                message = (
                    f"{structure.names[v]} scores {local} in the structure, but {true_score} in the {source}"
                )
                yield Fault(FaultKind.SCORES, message)
    if structure.score is None or len(true_scores) < structure.num_variables:
        return
    total = math.fsum(true_scores.values())
    # The sum of rounded scores is as far off as they are, and they were looked at one by one.
    is_sum_of_rounded = structure.score_rounding > 0 and close(
        structure.score, math.fsum(structure.local_scores or ()), 0
    )
    slack = (_TOTAL_ROUNDING if structure.score_rounding else 0) + structure.num_variables * rounding
    if not is_sum_of_rounded and not close(structure.score, total, slack):
        message = f"the structure reports {structure.score}, but the {source} gives {total}"
        yield Fault(FaultKind.SCORES, message)

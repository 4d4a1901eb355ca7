"""Which findings are impossible together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treebound.data import Schema
from treebound.inference._errors import ImpossibleEvidence
from treebound.inference._evidence import Findings


def contradiction(
    findings: Findings, schema: Schema, are_possible: Callable[[Sequence[int]], bool]
) -> ImpossibleEvidence:
    """Return an error with a smallest set of findings that contradict each other.

    Without any one of them they do not. ``are_possible`` is called with the findings of some variables.
    """
    needed = findings.variables
    for v in list(needed):
        rest = [u for u in needed if u != v]
        if not are_possible(rest):
            needed = rest
    listed = ", ".join(
        f"{schema.names[v]!r} has likelihoods {findings.soft[v].tolist()}"
        if v in findings.soft
        else f"{schema.names[v]!r} is {schema[v].states[findings.codes[v]]!r}"
        for v in needed
    )
    return ImpossibleEvidence(
        f"The evidence has probability zero: it cannot be that {listed}.",
        findings=tuple(schema.names[v] for v in needed),
    )

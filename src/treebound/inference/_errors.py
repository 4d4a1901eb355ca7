"""The errors of this stage."""

from __future__ import annotations

from typing import Any


class InferenceError(ValueError):
    """A query that cannot be answered: invalid evidence, or tables that would be too large."""


class UnknownLabel(InferenceError, KeyError):
    """A state or a variable that a result does not have; mappings raise KeyError for such keys."""

    __str__ = ValueError.__str__  # KeyError shows its message in quotes


class ImpossibleEvidence(InferenceError):
    """What is known has probability zero, so nothing follows from it.

    Of a single case, ``findings`` names some that are impossible together and that all matter; of many rows,
    ``rows`` holds the indices of those that are impossible.
    """

    def __init__(self, described: str, *, findings: tuple[str, ...] = (), rows: tuple[int, ...] = ()) -> None:
        super().__init__(described)
        self.findings = findings
        self.rows = rows

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (str(self), self.findings, self.rows)


def _rebuilt(described: str, findings: tuple[str, ...], rows: tuple[int, ...]) -> ImpossibleEvidence:
    return ImpossibleEvidence(described, findings=findings, rows=rows)

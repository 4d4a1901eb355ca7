"""The errors of this stage."""

from __future__ import annotations


class InferenceError(ValueError):
    """A question that cannot be answered: findings that make no sense, or tables that would be too large."""


class ImpossibleEvidence(InferenceError):
    """Findings that have probability zero together; ``findings`` names some that do and that all matter."""

    def __init__(self, findings: tuple[str, ...], described: str) -> None:
        super().__init__(described)
        self.findings = findings

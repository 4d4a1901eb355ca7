"""The error for constraints that no structure obeys."""

from __future__ import annotations


class ContradictionError(ValueError):
    """No structure obeys the constraints."""

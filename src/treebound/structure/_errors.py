"""The one error of this stage."""

from __future__ import annotations


class StructureError(ValueError):
    """Values or a file that do not make a structure."""

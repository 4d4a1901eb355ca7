"""The table that networks are learned from again and again, read once."""

from __future__ import annotations

from typing import Any

from treebound.data import Dataset, Rules
from treebound.tables import load


def dataset_of(table: Any, discretise: Rules, auto: bool) -> Dataset:
    """Return the Dataset, or load the table with these options of ``load``."""
    if not isinstance(table, Dataset):
        return load(table, discretise=discretise, auto=auto)
    if discretise is not None or auto:
        name = "auto" if auto else "discretise"
        raise ValueError(f"{name} applies only to tables, got a Dataset. Pass {name} to load() instead.")
    return table

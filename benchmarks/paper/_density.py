"""How well a learned network describes rows that it has not seen: log-likelihood on valid and on test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.paper._data import open_file
from benchmarks.paper._measure import Row

from treebound import fit, load_structure


def measure(asked: Mapping[str, Any]) -> Iterator[Row]:
    """One row; the tables are fitted on train with the default prior, and nothing is chosen here."""
    network = fit(load_structure(asked["structure"]), open_file(asked["file"]), threads=1)
    valid, test = (float(network.score_samples(open_file(name)).mean()) for name in asked["held_out"])
    yield {**asked["row"], "valid": valid, "test": test}

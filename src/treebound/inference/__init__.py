"""Exact answers from networks: posteriors, probabilities, explanations and draws, given any findings."""

from treebound.inference._answers import MostProbable, Posterior, Sensitivity
from treebound.inference._errors import ImpossibleEvidence, InferenceError
from treebound.inference._evidence import Evidence, as_mapping
from treebound.inference._impossible import Impossible
from treebound.inference._junction_tree import MAX_ROWS, JunctionTree
from treebound.inference._tables import (
    MAX_TABLE_CELLS,
    ROUNDING,
    FlatTables,
    TabledNetwork,
    flatten_tables,
    offsets,
    table_sizes,
)

__all__ = [
    "MAX_ROWS",
    "MAX_TABLE_CELLS",
    "ROUNDING",
    "Evidence",
    "FlatTables",
    "Impossible",
    "ImpossibleEvidence",
    "InferenceError",
    "JunctionTree",
    "MostProbable",
    "Posterior",
    "Sensitivity",
    "TabledNetwork",
    "as_mapping",
    "flatten_tables",
    "offsets",
    "table_sizes",
]

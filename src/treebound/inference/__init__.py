"""Exact answers from networks: posteriors, probabilities, explanations and draws, given any findings."""

from treebound.inference._answers import Marginals, MostProbable, Posterior, Sensitivity
from treebound.inference._errors import ImpossibleEvidence, InferenceError, UnknownLabel
from treebound.inference._evidence import Evidence, as_mapping, by_code, code_of, encode_finding
from treebound.inference._evidence_text import beyond_range, bin_of, parse_evidence, parse_state
from treebound.inference._expected_counts import ExpectedCounts
from treebound.inference._frames import Backend, frame_of, long_frame
from treebound.inference._impossible import Impossible
from treebound.inference._junction_tree import MAX_ROWS, JunctionTree
from treebound.inference._parameter_sensitivity import ParameterSensitivity
from treebound.inference._tables import (
    MAX_TABLE_CELLS,
    ROUNDING,
    FlatTables,
    TabledNetwork,
    check_shapes,
    flatten_tables,
    offsets,
    table_sizes,
)
from treebound.inference._value_of_information import InformationValue

__all__ = [
    "MAX_ROWS",
    "MAX_TABLE_CELLS",
    "ROUNDING",
    "Backend",
    "Evidence",
    "ExpectedCounts",
    "FlatTables",
    "Impossible",
    "ImpossibleEvidence",
    "InferenceError",
    "InformationValue",
    "JunctionTree",
    "Marginals",
    "MostProbable",
    "ParameterSensitivity",
    "Posterior",
    "Sensitivity",
    "TabledNetwork",
    "UnknownLabel",
    "as_mapping",
    "beyond_range",
    "bin_of",
    "by_code",
    "check_shapes",
    "code_of",
    "encode_finding",
    "flatten_tables",
    "frame_of",
    "long_frame",
    "offsets",
    "parse_evidence",
    "parse_state",
    "table_sizes",
]

"""Exact queries of networks: posteriors, probabilities, explanations and draws, given any findings."""

from treebound.inference._contradiction import contradiction
from treebound.inference._errors import ImpossibleEvidence, InferenceError, UnknownLabel
from treebound.inference._evidence import (
    Evidence,
    as_mapping,
    by_code,
    code_of,
    encode_finding,
    findings_of,
    names_of,
    positions_of,
)
from treebound.inference._evidence_text import beyond_range, bin_of, parse_evidence, parse_state
from treebound.inference._expected_counts import ExpectedCounts
from treebound.inference._frames import Backend, frame_of, long_frame
from treebound.inference._impossible import Impossible, check_impossible, check_rows_possible
from treebound.inference._junction_tree import MAX_ROWS, JunctionTree
from treebound.inference._parameter_sensitivity import ParameterSensitivity
from treebound.inference._results import Marginals, MostProbable, Posterior, Sensitivity
from treebound.inference._row_queries import check_rows
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
    "check_impossible",
    "check_rows",
    "check_rows_possible",
    "check_shapes",
    "code_of",
    "contradiction",
    "encode_finding",
    "findings_of",
    "flatten_tables",
    "frame_of",
    "long_frame",
    "names_of",
    "offsets",
    "parse_evidence",
    "parse_state",
    "positions_of",
    "table_sizes",
]

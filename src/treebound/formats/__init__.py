"""File formats, one module each with its reader and writer, and conversions to and from other libraries."""

from treebound.formats.cache_files import load_cache, save_cache
from treebound.formats.constraint_files import ConstraintFileError, load_constraints, save_constraints
from treebound.formats.model_files import load_model, save_model
from treebound.formats.network_files import LossySave, NetworkFileError, load_network, save_network
from treebound.formats.networkx import from_networkx, network_from_networkx, to_networkx
from treebound.formats.pgmpy import from_pgmpy, to_pgmpy
from treebound.formats.pyagrum import from_pyagrum, to_pyagrum
from treebound.formats.structure_files import load_structure, save_structure
from treebound.formats.uai_answers import load_answer, load_evidence, save_answer, save_evidence

__all__ = [
    "ConstraintFileError",
    "LossySave",
    "NetworkFileError",
    "from_networkx",
    "from_pgmpy",
    "from_pyagrum",
    "load_answer",
    "load_cache",
    "load_constraints",
    "load_evidence",
    "load_model",
    "load_network",
    "load_structure",
    "network_from_networkx",
    "save_answer",
    "save_cache",
    "save_constraints",
    "save_evidence",
    "save_model",
    "save_network",
    "save_structure",
    "to_networkx",
    "to_pgmpy",
    "to_pyagrum",
]

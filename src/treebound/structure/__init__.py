"""Structures: graphs with one parent set per variable, the witness of their treewidth, and their checker."""

from treebound.structure._check import check, check_tables
from treebound.structure._check_seconds import check_seconds
from treebound.structure._cpdag import Cpdag, cpdag, markov_equivalent
from treebound.structure._decomposition import Bag, Separator, TreeDecomposition
from treebound.structure._diff import StructureDiff, diff
from treebound.structure._distance import shd
from treebound.structure._errors import StructureError
from treebound.structure._explain_constraints import ConstraintCost, ConstraintCosts, explain_constraints
from treebound.structure._graph import (
    Neighbours,
    arcs_of,
    connected_components,
    find_cycle,
    flat_rows,
    induced_subgraph,
    moral_graph,
    named_arcs,
    named_parents,
)
from treebound.structure._guarantee import Guarantee, spelled_bytes
from treebound.structure._ktree import KTree
from treebound.structure._origin import cache_for
from treebound.structure._picture import picture
from treebound.structure._recount import close, recount, recount_table
from treebound.structure._score_structure import score_structure
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of
from treebound.structure._treewidth import TreewidthBounds, min_degree_order, min_fill_order, treewidth_bounds
from treebound.structure._verdict import Fault, FaultKind, Verdict

__all__ = [
    "Bag",
    "ConstraintCost",
    "ConstraintCosts",
    "Cpdag",
    "Fault",
    "FaultKind",
    "Guarantee",
    "KTree",
    "Neighbours",
    "Separator",
    "Structure",
    "StructureDiff",
    "StructureError",
    "StructureLike",
    "TreeDecomposition",
    "TreewidthBounds",
    "Verdict",
    "arcs_of",
    "cache_for",
    "check",
    "check_seconds",
    "check_tables",
    "close",
    "connected_components",
    "cpdag",
    "diff",
    "explain_constraints",
    "find_cycle",
    "flat_rows",
    "induced_subgraph",
    "markov_equivalent",
    "min_degree_order",
    "min_fill_order",
    "moral_graph",
    "named_arcs",
    "named_parents",
    "picture",
    "recount",
    "recount_table",
    "score_structure",
    "shd",
    "spelled_bytes",
    "structure_of",
    "treewidth_bounds",
]

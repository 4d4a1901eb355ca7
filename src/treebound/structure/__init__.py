"""Structures: graphs with one parent set per variable, the witness of their treewidth, and their checker."""

from treebound.structure._check import Fault, Promise, Verdict, check
from treebound.structure._decomposition import Bag, Separator, TreeDecomposition
from treebound.structure._errors import StructureError
from treebound.structure._graph import (
    Neighbours,
    connected_components,
    find_cycle,
    induced_subgraph,
    moral_graph,
    orderable,
)
from treebound.structure._guarantee import Guarantee, spelled_bytes
from treebound.structure._ktree import KTree
from treebound.structure._origin import cache_for
from treebound.structure._recount import recount
from treebound.structure._structure import Structure
from treebound.structure._treewidth import TreewidthBounds, min_degree_order, min_fill_order, treewidth_bounds

__all__ = [
    "Bag",
    "Fault",
    "Guarantee",
    "KTree",
    "Neighbours",
    "Promise",
    "Separator",
    "Structure",
    "StructureError",
    "TreeDecomposition",
    "TreewidthBounds",
    "Verdict",
    "cache_for",
    "check",
    "connected_components",
    "find_cycle",
    "induced_subgraph",
    "min_degree_order",
    "min_fill_order",
    "moral_graph",
    "orderable",
    "recount",
    "spelled_bytes",
    "treewidth_bounds",
]

"""Structures: graphs with one parent set per variable, the witness of their treewidth, and their judge."""

from treebound.structure._decomposition import Clique, Separator, TreeDecomposition
from treebound.structure._errors import StructureError
from treebound.structure._graph import arcs_of, find_cycle, moral_graph, named_arcs, named_parents, orderable
from treebound.structure._guarantee import Guarantee, spelled_bytes
from treebound.structure._judge import Fault, Promise, Verdict, check
from treebound.structure._ktree import KTree
from treebound.structure._origin import cache_for
from treebound.structure._recount import recount
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of
from treebound.structure._treewidth import TreewidthBounds, min_degree_order, min_fill_order, treewidth_bounds

__all__ = [
    "Clique",
    "Fault",
    "Guarantee",
    "KTree",
    "Promise",
    "Separator",
    "Structure",
    "StructureError",
    "StructureLike",
    "TreeDecomposition",
    "TreewidthBounds",
    "Verdict",
    "arcs_of",
    "cache_for",
    "check",
    "find_cycle",
    "min_degree_order",
    "min_fill_order",
    "moral_graph",
    "named_arcs",
    "named_parents",
    "orderable",
    "recount",
    "spelled_bytes",
    "structure_of",
    "treewidth_bounds",
]

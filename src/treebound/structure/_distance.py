"""The structural Hamming distance: in how many pairs of variables two graphs differ.

Tsamardinos, Brown and Aliferis (2006) compare the graphs of equivalence classes, which rows can distinguish;
others compare the structures themselves. Both are here: the graphs that are given are compared.
"""

from __future__ import annotations

from treebound._arguments import shown
from treebound.structure._cpdag import Cpdag
from treebound.structure._same_names import check_same_names
from treebound.structure._structure_of import StructureLike, structure_of


def shd(first: StructureLike | Cpdag, second: StructureLike | Cpdag) -> int:
    """Return the structural Hamming distance: the number of arcs to add, remove or reverse.

    Parameters
    ----------
    first, second : Structure, LearnResult, SearchResult or BayesianNetwork, or Cpdag
        Two structures, or two results of :func:`cpdag`, where an arc that is compelled in one
        and reversible in the other counts too. Variables are matched by name, in any order.

    Returns
    -------
    int
    """
    if isinstance(first, Cpdag) != isinstance(second, Cpdag):
        raise TypeError(
            f"shd compares two structures, or two graphs of cpdag(), got {shown(first)} and {shown(second)}."
        )
    check_same_names(_names(first), _names(second))
    marks = [_marks(first), _marks(second)]
    return sum(marks[0].get(pair) != marks[1].get(pair) for pair in marks[0].keys() | marks[1].keys())


def _names(graph: StructureLike | Cpdag) -> tuple[str, ...]:
    return graph.names if isinstance(graph, Cpdag) else structure_of(graph).names


def _marks(graph: StructureLike | Cpdag) -> dict[frozenset[str], tuple[str, ...]]:
    """What each joined pair is joined by: an arc, or nothing for one that may point either way."""
    if isinstance(graph, Cpdag):
        arcs, lines = graph.compelled_arcs, graph.reversible_arcs
    else:
        arcs, lines = structure_of(graph).arcs, ()
    return {frozenset(arc): arc for arc in arcs} | dict.fromkeys(map(frozenset, lines), ())

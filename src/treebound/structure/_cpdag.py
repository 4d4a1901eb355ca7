"""What all structures of a Markov equivalence class have in common: the completed partially directed graph.

Structures are equivalent if they join the same pairs and have the same v-structures, that is children of two
parents that are not joined (Verma and Pearl 1990). An arc is compelled if it points the same way in all
structures of the class, and reversible if not. BIC and BDeu give all structures of a class the same score, so
that rows say nothing about the direction of a reversible arc.

Arcs are labelled by algorithms 4 and 5 of Chickering (1995, "A transformational characterization of
equivalent Bayesian network structures"): children are taken in a topological order, and all arcs into a child
follow from those into the last of its parents. Constraints compel further arcs (see ``_meek``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from treebound._description import MOST_ROWS, Described, Description, Table
from treebound.constraints import Constraints
from treebound.structure._errors import StructureError
from treebound.structure._graph import Parents, find_cycle
from treebound.structure._meek import PartlyDirected
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of


@dataclass(frozen=True)
class Cpdag(Described):
    """The arcs of an equivalence class: ``compelled`` ones as (parent, child), ``reversible`` ones as pairs.

    Of the compelled arcs, ``settled`` are those that only the constraints compel: rows cannot tell their
    direction.
    Indices are ascending, reversible pairs with the lower index first; ``compelled_arcs`` and
    ``reversible_arcs`` are by name. Equal classes over variables in equal order have equal records.
    """

    names: tuple[str, ...]
    compelled: tuple[tuple[int, int], ...]
    reversible: tuple[tuple[int, int], ...]
    settled: tuple[tuple[int, int], ...] = ()

    @property
    def compelled_arcs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names (parent, child) that point the same way in all structures of the class."""
        return tuple((self.names[a], self.names[b]) for a, b in self.compelled)

    @property
    def settled_arcs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names (parent, child) whose direction follows from the constraints alone."""
        return tuple((self.names[a], self.names[b]) for a, b in self.settled)

    @property
    def reversible_arcs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names that are joined in all structures of the class, in either direction."""
        return tuple((self.names[a], self.names[b]) for a, b in self.reversible)

    def describe(self) -> Description:
        """Return the arcs of the class."""
        arcs = [[a, "\u2192", b] for a, b in self.compelled_arcs]
        arcs += [[a, "\u2014", b] for a, b in self.reversible_arcs]
        table = Table(["", "", ""], arcs[:MOST_ROWS], max(0, len(arcs) - MOST_ROWS))
        return Description(repr(self)[1:-1], tables=[table])

    def __repr__(self) -> str:
        return (
            f"<Cpdag: {len(self.names)} variables, {len(self.compelled)} compelled and "
            f"{len(self.reversible)} reversible arcs>"
        )


def cpdag(structure: StructureLike, *, use_constraints: bool = True) -> Cpdag:
    """Return the completed partially directed graph of a structure: which of its arcs are compelled.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult or BayesianNetwork
        The structure.
    use_constraints : bool
        Whether arcs that the constraints of the structure direct are compelled, with all that follow from
        them.

    Returns
    -------
    Cpdag

    Raises
    ------
    StructureError
        If the arcs form a cycle.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from treebound import Constraints, Structure
    >>> from treebound.structure import cpdag
    >>> chain = Structure.from_parents({"a": [], "b": ["a"], "c": ["b"]})
    >>> cpdag(chain)
    <Cpdag: 3 variables, 0 compelled and 2 reversible arcs>
    >>> cpdag(replace(chain, constraints=Constraints(roots=["a"]))).settled_arcs
    (('a', 'b'), ('b', 'c'))
    """
    graph = _acyclic(structure)
    compelled = _compelled(graph)
    reversible = {(min(arc), max(arc)) for arc in graph.arc_indices if arc not in compelled}
    settled: set[tuple[int, int]] = set()
    if use_constraints and graph.constraints is not None:
        settled = _settled(graph, graph.constraints, compelled, reversible)
        reversible -= {(min(arc), max(arc)) for arc in settled}
    return Cpdag(
        graph.names,
        tuple(sorted(compelled | settled)),
        tuple(sorted(reversible)),
        tuple(sorted(settled)),
    )


def _settled(
    graph: Structure,
    constraints: Constraints,
    compelled: set[tuple[int, int]],
    reversible: set[tuple[int, int]],
) -> set[tuple[int, int]]:
    """The reversible arcs that constraints direct, as they are in the structure, and all that follow."""
    rules = constraints.compile(graph.names)
    partly = PartlyDirected(graph.num_variables, compelled, reversible)
    arcs = [arc for arc in graph.arc_indices if arc not in compelled]
    for parent, child in arcs:
        if parent in rules.least(child) or rules.forbids(parent, child):
            partly.direct(parent, child)
    partly.close()
    return {(parent, child) for parent, child in arcs if parent in partly.parents[child]}


def markov_equivalent(first: StructureLike, second: StructureLike) -> bool:
    """Return whether two structures imply the same independences.

    Parameters
    ----------
    first, second : Structure, LearnResult, SearchResult or BayesianNetwork
        Structures over the same variables, in any order.

    Returns
    -------
    bool
    """
    one, other = _acyclic(first), _acyclic(second)
    if set(one.names) != set(other.names):
        return False
    return _skeleton(one) == _skeleton(other) and set(_v_structures(one)) == set(_v_structures(other))


def _acyclic(structure: StructureLike) -> Structure:
    graph = structure_of(structure)
    if not graph.is_acyclic:
        cycle = " -> ".join(repr(graph.names[v]) for v in find_cycle(graph.parent_indices))
        raise StructureError(f"The arcs must not form a cycle, got {cycle}.")
    return graph


def _compelled(graph: Structure) -> set[tuple[int, int]]:
    order = graph.topological_order
    assert order is not None
    rank = {v: number for number, v in enumerate(order)}
    above: list[set[int]] = [set(chosen) for chosen in graph.parent_indices]
    compelled: list[set[int]] = [set() for _ in above]  # parents over compelled arcs
    for y in order:
        if not above[y]:
            continue
        x = max(above[y], key=rank.__getitem__)
        if not compelled[x] <= above[y] or above[y] - above[x] - {x}:
            # There is w -> x -> y with w and y not joined, or x -> y <- z with x and z not joined.
            compelled[y] = above[y]
        else:
            compelled[y] = compelled[x]  # in w -> x -> y <- w, turning w -> y would close a cycle
    return {(x, y) for y, parents in enumerate(compelled) for x in parents}


def _skeleton(graph: Structure) -> set[frozenset[str]]:
    return {frozenset(arc) for arc in graph.arcs}


def _v_structures(graph: Structure) -> Iterator[tuple[frozenset[str], str]]:
    """Pairs of parents that are not joined, each with their child."""
    parents: Parents = graph.parent_indices
    joined = {frozenset(arc) for arc in graph.arc_indices}
    for child, chosen in enumerate(parents):
        for pair in combinations(chosen, 2):
            if frozenset(pair) not in joined:
                yield frozenset(graph.names[v] for v in pair), graph.names[child]

"""A learned graph: one parent set per variable, with its score and the witness of its treewidth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any

from treebound._arguments import check_integer, check_rows, check_type
from treebound._description import Described, Description, Fact
from treebound._json import Json, plain_json
from treebound._visible import counted
from treebound.constraints import Constraints
from treebound.data import Schema
from treebound.scoring.cache import MAX_ROUNDING, ParentSetCache
from treebound.structure._decomposition import TreeDecomposition
from treebound.structure._errors import StructureError
from treebound.structure._graph import (
    Neighbours,
    Parents,
    arcs_of,
    moral_graph,
    named_arcs,
    named_parents,
    topological_order,
)
from treebound.structure._guarantee import Guarantee, guarantee_of
from treebound.structure._ktree import KTree
from treebound.structure._picture import picture
from treebound.structure._treewidth import treewidth_bounds


@dataclass(frozen=True)
class Structure(Described):
    """One parent set per variable, and a tree decomposition that proves the treewidth.

    ``parent_indices`` holds the indexes of the parents of each variable, ascending; ``parents`` and ``arcs``
    are by name. ``decomposition`` is the proof that came with the structure. Where none did (a network read
    from a file of another program), it is None, and ``witness`` is the best that min-fill and min-degree
    find, computed on first use.

    Only the form is checked when a structure is made: numbers of entries, indexes in range, no variable its
    own parent. What it *claims* (no cycle, families inside the witness, scores) is for ``treebound.check`` to
    verify, so a wrong structure can be loaded and looked at.

    ``local_scores`` belong to the variables and ``score`` is their sum; both are None if unknown. Scores that
    were read from a file that rounds them are off by up to ``score_rounding`` each. ``steps`` is the number
    of solver steps that led here; a search that starts from the structure continues its random stream.
    ``constraints`` are those that the structure was learned under; a limit on cells is in ``max_cells``.
    """

    names: tuple[str, ...]
    parent_indices: Parents
    decomposition: TreeDecomposition | None = None
    local_scores: tuple[float, ...] | None = None
    score: float | None = None
    max_treewidth: int | None = None
    max_cells: int | None = None
    insertion_order: tuple[int, ...] | None = None
    schema: Schema | None = None
    provenance: dict[str, Json] = field(default_factory=dict)
    score_rounding: float = 0.0
    steps: int = 0
    constraints: Constraints | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "names", _checked_names(self.names))
        parents = check_rows("parent_indices", self.parent_indices)
        put(self, "parent_indices", _checked_parents(parents, self.names))
        if self.local_scores is not None:
            put(self, "local_scores", _checked_scores(self.local_scores, self.names))
            if self.score is None:
                put(self, "score", math.fsum(self.local_scores or ()))
        for name in ("score", "score_rounding"):
            check_type(name, getattr(self, name), Real | None, "a number")
        if self.score is not None and not math.isfinite(self.score):
            raise StructureError(f"The score must be finite, got {self.score}.")
        if not 0 <= self.score_rounding <= MAX_ROUNDING:
            raise StructureError(
                f"score_rounding must be from 0 to {MAX_ROUNDING}, got {self.score_rounding}."
            )
        for name, low in (("max_treewidth", 0), ("max_cells", 1)):
            if getattr(self, name) is not None:
                put(self, name, _checked_bound(name, getattr(self, name), low))
        check_type(
            "decomposition", self.decomposition, TreeDecomposition | None, "a TreeDecomposition or None"
        )
        check_type("constraints", self.constraints, Constraints | None, "Constraints or None")
        check_type("provenance", self.provenance, Mapping, "a dict")
        put(self, "steps", _checked_bound("steps", self.steps, 0))
        if self.insertion_order is not None:
            check_type("insertion_order", self.insertion_order, Iterable, "a sequence of indexes, or None")
            put(self, "insertion_order", tuple(map(int, self.insertion_order)))
        put(self, "provenance", plain_json("provenance", dict(self.provenance), StructureError))
        _check_schema(self.schema, self.names)

    @classmethod
    def from_parents(
        cls,
        parents: Iterable[Iterable[int]] | Mapping[str, Iterable[str]],
        *,
        names: Iterable[str] | None = None,
        schema: Schema | None = None,
        cache: ParentSetCache | None = None,
        ktree: KTree | None = None,
        elimination_order: Iterable[int] | None = None,
        local_scores: Iterable[float] | None = None,
        max_treewidth: int | None = None,
        provenance: Mapping[str, Json] | None = None,
    ) -> Structure:
        """Make a structure from the parents of each variable.

        Parameters
        ----------
        parents : mapping or sequence
            Names of the parents by name of the variable, or a list of parent indexes per variable.
        names : iterable of str, optional
            Names of the variables if ``parents`` holds indexes. By default "0", "1", ...
        schema : Schema, optional
            Names and states of the variables.
        cache : ParentSetCache, optional
            Gives names, schema and local scores where they are not passed.
        ktree : KTree, optional
            A k-tree that contains the moral graph: the witness of the treewidth.
        elimination_order : iterable of int, optional
            Gives the witness if there is no k-tree. By default the better of min-fill and min-degree.
        local_scores : iterable of float, optional
            Score of each family.
        max_treewidth : int, optional
            The limit that the structure was made for.
        provenance : mapping, optional
            Where the structure comes from, for files and reports.

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If a parent is unknown, occurs twice or is the variable itself, or a family is not in the cache.

        Examples
        --------
        >>> from treebound import Structure
        >>> print(Structure.from_parents({"rain": [], "wet": ["rain"]}))
        <Structure: 2 variables, 1 arc, treewidth at most 1>
        """
        if isinstance(parents, Mapping):
            names = tuple(parents)
            parents = _numbered(parents)
        table = check_rows("parents", parents)
        check_type("cache", cache, ParentSetCache | None, "a ParentSetCache or None")
        check_type("ktree", ktree, KTree | None, "a KTree or None")
        check_type("provenance", provenance, Mapping | None, "a dict or None")
        if cache is not None:
            names = cache.names if names is None else names
            schema = cache.schema if schema is None else schema
            local_scores = _scores_from(cache, table) if local_scores is None else local_scores
        labels = _checked_names(map(str, range(len(table))) if names is None else names)
        checked = _checked_parents(table, labels)
        witness = (
            _decomposition(moral_graph(checked), elimination_order) if ktree is None else ktree.decomposition
        )
        return cls(
            labels,
            checked,
            witness,
            None if local_scores is None else _checked_scores(local_scores, labels),
            max_treewidth=max_treewidth,
            insertion_order=None if ktree is None else ktree.insertion_order,
            schema=schema,
            provenance=dict(provenance or {}),
            score_rounding=0.0 if cache is None else cache.score_rounding,
        )

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def num_arcs(self) -> int:
        """Number of arcs."""
        return sum(map(len, self.parent_indices))

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """The names of the parents of each variable, by its name."""
        return named_parents(self.parent_indices, self.names)

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names (parent, child), by child."""
        return named_arcs(self.parent_indices, self.names)

    @property
    def arc_indices(self) -> tuple[tuple[int, int], ...]:
        """Pairs of indexes (parent, child), by child."""
        return arcs_of(self.parent_indices)

    @cached_property
    def required_arcs(self) -> frozenset[tuple[str, str]]:
        """Pairs of names (parent, child) that the constraints require."""
        if self.constraints is None:
            return frozenset()
        required = self.constraints.compile(self.names).required
        return frozenset((self.names[p], self.names[v]) for v, chosen in required.items() for p in chosen)

    @cached_property
    def witness(self) -> TreeDecomposition:
        """The tree decomposition that proves the treewidth."""
        return self.decomposition or _decomposition(self.moral_graph, None)

    @property
    def treewidth(self) -> int:
        """Width of the witness: the treewidth of the moral graph is at most this."""
        return self.witness.width

    @cached_property
    def moral_graph(self) -> Neighbours:
        """Neighbours of each variable once parents of a common child are joined and arrows dropped."""
        return moral_graph(self.parent_indices)

    @cached_property
    def topological_order(self) -> tuple[int, ...] | None:
        """The variables, parents before children; None if there is a cycle."""
        return topological_order(self.parent_indices)

    @property
    def is_acyclic(self) -> bool:
        """Whether no path along the arcs returns to where it began."""
        return self.topological_order is not None

    @property
    def elimination_order(self) -> tuple[int, ...]:
        """An order in which the variables can leave with at most ``treewidth`` neighbours each."""
        return self.witness.elimination_order

    @property
    def cardinalities(self) -> tuple[int, ...] | None:
        """Numbers of states of the variables, if there is a schema."""
        return None if self.schema is None else self.schema.cardinalities

    @cached_property
    def guarantee(self) -> Guarantee:
        """What the witness promises about exact queries; ``print`` it to read it in words."""
        _check_witness(self.witness, self.names)
        return guarantee_of(self.witness, self.names, self.cardinalities, self.max_treewidth)

    def tightened(self) -> Structure:
        """Return the same structure with a witness made for it: bags no larger than its own arcs need.

        The bags of a k-tree are all full; few of them need to be.
        """
        _check_witness(self.witness, self.names)
        along = TreeDecomposition.from_elimination_order(self.moral_graph, self.elimination_order)
        bounds = treewidth_bounds(self.moral_graph)
        anew = TreeDecomposition.from_elimination_order(self.moral_graph, bounds.elimination_order)
        return self._with(decomposition=min(self.witness, along, anew, key=self._cost))

    def _with(self, **changes: Any) -> Structure:
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Structure(**(fields | changes))

    def _cost(self, witness: TreeDecomposition) -> tuple[int, int]:
        """Width first, since that is what was requested; then the number of cells."""
        states = self.cardinalities or (2,) * self.num_variables
        return witness.width, sum(math.prod(states[v] for v in bag) for bag in witness.bags)

    def __repr__(self) -> str:
        score = "" if self.score is None else f", score {self.score:.4f}"
        return (
            f"<Structure: {counted(self.num_variables, 'variable')}, {counted(self.num_arcs, 'arc')}, "
            f"treewidth at most {self.treewidth}{score}>"
        )

    __str__ = __repr__

    def describe(self) -> Description:
        """Return sizes, and a picture if the structure is small."""
        facts = [
            Fact("variables", self.num_variables, "{:,}", "variables"),
            Fact("arcs", self.num_arcs, "{:,}", "arcs"),
            Fact("treewidth", self.treewidth, "at most {}", "treewidth"),
        ]
        if self.score is not None:
            facts.append(Fact("score", self.score, "{:,.4f}", "score"))
        if self.cardinalities is not None and self.witness.bags:
            facts.append(Fact("largest table", self.guarantee.largest_cells, "{:,} cells"))
        return Description("Structure", facts, pictures=[picture(self.parent_indices, self.names)])


def _decomposition(graph: Neighbours, order: Iterable[int] | None) -> TreeDecomposition:
    chosen = treewidth_bounds(graph).elimination_order if order is None else order
    return TreeDecomposition.from_elimination_order(graph, chosen)


def _numbered(parents: Mapping[str, Iterable[str]]) -> list[list[int]]:
    index = {name: number for number, name in enumerate(parents)}
    table = []
    for child, chosen in zip(parents, check_rows("parents", parents.values()), strict=True):
        row = []
        for parent in chosen:
            if parent not in index:
                raise StructureError(f"Parents of {child!r} must be among the variables, got {parent!r}.")
            row.append(index[parent])
        table.append(row)
    return table


def _scores_from(cache: ParentSetCache, parents: Parents) -> tuple[float, ...]:
    if len(parents) != cache.num_variables:
        raise StructureError(f"The cache has {cache.num_variables} variables, the structure {len(parents)}.")
    scores = []
    for v, chosen in enumerate(parents):
        score = cache.score_of(v, chosen)
        if score is None:
            wanted = ", ".join(cache.names[p] for p in sorted(chosen)) or "nothing"
            raise StructureError(f"The cache has no parent set {{{wanted}}} for {cache.names[v]!r}.")
        scores.append(score)
    return tuple(scores)


def _checked_names(names: Iterable[str]) -> tuple[str, ...]:
    check_type("names", names, Iterable, "a sequence of names")
    result = tuple(names)
    if not result:
        raise StructureError("A structure needs at least one variable, got none.")
    for number, name in enumerate(result):
        if not isinstance(name, str):
            raise StructureError(f"Names must be strings, got {name!r} for variable {number}.")
    if len(set(result)) < len(result):
        twice = next(name for name, times in Counter(result).items() if times > 1)
        raise StructureError(f"Names must differ, {twice!r} comes twice.")
    return result


def _checked_parents(parents: Sequence[Sequence[int]], names: tuple[str, ...]) -> Parents:
    if len(parents) != len(names):
        raise StructureError(f"{len(names)} variables need as many parent sets, got {len(parents)}.")
    result = []
    for child, chosen in enumerate(parents):
        row = tuple(sorted(map(int, chosen)))
        if any(not 0 <= p < len(names) for p in row):
            raise StructureError(
                f"Parents of {names[child]!r} must be in 0..{len(names) - 1}, got {list(row)}."
            )
        if child in row or len(set(row)) < len(row):
            got = [names[p] for p in row]
            raise StructureError(f"Parents of {names[child]!r} must be others, each once, got {got}.")
        result.append(row)
    return tuple(result)


def _check_witness(witness: TreeDecomposition, names: tuple[str, ...]) -> None:
    if not witness.bags:
        raise StructureError("The witness needs at least one bag, got none.")
    largest = max(bag[-1] for bag in witness.bags)
    if largest >= len(names):
        raise StructureError(f"Bags of the witness must be in 0..{len(names) - 1}, got {largest}.")


def _checked_scores(scores: Iterable[float], names: tuple[str, ...]) -> tuple[float, ...]:
    check_type("local_scores", scores, Iterable, "a sequence of numbers, or None")
    result = tuple(map(float, scores))
    if len(result) != len(names):
        raise StructureError(f"{len(names)} variables need as many local scores, got {len(result)}.")
    for name, score in zip(names, result, strict=True):
        if not math.isfinite(score):
            raise StructureError(f"The local score of {name!r} must be finite, got {score}.")
    return result


def _checked_bound(name: str, bound: object, low: int) -> int:
    try:
        return check_integer(name, bound, low)
    except (TypeError, ValueError) as error:
        raise StructureError(str(error)) from error


def _check_schema(schema: object, names: tuple[str, ...]) -> None:
    if schema is None:
        return
    if not isinstance(schema, Schema):
        raise StructureError(f"schema must be a Schema or None, got {type(schema).__name__}.")
    if schema.names != names:
        raise StructureError("schema must describe the variables of the structure, in the same order.")

"""k-trees grown by insertion (paper, section 2.2): all maximal cliques have k+1 variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from treebound._arguments import check_rows, check_type
from treebound.structure._decomposition import Separator, TreeDecomposition, later_neighbours
from treebound.structure._errors import StructureError
from treebound.structure._graph import Neighbours


@dataclass(frozen=True)
class KTree:
    """A k-tree as the order in which variables entered, and the k-clique that each joined.

    The first k+1 variables of ``insertion_order`` are all joined to each other. Every later one joins the k
    variables of its separator, which must lie in a clique that is there; ``separators[i]`` belongs to the
    (k+2+i)-th variable.
    """

    insertion_order: tuple[int, ...]
    separators: tuple[Separator, ...]

    def __post_init__(self) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        check_type("insertion_order", self.insertion_order, Iterable, "a sequence of variables")
        put(self, "insertion_order", tuple(map(int, self.insertion_order)))
        separators = check_rows("separators", self.separators)
        put(self, "separators", tuple(tuple(sorted(map(int, s))) for s in separators))
        n = len(self.insertion_order)
        if n == 0 or sorted(self.insertion_order) != list(range(n)):
            raise StructureError(f"An insertion order must hold each of 0..{n - 1} once, and at least one.")
        if not 0 <= len(self.separators) < n:
            raise StructureError(f"{n} variables need fewer than {n} separators, got {len(self.separators)}.")
        for v, separator in zip(self.insertion_order[self.k + 1 :], self.separators, strict=True):
            if len(separator) != self.k:
                raise StructureError(f"Variable {v} must join {self.k} variables, got {list(separator)}.")
            if any(not 0 <= u < n or self._position[u] >= self._position[v] for u in separator):
                raise StructureError(
                    f"Variable {v} must join variables inserted before it, got {list(separator)}."
                )
            if self._home(separator) is None:
                raise StructureError(
                    f"Variable {v} must join variables of one clique, got {list(separator)}."
                )

    @classmethod
    def from_rows(cls, insertion_order: Iterable[int], rows: Iterable[Iterable[int]]) -> KTree:
        """Make a k-tree of an order and a row of k neighbours per variable; the first k+1 need none."""
        order = tuple(map(int, insertion_order))
        table = [tuple(map(int, row)) for row in rows]
        k = len(table[0]) if table else 0
        return cls(order, tuple(table[v] for v in order[k + 1 :]))

    @classmethod
    def containing(cls, neighbours: Neighbours, elimination_order: Iterable[int], k: int) -> KTree:
        """Return a k-tree that contains a graph, whose width along the order must be at most k.

        Bags of fewer than k+1 variables are filled with members of the bags that they hang on.
        """
        order = tuple(map(int, elimination_order))
        later = later_neighbours(neighbours, order)
        k = min(k, len(order) - 1)
        if any(len(row) > k for row in later):
            raise StructureError(
                f"The graph must have a width of at most {k} along the order, got {max(map(len, later))}."
            )
        inserted = order[::-1]
        position = {v: i for i, v in enumerate(inserted)}
        cliques = dict.fromkeys(inserted[: k + 1], inserted[: k + 1])
        separators = []
        for v in inserted[k + 1 :]:
            clique = cliques[max(later[v], key=position.__getitem__, default=inserted[k])]
            left_out = min((u for u in clique if u not in later[v]), key=position.__getitem__)
            separators.append(tuple(u for u in clique if u != left_out))
            cliques[v] = (*separators[-1], v)
        return cls(inserted, tuple(separators))

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.insertion_order)

    @property
    def k(self) -> int:
        """Width: every maximal clique has k+1 variables."""
        return self.num_variables - len(self.separators) - 1

    @property
    def elimination_order(self) -> tuple[int, ...]:
        """The reverse of the insertion order: each variable leaves with at most k neighbours."""
        return self.insertion_order[::-1]

    @cached_property
    def decomposition(self) -> TreeDecomposition:
        """The cliques as a tree: that of a variable hangs on one that holds its separator."""
        root = self.insertion_order[: self.k + 1]
        joined = zip(self.insertion_order[self.k + 1 :], self.separators, strict=True)
        cliques = (root, *((*separator, v) for v, separator in joined))
        edges = tuple((self._home(separator) or 0, i + 1) for i, separator in enumerate(self.separators))
        return TreeDecomposition(cliques, edges)

    def holds(self, variables: Iterable[int]) -> bool:
        """Whether these variables lie in one clique."""
        return self._home(tuple(variables)) is not None

    @cached_property
    def _position(self) -> dict[int, int]:
        return {v: i for i, v in enumerate(self.insertion_order)}

    def _home(self, variables: tuple[int, ...]) -> int | None:
        """Return the index of a clique with these variables, or None.

        All neighbours that its latest-inserted member had then are in that member's separator, so one look is
        enough.
        """
        latest = max((self._position[v] for v in variables), default=0)
        if latest <= self.k:
            return 0
        separator = self.separators[latest - self.k - 1]
        if all(v in separator for v in variables if v != self.insertion_order[latest]):
            return latest - self.k
        return None

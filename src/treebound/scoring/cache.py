"""Candidate parent sets with their scores for every variable: what scoring hands to search.

All sets live in four flat arrays, so ten million of them are four arrays and not ten million objects.
The promises (see ``core/scoring/cache/cache_rules.hpp``) are checked once, when a cache is made; afterwards
all code may rely on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any, NamedTuple, Self, TypeAlias, get_args, overload

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_rows, check_type
from treebound._json import Json
from treebound._visible import visible
from treebound.constraints import Constraints
from treebound.data import Fingerprint, Schema
from treebound.scoring._cache_fields import CacheError as CacheError
from treebound.scoring._cache_fields import checked_array, checked_names, checked_record, frozen
from treebound.scoring._coverage import Coverage
from treebound.scoring._local_scores import Score

Variable: TypeAlias = int | str
# Files of others round scores to two decimals at the coarsest.
MAX_ROUNDING = 0.005
_MAX_REPR_SETS = 3


class ParentSet(NamedTuple):
    """Candidate parents of a variable, by name and by index (ascending), with their local score."""

    parents: tuple[str, ...]
    score: float
    parent_indices: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ParentSetCache:
    """Scored parent sets of all variables, per variable best first.

    The sets of variable ``v`` are those numbered ``set_offsets[v]`` to ``set_offsets[v + 1] - 1``; ties in
    score put fewer parents first, then the lexicographically smaller. The parents of set ``s`` are
    ``parents[parent_offsets[s]:parent_offsets[s + 1]]``, ascending. The arrays are read-only and not copied.

    ``score`` says what was computed (None if it is none of ours), ``coverage`` which sets (None: unknown);
    ``schema`` and ``fingerprint`` are those of the table, and ``provenance`` holds what a file says besides.
    ``constraints`` are those that the sets were scored under: a search of the cache obeys them too.
    Scores read from a file that rounds them are off by up to ``score_rounding`` each. ``complete[v]`` is
    False where the search for parent sets of ``v`` was interrupted, and ``resume`` holds what the scorer
    needs to go on. Only names and the four arrays are required.
    """

    names: tuple[str, ...]
    set_offsets: NDArray[np.int64]
    scores: NDArray[np.float64]
    parent_offsets: NDArray[np.int64]
    parents: NDArray[np.uint32]
    schema: Schema | None = None
    score: Score | None = None
    fingerprint: Fingerprint | None = None
    score_rounding: float = 0.0
    coverage: Coverage | None = None
    provenance: dict[str, Json] = field(default_factory=dict)
    complete: NDArray[np.bool_] = field(default_factory=lambda: np.ones(0, dtype=np.bool_))  # empty: all
    resume: dict[str, NDArray[Any]] | None = None
    constraints: Constraints | None = None
    _has_checked_sets: InitVar[bool] = False  # made of parts whose sets were checked as they came

    def __post_init__(self, _has_checked_sets: bool) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        put(self, "names", checked_names(self.names))
        for name, kind in _ARRAYS.items():
            put(self, name, checked_array(name, getattr(self, name), kind))
        if len(self.complete) == 0:
            put(self, "complete", np.ones(self.num_variables, dtype=np.bool_))
        put(self, "complete", checked_array("complete", self.complete, np.dtype(np.bool_)))
        self._check_origin()
        check_type("coverage", self.coverage, Coverage | None, "a Coverage or None")
        check_type("constraints", self.constraints, Constraints | None, "Constraints or None")
        put(self, "provenance", checked_record("provenance", self.provenance))
        if self.resume is not None:
            put(self, "resume", {name: frozen(np.array(array)) for name, array in self.resume.items()})
        self._check_lengths()
        if not _has_checked_sets:
            self._check_sets()

    @classmethod
    def from_sets(
        cls,
        sets: Mapping[str, Iterable[tuple[Iterable[Variable], float]]],
        *,
        schema: Schema | None = None,
        score: Score | None = None,
        coverage: Coverage | None = None,
    ) -> Self:
        """Build a cache from parent sets and their scores.

        Parameters
        ----------
        sets : mapping
            By variable, pairs of parents (names or indexes) and score, in any order.
        schema : Schema, optional
            Names and states of the variables.
        score : Bic or Bdeu, optional
            The score that was computed.
        coverage : Coverage, optional
            Which parent sets the cache covers.

        Returns
        -------
        ParentSetCache

        Raises
        ------
        CacheError
            If a parent is unknown or occurs twice, a set occurs twice, or a score is not finite.

        Examples
        --------
        >>> from treebound import ParentSetCache
        >>> cache = ParentSetCache.from_sets({"rain": [((), -3.0)], "wet": [(["rain"], -1.0)]})
        >>> cache.best("wet")
        ParentSet(parents=('rain',), score=-1.0, parent_indices=(0,))
        """
        check_type("sets", sets, Mapping, "a mapping from names to pairs of parents and score")
        names = tuple(sets)
        index = {name: number for number, name in enumerate(names)}
        set_offsets, scores, parent_offsets, parents = [0], [], [0], []
        for candidates in check_rows("sets", sets.values()):
            numbered = [
                (-float(score), sorted(_numbered(parent, index) for parent in chosen))
                for chosen, score in candidates
            ]
            for negated, chosen in sorted(numbered, key=lambda pair: (pair[0], len(pair[1]), pair[1])):
                scores.append(-negated)
                parents += chosen
                parent_offsets.append(len(parents))
            set_offsets.append(len(scores))
        arrays = (np.array(set_offsets), np.array(scores, dtype=np.float64), np.array(parent_offsets))
        as_array: NDArray[Any] = np.array(parents, dtype=np.int64)
        return cls(names, *arrays, as_array, schema, score, coverage=coverage)

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def num_sets(self) -> int:
        """Number of parent sets over all variables."""
        return len(self.scores)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of parents of every set."""
        return np.diff(self.parent_offsets)

    @property
    def max_parents(self) -> int:
        """Size of the largest parent set."""
        return int(self.sizes.max(initial=0))

    @property
    def sum_of_best(self) -> float:
        """Best scores of all variables added up: no network scores higher; -inf if a variable has no set."""
        first, last = self.set_offsets[:-1], self.set_offsets[1:]
        if np.any(first == last):
            return float("-inf")
        return float(self.scores[first].sum())

    @property
    def variables_without_empty_set(self) -> tuple[str, ...]:
        """Names of the variables that cannot be left without parents; a search may need to reject them."""
        owners = np.repeat(np.arange(self.num_variables), np.diff(self.set_offsets))
        has_empty = np.zeros(self.num_variables, dtype=np.bool_)
        has_empty[owners[self.sizes == 0]] = True
        return tuple(self.names[v] for v in np.flatnonzero(~has_empty))

    @property
    def is_complete(self) -> bool:
        """Whether the search for parent sets ended for every variable."""
        return bool(self.complete.all())

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def index_of(self, variable: Variable) -> int:
        """Return the index of a variable given by name or index."""
        if isinstance(variable, str):
            try:
                return self._positions[variable]
            except KeyError:
                raise CacheError(f"The cache has no variable {variable!r}.") from None
        check_type("variable", variable, Integral, "a name or an index")
        if not -self.num_variables <= variable < self.num_variables:
            raise IndexError(f"variable {variable} is out of range for {self.num_variables} variables.")
        return int(variable) % self.num_variables

    def best(self, variable: Variable) -> ParentSet:
        """Return the highest-scoring parent set of a variable."""
        sets = self[variable]
        if not sets:
            raise CacheError(
                f"Variable {self.names[self.index_of(variable)]!r} has no parent set in this cache."
            )
        return sets[0]

    def score_of(self, variable: Variable, parents: Iterable[Variable]) -> float | None:
        """Return the score of a parent set of a variable, or None if the cache does not have the set."""
        check_type("parents", parents, Iterable, "names or indexes")
        wanted = np.array(sorted(_numbered(p, self._positions) for p in parents), dtype=np.int64)
        first, last = self.set_offsets[self.index_of(variable) :][:2]
        starts = self.parent_offsets[first:last]
        of_that_size = np.flatnonzero(np.diff(self.parent_offsets[first : last + 1]) == len(wanted))
        candidates = self.parents[starts[of_that_size, None] + np.arange(len(wanted))]
        found = of_that_size[(candidates == wanted).all(axis=1)]
        return float(self.scores[first + found[0]]) if len(found) else None

    def same_sets_as(self, other: ParentSetCache) -> bool:
        """Whether both caches hold the same names, sets and scores, whatever is said about their origin."""
        check_type("other", other, ParentSetCache, "a ParentSetCache")
        return self.names == other.names and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS
        )

    def __len__(self) -> int:
        return self.num_variables

    def __getitem__(self, variable: Variable) -> ParentSets:
        return ParentSets(self, self.index_of(variable))

    def __repr__(self) -> str:
        score = f", score {self.score.name}" if self.score is not None else ""
        unfinished = int((~self.complete).sum())
        state = f", {unfinished} variables unfinished" if unfinished else ""
        return (
            f"<ParentSetCache: {self.num_variables} variables, {self.num_sets} parent sets of up to "
            f"{self.max_parents} parents, sum of best {self.sum_of_best:.4f}{score}{state}>"
        )

    def _check_origin(self) -> None:
        for name, kinds in _ORIGIN.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, kinds):
                expected = " or ".join(kind.__name__ for kind in kinds)
                raise CacheError(f"{name} must be a {expected}, or None, got {type(value).__name__}.")
        if self.schema is not None and self.schema.names != self.names:
            raise CacheError("schema must describe the variables of the cache, in the same order.")
        if not 0 <= self.score_rounding <= MAX_ROUNDING:
            raise CacheError(f"score_rounding must be from 0 to {MAX_ROUNDING}, got {self.score_rounding}.")

    def _check_lengths(self) -> None:
        n = self.num_variables
        if len(self.set_offsets) != n + 1:
            raise CacheError(
                f"set_offsets needs {n + 1} entries for {n} variables, got {len(self.set_offsets)}."
            )
        if len(self.parent_offsets) != self.num_sets + 1:
            raise CacheError(
                f"parent_offsets needs {self.num_sets + 1} entries for {self.num_sets} sets, "
                f"got {len(self.parent_offsets)}."
            )
        if len(self.complete) != n:
            raise CacheError(f"complete needs {n} entries for {n} variables, got {len(self.complete)}.")

    def _check_sets(self) -> None:
        fault, variable, number = _core.find_cache_fault(
            self.set_offsets, self.scores, self.parent_offsets, self.parents
        )
        if fault == _core.CacheFault.none:
            return
        if fault == _core.CacheFault.set_offsets:
            raise CacheError(
                f"set_offsets must run from 0 to the number of sets, {self.num_sets}, without falling; "
                f"entry {number} is {self.set_offsets[number]}."
            )
        if fault == _core.CacheFault.parent_offsets:
            raise CacheError(
                f"parent_offsets must run from 0 to the number of parents, {len(self.parents)}, "
                f"without falling; entry {number} is {self.parent_offsets[number]}."
            )
        found = self._describe(number)
        rank = number - int(self.set_offsets[variable])
        raise CacheError(f"Variable {self.names[variable]!r}, set {rank}: {_RULES[fault]}, got {found}.")

    def _describe(self, number: int) -> str:
        first, last = self.parent_offsets[number : number + 2]
        return f"parents {self.parents[first:last].tolist()} with score {float(self.scores[number])!r}"


@dataclass(frozen=True, repr=False)
class ParentSets(Sequence[ParentSet]):
    """The parent sets of one variable, best first, made on demand."""

    cache: ParentSetCache
    variable: int

    def __len__(self) -> int:
        first, last = self.cache.set_offsets[self.variable : self.variable + 2]
        return int(last - first)

    @overload
    def __getitem__(self, rank: int) -> ParentSet: ...
    @overload
    def __getitem__(self, rank: slice) -> list[ParentSet]: ...
    def __getitem__(self, rank: int | slice) -> ParentSet | list[ParentSet]:
        if isinstance(rank, slice):
            return [self[i] for i in range(*rank.indices(len(self)))]
        if not -len(self) <= rank < len(self):
            raise IndexError(f"parent set {rank} is out of range for {len(self)} sets")
        number = int(self.cache.set_offsets[self.variable]) + rank % len(self)
        first, last = self.cache.parent_offsets[number : number + 2]
        indices = tuple(self.cache.parents[first:last].tolist())
        names = tuple(self.cache.names[p] for p in indices)
        return ParentSet(names, float(self.cache.scores[number]), indices)

    def __repr__(self) -> str:
        name = visible(self.cache.names[self.variable])
        shown = [
            f"{{{', '.join(map(visible, one.parents))}}} {one.score:.4f}" for one in self[:_MAX_REPR_SETS]
        ]
        more = ", ..." if len(self) > _MAX_REPR_SETS else ""
        return f"<{len(self)} parent sets of {name}: {', '.join(shown)}{more}>"


_ARRAYS: dict[str, np.dtype[Any]] = {
    "set_offsets": np.dtype(np.int64),
    "scores": np.dtype(np.float64),
    "parent_offsets": np.dtype(np.int64),
    "parents": np.dtype(np.uint32),
}

_ORIGIN: dict[str, tuple[type, ...]] = {
    "schema": (Schema,),
    "score": get_args(Score),
    "fingerprint": (Fingerprint,),
}

_RULES = {
    _core.CacheFault.score_not_finite: "expected a finite score",
    _core.CacheFault.parent_out_of_range: "expected parents that are indexes of variables",
    _core.CacheFault.parent_of_itself: "a variable cannot be its own parent",
    _core.CacheFault.parents_not_ascending: "expected parents in ascending order, each once",
    _core.CacheFault.not_best_first: "expected sets best first (ties: fewer parents, then lexicographic)",
    _core.CacheFault.listed_twice: "expected each set once",
}


def _numbered(variable: Variable, index: Mapping[str, int]) -> int:
    if not isinstance(variable, str):
        check_type("a parent", variable, Integral, "a name or an index")
        return int(variable)
    if variable not in index:
        raise CacheError(f"Expected parents among the variables of the cache, got {variable!r}.")
    return index[variable]

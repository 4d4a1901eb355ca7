"""What is known about a structure before any data is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

from treebound._arguments import check_integer, check_type
from treebound._description import Described
from treebound._visible import visible
from treebound.constraints._arcs import Pair, Patterns, pairs_of, plain, spelled
from treebound.constraints._compile import Draft
from treebound.constraints._contradictions import check_consistent
from treebound.constraints._names import NameIndex, is_pattern, patterns_of
from treebound.constraints._reasons import Reasons
from treebound.constraints._rules import FamilyRules
from treebound.constraints._tiers import Tiers
from treebound.data import nearest

_MOST_SHOWN = 10
_MAX_CELLS = 2**63 - 1
_PAIRS = {"required": "->", "forbidden": "->", "adjacent": "-", "not_adjacent": "-"}


@dataclass(frozen=True, init=False, repr=False)
class Constraints(Described):
    """Prior knowledge about a structure. Every solver obeys it, or rejects it before the search.

    Wherever a variable is expected you can pass its name, a glob (``"lab_*"``), a regular expression
    (``"re:lab_[0-9]+"`` or a compiled one), the name of a group, or a sequence of these. Arcs are pairs
    ``(parent, child)``, strings ``"parent -> child"`` or a data frame with two columns.

    Parameters
    ----------
    required, forbidden : iterable of pairs or data frame, optional
        Arcs that the structure must have, and must not have.
    adjacent, not_adjacent : iterable of pairs or data frame, optional
        Pairs that must be joined by an arc in either direction, and that must not be joined.
    tiers : Tiers, sequence of tiers or sequence of Tiers, optional
        Layers, earliest first: no arc leads from a later tier to an earlier one. Arcs inside a tier are
        allowed; pass :class:`Tiers` to forbid them or to allow arcs into the next tier only.
    order : iterable of chains, optional
        A partial order: in each chain, earlier variables come before later ones, and no arc leads back.
        Variables that no chain lists are free.
    roots, leaves : names or patterns, optional
        Variables without parents, and without children.
    max_parents : mapping from names or patterns to int, or int, optional
        The largest number of parents.
    max_cells : int, optional
        The largest number of joint states of the variables in a bag of the tree decomposition.
    groups : mapping from names to variables, optional
        Names for several variables, to use instead of patterns.

    Examples
    --------
    >>> from treebound import Constraints
    >>> knowledge = Constraints(tiers=[["age", "sex"], ["*_score"]], required=["age -> pain_score"])
    >>> print(knowledge)
    required   'age' -> 'pain_score'
    tiers      'age', 'sex' | '*_score'
    >>> knowledge == Constraints.from_dict(knowledge.to_dict())
    True
    """

    required: tuple[Pair, ...]
    forbidden: tuple[Pair, ...]
    adjacent: tuple[Pair, ...]
    not_adjacent: tuple[Pair, ...]
    tiers: tuple[Tiers, ...]
    order: tuple[tuple[Patterns, ...], ...]
    roots: Patterns
    leaves: Patterns
    max_parents: Mapping[str, int]
    max_cells: int | None
    groups: Mapping[str, Patterns]

    def __init__(
        self,
        *,
        required: Any = None,
        forbidden: Any = None,
        adjacent: Any = None,
        not_adjacent: Any = None,
        tiers: Any = None,
        order: Iterable[Iterable[Any]] | None = None,
        roots: Any = None,
        leaves: Any = None,
        max_parents: Mapping[str, int] | int | None = None,
        max_cells: int | None = None,
        groups: Mapping[str, Any] | None = None,
    ) -> None:
        put = object.__setattr__  # the class is frozen, also for itself
        given = {
            "required": required,
            "forbidden": forbidden,
            "adjacent": adjacent,
            "not_adjacent": not_adjacent,
        }
        for name, separator in _PAIRS.items():
            put(self, name, pairs_of(given[name], name, separator))
        put(self, "tiers", _tiers_of(tiers))
        put(self, "order", _chains_of(order))
        for name, patterns in (("roots", roots), ("leaves", leaves)):
            found = () if patterns is None else patterns_of(patterns, name)
            put(self, name, tuple(dict.fromkeys(found)))
        put(self, "max_parents", MappingProxyType(_limits_of(max_parents)))
        cells = None if max_cells is None else check_integer("max_cells", max_cells, 1, _MAX_CELLS)
        put(self, "max_cells", cells)
        check_type("groups", groups, Mapping | None, "a mapping from names to variables")
        named = {str(name): patterns_of(members, "groups") for name, members in (groups or {}).items()}
        put(self, "groups", MappingProxyType(named))

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__dataclass_fields__ if name != "groups")

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Constraints.from_dict, (self.to_dict(),)

    def __or__(self, other: Constraints) -> Constraints:
        """Return the constraints that hold where both do."""
        if not isinstance(other, Constraints):
            return NotImplemented
        for name in self.groups.keys() & other.groups.keys():
            if self.groups[name] != other.groups[name]:
                raise ValueError(f"Group {name!r} differs in the two constraints; rename one of them.")
        merged: dict[str, Any] = {
            name: tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name))))
            for name in (*_PAIRS, "tiers", "order", "roots", "leaves")
        }
        limits = dict(self.max_parents)
        for pattern, number in other.max_parents.items():
            limits[pattern] = min(number, limits.get(pattern, number))
        cells = min((one.max_cells for one in (self, other) if one.max_cells is not None), default=None)
        groups = {**self.groups, **other.groups}
        return Constraints(**merged, max_parents=limits, max_cells=cells, groups=groups)

    def compile(self, names: Sequence[str]) -> FamilyRules:
        """Return the rules for these variables.

        Parameters
        ----------
        names : sequence of str
            The names of all variables.

        Returns
        -------
        FamilyRules
            By index: required and forbidden parents, and how many a variable may have.

        Raises
        ------
        ContradictionError
            If no structure obeys the constraints; the message gives the shortest reason.
        ValueError
            If a name is unknown or a pattern matches nothing.

        Examples
        --------
        >>> from treebound import Constraints
        >>> Constraints(required=["a -> b"], roots=["b"]).compile(["a", "b"])
        Traceback (most recent call last):
        treebound.constraints._errors.ContradictionError: 'a' -> 'b' is required, and 'b' is a root; \
drop one of the two rules.
        """
        rules = Draft(self, names).rules()
        if rules.required or rules.undecided:
            check_consistent(rules, self.reasons(names))
        return rules

    def select(self, patterns: Iterable[str], names: Sequence[str]) -> list[int]:
        """Return the indexes of the variables that names, patterns or groups stand for, ascending."""
        return NameIndex(names, self.groups).select(patterns, "constraints")

    def ranks(self, tiers: Tiers, names: Sequence[str]) -> list[int]:
        """Return the tier of each variable, from 0; -1 where no tier lists it."""
        found: list[int] = tiers.ranks(NameIndex(names, self.groups)).tolist()
        return found

    def is_pattern(self, text: str) -> bool:
        """Whether a string may stand for several variables."""
        return text in self.groups or is_pattern(text)

    def reasons(self, names: Sequence[str]) -> Reasons:
        """Return the rules by their wording, to explain why an arc is forbidden or required."""
        return Reasons(self, names)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data; ``from_dict`` makes the same constraints from it."""
        data: dict[str, Any] = {
            name: [[plain(a), plain(b)] for a, b in getattr(self, name)] for name in _PAIRS
        }
        data["tiers"] = [tiers.to_dict() for tiers in self.tiers]
        data["order"] = [[plain(group) for group in chain] for chain in self.order]
        data["roots"], data["leaves"] = [*self.roots], [*self.leaves]
        data["max_parents"], data["max_cells"] = dict(self.max_parents), self.max_cells
        data["groups"] = {name: [*members] for name, members in self.groups.items()}
        return {name: value for name, value in data.items() if value}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make constraints from what ``to_dict`` returned.

        Parameters
        ----------
        data : mapping
            The keys are the arguments of :class:`Constraints`.

        Returns
        -------
        Constraints

        Raises
        ------
        ValueError
            If a key is unknown.

        Examples
        --------
        >>> from treebound import Constraints
        >>> Constraints.from_dict({"forbidden": [["a", "b"]]})
        <Constraints: 1 forbidden>
        """
        check_type("data", data, Mapping, "a mapping, as to_dict returns it")
        for key in data:
            if key not in cls.__dataclass_fields__:
                hint = nearest(str(key), cls.__dataclass_fields__) or "."
                expected = ", ".join(cls.__dataclass_fields__)
                raise ValueError(f"Constraints have {expected}, got {key!r}{hint}")
        return cls(**data)

    def describe(self) -> str:
        """Return a line for each rule."""
        return "\n".join(f"{name:<10} {visible(value)}" for name, value in self._lines()) or "no constraints"

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        counts = [
            f"{name} {value:,}" if isinstance(value, int) else f"{len(value)} {name}"
            for name, value in given.items()
            if value
        ]
        return f"<Constraints: {', '.join(counts) or 'none'}>"

    def _lines(self) -> Iterator[tuple[str, str]]:
        for name, sign in _PAIRS.items():
            pairs = getattr(self, name)
            for a, b in pairs[:_MOST_SHOWN]:
                yield name.replace("not_adjacent", "apart"), f"{spelled(a)} {sign} {spelled(b)}"
            if len(pairs) > _MOST_SHOWN:
                yield "", f"and {len(pairs) - _MOST_SHOWN:,} more"
        for tiers in self.tiers:
            yield "tiers", str(tiers)
        for chain in self.order:
            yield "order", " < ".join(map(spelled, chain))
        for name in ("roots", "leaves"):
            if getattr(self, name):
                yield name, ", ".join(map(repr, getattr(self, name)))
        for pattern, number in self.max_parents.items():
            yield "at most", f"{number} parents: {pattern!r}"
        if self.max_cells is not None:
            yield "at most", f"{self.max_cells:,} cells per bag"
        for name, members in self.groups.items():
            yield "group", f"{name!r}: {', '.join(map(repr, members))}"


def _tiers_of(value: Any) -> tuple[Tiers, ...]:
    if value is None:
        return ()
    if isinstance(value, Tiers):
        return (value,)
    check_type("tiers", value, Sequence, "a sequence of tiers")
    if value and all(isinstance(one, Tiers | Mapping) for one in value):
        made = (one if isinstance(one, Tiers) else Tiers(**one) for one in value)
        return tuple(dict.fromkeys(made))
    return (Tiers(value),) if value else ()


def _chains_of(order: Iterable[Iterable[Any]] | None) -> tuple[tuple[Patterns, ...], ...]:
    expected = "a sequence of chains, such as [['age', 'income']] or ['age < income']"
    if isinstance(order, str):
        raise TypeError(f"order must be {expected}, got {order!r}.")
    check_type("order", order, Iterable | None, expected)
    chains = []
    for chain in () if order is None else order:
        check_type("each chain of order", chain, Iterable, "several variables, such as ['age', 'income']")
        if isinstance(chain, str):
            chain = [part.strip() for part in chain.split("<")]
        groups = tuple(patterns_of(group, "order") for group in chain)
        if len(groups) < 2:
            raise ValueError(f"Each chain of order must have two variables or more, got {chain!r}.")
        chains.append(groups)
    return tuple(dict.fromkeys(chains))


def _limits_of(max_parents: Mapping[str, int] | int | None) -> dict[str, int]:
    if max_parents is None:
        return {}
    if not isinstance(max_parents, Mapping):
        return {"*": check_integer("max_parents", max_parents, 0)}
    return {
        str(pattern): check_integer(f"max_parents of {pattern!r}", number, 0)
        for pattern, number in max_parents.items()
    }

"""Which columns of numbers are cut into bins, and how.

The one rule: a column of numbers is cut if it has more distinct values than a rule makes bins, and otherwise
keeps its numbers as states. A column with a rule of its own is always cut, or with None never. Categories
that the source declares are no numbers, whatever they look like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

from treebound._arguments import check_finite, check_integer, check_type
from treebound.data._numbers import is_plain_integer, parse_number
from treebound.data._problems import DataError, nearest, not_found
from treebound.data._variable import MAX_STATES, label_of

BinMethod = Literal["quantile", "median", "width", "mdl", "supervised", "edges"]

DEFAULT_BINS = 5
# More bins than these are seldom worth their description, and the time of a column grows with them.
MOST_OPTIMAL_BINS = 20
# What stands for "no bins" where a rule is a text.
KEEP = "keep"


@dataclass(frozen=True)
class Discretise:
    """A rule that bins a numeric column.

    Parameters
    ----------
    method : {"quantile", "median", "width", "mdl", "supervised", "edges"}
        ``"quantile"`` makes bins of counts as equal as ties allow, ``"median"`` two of them, and ``"width"``
        bins of equal width between the smallest and the largest number. ``"mdl"`` makes the histogram of the
        shortest description, and ``"supervised"`` the bins that shorten the description of the column
        ``target`` most. ``"edges"`` uses the limits in ``edges``.
    bins : int, optional
        Number of bins, 5 by default. ``"mdl"`` and ``"supervised"`` choose their number, up to this, 20 by
        default.
    target : str, optional
        The column that ``"supervised"`` bins for.
    edges : sequence of float, optional
        Ascending limits between bins: 18 and 65 make the bins below 18, from 18 to below 65, and from 65 on.
    """

    method: BinMethod
    bins: int | None = None
    target: str | None = None
    edges: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.method not in get_args(BinMethod):
            hint = nearest(str(self.method), get_args(BinMethod))
            listed = ", ".join(get_args(BinMethod))
            raise ValueError(f"discretise must be one of {listed}, got {self.method!r}{hint or '.'}")
        check_type("target", self.target, str | None, "the name of a column, or None")
        if (self.method == "supervised") != (self.target is not None):
            raise ValueError(
                "bins that are made for a target are 'supervised', and name it, as in 'supervised:income', "
                f"got method {self.method!r} and target {self.target!r}."
            )
        if (self.method == "edges") != (self.edges is not None):
            raise ValueError(
                "limits between bins make a rule of method 'edges', as in 'edges:18,65', "
                f"got method {self.method!r} and edges {self.edges!r}."
            )
        if self.edges is not None:
            object.__setattr__(self, "edges", _checked_edges(self.edges, self.bins))
        if self.bins is None:
            return
        object.__setattr__(self, "bins", check_integer("bins", self.bins, 2, MAX_STATES))
        if self.method == "median" and self.bins != 2:
            raise ValueError(f"the median makes 2 bins, got bins={self.bins}; use 'quantile' for more.")

    @classmethod
    def of(cls, rule: Rule) -> Discretise:
        """A rule from a number of bins, from edges, or from a string such as quantile:4 or edges:18,65."""
        if isinstance(rule, cls):
            return rule
        if not isinstance(rule, str):
            if isinstance(rule, Iterable):
                return cls("edges", edges=tuple(rule))
            return cls("quantile", rule)  # type: ignore[arg-type]  # rejected if it is no number
        if is_plain_integer(rule):
            return cls("quantile", int(rule))
        method, colon, rest = rule.partition(":")
        if method == "supervised" and rest:
            return cls("supervised", target=rest)
        if method == "edges" and rest:
            numbers = [parse_number(word.strip()) for word in rest.split(",")]
            if None in numbers:
                raise ValueError(f"edges must read edges:NUMBER,..., such as edges:18,65, got {rule!r}.")
            return cls("edges", edges=tuple(number for number in numbers if number is not None))
        if not colon:
            return cls(rule)  # type: ignore[arg-type]  # rejected if it is no method
        if not is_plain_integer(rest):
            raise ValueError(f"bins must read METHOD:NUMBER, such as quantile:4, got {rule!r}.")
        return cls(method, int(rest))  # type: ignore[arg-type]

    def __str__(self) -> str:
        """The rule as ``of`` reads it."""
        if self.edges is not None:
            return f"edges:{','.join(map(label_of, self.edges))}"
        rest = self.target if self.target is not None else self.bins
        return self.method if rest is None else f"{self.method}:{rest}"

    @property
    def is_optimal(self) -> bool:
        """Whether the rule chooses the number of bins."""
        return self.method in ("mdl", "supervised")

    @property
    def num_bins(self) -> int:
        """Number of bins to make, or the most of them."""
        if self.bins is not None:
            return self.bins
        return MOST_OPTIMAL_BINS if self.is_optimal else self.keeps

    @property
    def keeps(self) -> int:
        """The most distinct numbers that stay as they are."""
        if self.edges is not None:
            return len(self.edges) + 1
        return self.bins or (2 if self.method == "median" else DEFAULT_BINS)


Rule: TypeAlias = Discretise | str | int | Iterable[float]
Rules: TypeAlias = Rule | Mapping[str | None, Rule | None] | Mapping[str, Rule | None] | None


@dataclass(frozen=True)
class Plan:
    """Which columns to bin: those in ``by_column`` as requested, others by ``default`` where they need it.

    A column that maps to None keeps every distinct number as a state. With ``reads_text``, text of
    a frame that spells nothing but numbers is cut like numbers.
    """

    default: Discretise | None
    by_column: Mapping[str, Discretise | None]
    reads_text: bool = False

    @classmethod
    def of(cls, rules: Rules, names: tuple[str, ...], source: str) -> Plan:
        """Read the ``discretise`` argument; the key None stands for all other columns."""
        if not isinstance(rules, Mapping):
            plan = cls(_rule(rules), {})
        else:
            for name in rules:
                check_type("each column of discretise", name, str | None, "a name, or None for all others")
            chosen: dict[str | None, Discretise | None] = {name: _rule(rule) for name, rule in rules.items()}
            default = chosen.pop(None, None)
            plan = cls(default, {name: rule for name, rule in chosen.items() if name is not None})
        wanted = [*plan.by_column, *(rule.target for rule in plan.rules if rule.target is not None)]
        if unknown := not_found("unknown column", dict.fromkeys(wanted), names):
            raise DataError(unknown, source)
        return plan

    @property
    def rules(self) -> list[Discretise]:
        """All rules that are there."""
        return [rule for rule in (self.default, *self.by_column.values()) if rule is not None]

    def automatic(self) -> Plan:
        """The same with a rule for all columns, and for numbers in text."""
        return replace(self, default=self.default or Discretise("quantile"), reads_text=True)

    def rule_of(self, name: str, num_distinct: int) -> Discretise | None:
        """How to cut a column of so many distinct numbers; None if it is not cut."""
        if name in self.by_column:
            rule = self.by_column[name]
        else:
            rule = self.default if self.default and num_distinct > self.default.keeps else None
        if rule is not None and rule.target == name:
            return Discretise("quantile", rule.bins)  # the target cannot be cut for itself
        return rule


def _rule(rule: Rule | None) -> Discretise | None:
    return None if rule is None or (isinstance(rule, str) and rule == KEEP) else Discretise.of(rule)


def _checked_edges(edges: Iterable[float], bins: int | None) -> tuple[float, ...]:
    """Return finite ascending numbers; how many bins they make is not another choice."""
    numbers = tuple(check_finite("each of edges", edge) for edge in edges)
    if not 1 <= len(numbers) < MAX_STATES or any(a >= b for a, b in pairwise(numbers)):
        raise ValueError(f"edges must be ascending numbers, at least one, got {list(numbers)[:20]}.")
    if bins is not None:
        raise ValueError(f"{len(numbers)} edges make {len(numbers) + 1} bins, got bins={bins}; drop bins.")
    return numbers

"""All columns of a table: variables in order, found by name, written as plain JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type, shown
from treebound.data._code_lookup import Finder, finder_of
from treebound.data._preparation import Preparation
from treebound.data._problems import DataError, Problem, nearest
from treebound.data._variable import Variable

_MOST_LETTERS = 60


@dataclass(frozen=True)
class Schema:
    """Variables in the order of the columns. Iterating, indexing and ``len`` go over the variables.

    ``preparation`` is how the table that they come from was read, which equality compares, and notes on what
    was done with it.
    """

    variables: tuple[Variable, ...]
    preparation: Preparation = field(default=Preparation(), hash=False)

    def __post_init__(self) -> None:
        check_type("preparation", self.preparation, Preparation, "a Preparation")
        check_type("variables", self.variables, Iterable, "a sequence of Variables")
        object.__setattr__(self, "variables", tuple(self.variables))
        for variable in self.variables:
            check_type("a variable of a schema", variable, Variable, "a Variable")
        if not self.variables:
            raise ValueError("a schema needs at least one variable.")
        if len(self.positions) != len(self.variables):
            twice = sorted(name for name, times in Counter(self.names).items() if times > 1)
            raise ValueError(f"variable names must differ from each other, got more than once: {twice}.")

    def __len__(self) -> int:
        return len(self.variables)

    def __iter__(self) -> Iterator[Variable]:
        return iter(self.variables)

    def __contains__(self, name: object) -> bool:
        return name in self.positions

    def __getitem__(self, key: str | int) -> Variable:
        return self.variables[key if isinstance(key, int) else self.position(key)]

    def __reduce__(self) -> tuple[type[Schema], tuple[tuple[Variable, ...], Preparation]]:
        return Schema, (self.variables, self.preparation)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return tuple(variable.name for variable in self.variables)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Numbers of states of the variables."""
        return tuple(variable.cardinality for variable in self.variables)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """Names of the hidden variables, which tables have no columns for."""
        return tuple(variable.name for variable in self.variables if variable.is_hidden)

    @cached_property
    def observed(self) -> NDArray[np.intp]:
        """Indexes of the variables that are not hidden."""
        return np.array([v for v, variable in enumerate(self.variables) if not variable.is_hidden], np.intp)

    @cached_property
    def max_cardinality(self) -> int:
        """The largest number of states."""
        return max(self.cardinalities)

    @cached_property
    def cardinality_array(self) -> NDArray[np.int64]:
        """Numbers of states of the variables, as an array."""
        return np.array(self.cardinalities, dtype=np.int64)

    @cached_property
    def finders(self) -> tuple[Finder, ...]:
        """How the code of a value of each variable is found."""
        return tuple(map(finder_of, self.variables))

    @cached_property
    def missing_codes(self) -> tuple[int, ...]:
        """The code of a missing cell of each variable: that of its state for missing cells, or -1."""
        return tuple(variable.missing_code for variable in self.variables)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Indexes of the variables by name."""
        return {name: position for position, name in enumerate(self.names)}

    def position(self, name: str) -> int:
        """Index of the variable of that name; an error that names the nearest one if there is none."""
        if not isinstance(name, str):
            raise DataError(
                [Problem("no such variable", f"expected a name, got {_shown(name)}")], "the schema"
            )
        try:
            return self.positions[name]
        except KeyError:
            dropped = self.preparation.reason_dropped(name)
            hint = nearest(name, self.names) if dropped is None else f"; its column was dropped ({dropped})"
            message = f"there is no variable {name!r}{hint}"
            raise DataError([Problem("no such variable", message)], "the schema") from None

    def to_json(self) -> dict[str, Any]:
        """A plain dict that ``from_json`` turns back into an equal schema."""
        fields: dict[str, Any] = {"variables": [variable.to_json() for variable in self.variables]}
        return fields | ({"preparation": self.preparation.to_json()} if self.preparation else {})

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Schema:
        """The schema that ``to_json`` wrote."""
        try:
            variables = tuple(Variable.from_json(variable) for variable in fields["variables"])
            preparation = fields.get("preparation")
            return cls(
                variables, Preparation() if preparation is None else Preparation.from_json(preparation)
            )
        except (KeyError, IndexError, AttributeError, TypeError) as error:
            raise ValueError(f"a schema needs variables with names and states, got {error!r}.") from error


def _shown(name: object) -> str:
    """What was given for a name; by its type if it is a whole table, say."""
    words = repr(name)
    return shown(name) if len(words) > _MOST_LETTERS or "\n" in words else words

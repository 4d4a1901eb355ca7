"""One column of a table as the model sees it: a name, its states as text, and how to get back to values.

States are text: nothing is lost between formats; ``kind`` says what the text stands for. Text is
matched with text exactly, and numbers are matched by value, so ``1``, ``1.0`` and a state ``"1"`` of an
integer column meet wherever the rows come from.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.data._bin_values import BinValues
from treebound.data._binned_numbers import BinnedNumbers
from treebound.data._codes import MISSING, check_column, with_gaps
from treebound.data._dates import parse_date
from treebound.data._interval_labels import cuts_of
from treebound.data._numbers import is_plain_integer, parse_number, parse_numbers
from treebound.data._problems import DataError, Problem, nearest

Kind = Literal["text", "integer", "boolean", "float", "date", "binned"]
Value: TypeAlias = str | int | float | bool

MAX_STATES = 65536
#: The label of a state that stands for missing cells.
MISSING_STATE = "(missing)"
_BOOLEANS = frozenset({"False", "True"})


def label_of(value: Value) -> str:
    """The text of a value; whole floats read like integers, since ``1`` and ``1.0`` are one value."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(float(value))
    return str(value)


@dataclass(frozen=True)
class Variable(BinnedNumbers):
    """A categorical column: ``states`` are the labels of codes 0, 1, ...

    ``kind`` says what the labels stand for, ``ordered`` whether their order has a meaning. A binned variable
    holds the limits of its bins in ``edges``, smallest and largest value included: bin i runs from
    ``edges[i]`` up to but without ``edges[i + 1]``, the last bin includes its end, and values beyond the
    outer edges belong to the outer bins. ``is_whole`` marks bins of integers.
    ``bins`` holds what each bin remembers of its numbers, None for a bin that had none; equality ignores it,
    since equal states and edges encode equally. A variable that ``is_hidden`` is missing in every row, and
    tables need no column for it. If it ``has_missing_state``, its last state stands for missing
    cells, whatever its kind, and has no bin.
    """

    name: str
    states: tuple[str, ...]
    kind: Kind = "text"
    ordered: bool = False
    edges: tuple[float, ...] | None = None
    is_whole: bool = False
    bins: tuple[BinValues | None, ...] | None = field(default=None, compare=False)
    is_hidden: bool = False
    has_missing_state: bool = False

    def __post_init__(self) -> None:
        check_type("states", self.states, Iterable, "a sequence of labels")
        check_type("edges", self.edges, Iterable | None, "a sequence of numbers, or None")
        object.__setattr__(self, "states", tuple(self.states))
        if self.edges is not None:
            object.__setattr__(self, "edges", tuple(map(float, self.edges)))
        check_type("is_hidden", self.is_hidden, bool, "True or False")
        check_type("has_missing_state", self.has_missing_state, bool, "True or False")
        check_type("bins", self.bins, Iterable | None, "a sequence of BinValues, or None")
        if self.bins is not None:
            object.__setattr__(self, "bins", tuple(self.bins))
        trouble = self._trouble()
        if trouble:
            raise ValueError(f"variable {self.name!r}: {trouble}.")

    def _trouble(self) -> str | None:
        if not self.name:
            return "the name must not be empty"
        if not 1 <= len(self.states) <= MAX_STATES:
            return f"expected 1 to {MAX_STATES} states, got {len(self.states)}"
        if self.kind not in get_args(Kind):
            return f"kind must be one of {', '.join(get_args(Kind))}, got {self.kind!r}"
        if (self.kind == "binned") != (self.edges is not None):
            return "edges belong to binned variables and to no other kind"
        num_known = len(self.known_states)
        if not num_known:
            return "a state for missing values needs another state next to it"
        if self.edges is not None and not _are_edges(self.edges, num_known):
            return f"{num_known} bins need {num_known + 1} ascending edges, got {self.edges}"
        if self.bins is not None and not self.are_of_bins(self.bins):
            return f"bins must hold BinValues or None for each of its {num_known} bins, inside the bin"
        if self.has_missing_state and self.states[-1] in self.known_states:
            return "states must differ from each other"
        return _trouble_with_states(self.known_states, self.kind)

    @property
    def cardinality(self) -> int:
        """Number of states."""
        return len(self.states)

    @property
    def missing_code(self) -> int:
        """The code of a missing cell: that of the state for it, or -1."""
        return len(self.states) - 1 if self.has_missing_state else MISSING

    @cached_property
    def _codes_by_label(self) -> dict[str, int]:
        return {label: code for code, label in enumerate(self.states)}

    @cached_property
    def _codes_by_number(self) -> Mapping[float, int]:
        return _codes_by_number(self.known_states, self.kind)

    def find_all(self, values: Sequence[Value]) -> NDArray[np.intp]:
        """The codes of values, -1 for those that no state stands for."""
        if self.edges is None:
            return np.array([self._find(value) for value in values], dtype=np.intp)
        numbers = parse_numbers([str(v) for v in values]) if set(map(type, values)) == {str} else None
        if numbers is None:
            numbers = list(map(self._number_to_match, values))
        codes = self.bin(numbers)
        for position in np.flatnonzero(~np.isfinite(numbers)).tolist():
            codes[position] = self._codes_by_label.get(label_of(values[position]), -1)
        return codes

    def _find(self, value: Value) -> int:
        label = label_of(value)
        code = self._codes_by_label.get(label)
        if code is not None:
            return code
        if self.kind == "date":
            return self._codes_by_label.get(parse_date(label) or "", -1)
        if self.kind == "text" and (cuts := cuts_of(self.known_states)):
            return _interval(value, cuts)
        return self._codes_by_number.get(self._number_to_match(value), -1)

    def _number_to_match(self, value: Value) -> float:
        """The value as a number, where this variable has numbers, else NaN."""
        if isinstance(value, str):
            number = None if self.kind == "text" else _number_of(value, self.kind)
            return math.nan if number is None else number
        return value if isinstance(value, bool) == (self.kind == "boolean") else math.nan

    def code(self, value: Value | None) -> int:
        """The code of a value; an error that names the nearest state if there is none."""
        if self.has_missing_state and (value is None or value != value):
            return self.missing_code
        is_value = isinstance(value, str | int | float | np.generic)
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            is_value = False
        code = int(self.find_all([cast(Value, value)])[0]) if is_value else -1
        if code < 0:
            listed = ", ".join(map(repr, self.states[:8])) + (", ..." if self.cardinality > 8 else "")
            hint = self.hint(value)
            raise DataError(
                [Problem("unseen", f"{value!r} is not one of its states {listed}{hint}", self.name)],
                "the schema",
            )
        return code

    def hint(self, value: object) -> str:
        """The end of an error message about a value that no state stands for: the nearest state, if any."""
        number = parse_number(str(value))
        if number is None or self.kind not in ("integer", "float"):
            return nearest(str(value), self.states)
        codes = self._codes_by_number
        closest = min(codes, key=lambda known: abs(known - number))
        return f"; the state nearest to {value} is {self.states[codes[closest]]!r}"

    @cached_property
    def _values(self) -> NDArray[Any]:
        if self.kind == "integer":
            return np.array([int(label) for label in self.known_states], dtype=np.int64)
        if self.kind == "float":
            return np.array([float(label) for label in self.known_states])
        if self.kind == "boolean" and {*self.known_states} <= _BOOLEANS:
            return np.array([label == "True" for label in self.known_states])
        return np.array(self.known_states, dtype=object)

    def decode(self, codes: NDArray[np.integer]) -> NDArray[Any]:
        """The values behind codes: integers, booleans and floats as such, anything else as its label.

        Booleans of a text file that are written in another way than Python does, such as TRUE, stay text. The
        state for missing cells becomes NaN among numbers and None among all else.
        """
        check_column(codes, self.name, self.cardinality)
        if self.has_missing_state:
            is_known = codes != self.missing_code
            return with_gaps(self._values.take(codes[is_known]), is_known)
        # Not by indexing, which ends the process where there is no memory to widen the codes.
        values: NDArray[Any] = self._values.take(codes)
        return values

    @cached_property
    def state_values(self) -> tuple[Value | None, ...]:
        """The value of each state, as ``decode`` returns it, and None for that of missing cells."""
        values = self._values.tolist()
        return (*values, None) if self.has_missing_state else tuple(values)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The number that each known state stands for, the mean of a bin; an error if there are none."""
        self.require_numbers()
        if self.edges is not None:
            return np.array([one.mean for one in self.bin_values], dtype=np.float64)
        return self._values.astype(np.float64)

    def require_numbers(self) -> None:
        """Raise an error if states are not numeric."""
        if self.kind not in ("integer", "float", "binned"):
            raise ValueError(f"variable {self.name!r} has no numbers, it is of kind {self.kind!r}.")

    def expected_numbers(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The expected number for each row of state probabilities, given that it is not missing."""
        if not self.has_missing_state:
            return weights @ self.numbers
        known = weights[:, :-1]
        with np.errstate(invalid="ignore"):  # certainly missing: NaN
            return np.asarray((known @ self.numbers) / known.sum(axis=1))

    def to_json(self) -> dict[str, Any]:
        """A plain dict that ``from_json`` turns back into an equal variable."""
        # Not asdict, which copies every value deeply: a hundred thousand variables took seconds.
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        fields["states"] = list(self.states)
        fields["edges"] = None if self.edges is None else list(self.edges)
        for flag in ("is_hidden", "has_missing_state"):
            if not fields[flag]:
                del fields[flag]
        if self.bins is None:
            del fields["bins"]
        else:
            fields["bins"] = [None if one is None else one.to_json() for one in self.bins]
        return fields

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Variable:
        """The variable that ``to_json`` wrote."""
        bins = fields.get("bins")
        if bins is None:
            return cls(**fields)
        return cls(**fields | {"bins": [None if one is None else BinValues(**one) for one in bins]})


def _interval(value: Value, cuts: tuple[float, ...]) -> int:
    """Which of the intervals between cuts a number lies in, -1 for other values."""
    number = math.nan if isinstance(value, bool) else parse_number(str(value))
    return -1 if number is None or not math.isfinite(number) else bisect_right(cuts, number)


def _are_edges(edges: tuple[float, ...], num_bins: int) -> bool:
    if len(edges) != num_bins + 1 or not all(map(math.isfinite, edges)):
        return False
    # The last bin may be the single largest value, and end where it starts.
    return all(a < b for a, b in pairwise(edges[:-1])) and edges[-2] <= edges[-1]


# Variables of one table mostly share their states, and a file may bring ten thousand of them.
@lru_cache(maxsize=64)
def _trouble_with_states(states: tuple[str, ...], kind: Kind) -> str | None:
    if len(set(states)) != len(states):
        return "states must differ from each other"
    numbers = _codes_by_number(states, kind)
    if kind in ("integer", "boolean", "float") and len(numbers) != len(states):
        return f"states of kind {kind} must read as different values, got {states[:5]}"
    if kind == "date" and not all(parse_date(label) == label for label in states):
        return f"states of kind date must be written like 2024-05-31 or 2024-05-31 14:30:00, got {states[:5]}"
    if kind == "integer" and not all(map(is_plain_integer, states)):
        return f"states of kind integer must be written as integers, got {states[:5]}"
    if kind == "float" and not all(map(math.isfinite, numbers)):
        return f"states of kind float must be finite, got {states[:5]}"
    return None


@lru_cache(maxsize=64)
def _codes_by_number(states: tuple[str, ...], kind: Kind) -> Mapping[float, int]:
    """Codes by the number a state reads as; empty unless all states are different numbers."""
    numbers = [_number_of(label, kind) for label in states]
    codes = {number: code for code, number in enumerate(numbers) if number is not None}
    return codes if len(codes) == len(states) else {}


def _number_of(label: str, kind: Kind) -> float | None:
    if kind == "boolean":
        return {"false": False, "true": True}.get(label.casefold())
    if kind == "integer" and is_plain_integer(label):
        return int(label)
    return parse_number(label)

"""What a file says about a network, piece by piece, and the checks of the whole when all is there.

Readers hand over variables and tables as they meet them, each with its place in the file, so whatever
is wrong can be named with its line. Tables arrive in our layout (see ``BayesianNetwork``).

Rows of files often sum to one only within rounding. Every network divides such rows by their sum; here those
that are further off are rejected with their line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound._ordering import orderable
from treebound.data import Schema, Variable, domain_of, nearest
from treebound.formats._plain_names import HIDDEN, MISSING_STATE, unescape
from treebound.inference import ROUNDING
from treebound.network import BayesianNetwork
from treebound.structure import find_cycle

# Default rows may ask for tables of any size in one line. All of a file may ask for so many numbers that it
# does not show: 32 MB, the default of a child with 21 parents of two states.
MAX_UNSHOWN_CELLS = 1 << 22


class NetworkFileError(ValueError):
    """A file, or an object of another library, that does not hold a whole network."""


class _Declared(NamedTuple):
    variable: Variable
    place: int


class _Table(NamedTuple):
    parents: tuple[int, ...]
    values: NDArray[np.float64]
    place: int


class Draft:
    """Variables in the order of the file, known by the words that the file has for them."""

    def __init__(self, line_of: Callable[[int], int] | None = None) -> None:
        self._line_of = line_of
        self._declared: list[_Declared] = []
        self._index: dict[str, int] = {}
        self._codes: list[dict[str, int]] = []
        self._tables: dict[int, _Table] = {}
        self._num_unshown = 0

    def fault(self, place: int, message: str) -> NetworkFileError:
        """An error about a place of the file."""
        line = "" if self._line_of is None else f"line {self._line_of(place)}: "
        return NetworkFileError(line + message)

    def add_variable(
        self,
        word: str,
        states: Sequence[str],
        place: int,
        *,
        name: str | None = None,
        labels: str | None = None,
        flags: Collection[str] = (),
    ) -> None:
        """A variable and its states, with the escaped originals and flags that may stand next to."""
        if word in self._index:
            raise self.fault(place, f"expected each variable once, got {word!r} again.")
        original = self._originals(name, 1, place) if name is not None else [word]
        restored = states if labels is None else self._originals(labels, len(states), place)
        try:
            variable = _flagged(original[0], tuple(restored), flags)
        except ValueError as error:
            raise self.fault(place, str(error)) from error
        self._index[word] = len(self._declared)
        self._declared.append(_Declared(variable, place))
        self._codes.append({state: code for code, state in enumerate(states)})

    def _originals(self, escaped: str, count: int, place: int) -> list[str]:
        texts = unescape(escaped)
        if texts is None or len(texts) != count:
            raise self.fault(place, f"expected {count} escaped words, got {escaped[:60]!r}.")
        return texts

    def find(self, word: str, place: int) -> int:
        """The number of a variable by its word."""
        try:
            return self._index[word]
        except KeyError:
            hint = nearest(word, self._index) or "."
            raise self.fault(
                place, f"expected a variable that the file declares, got {word!r}{hint}"
            ) from None

    def codes(self, variable: int) -> dict[str, int]:
        """The codes of the states of a variable by the words that the file has for them."""
        return self._codes[variable]

    def name(self, variable: int) -> str:
        """The name that a variable will have."""
        return self._declared[variable].variable.name

    def find_family(self, words: Sequence[str], place: int) -> tuple[int, tuple[int, ...]]:
        """Child and parents by their words, the child first; each variable may have one family only."""
        child, *parents = (self.find(word, place) for word in words)
        if child in self._tables:
            raise self.fault(place, f"expected one table for each variable, got a second for {words[0]!r}.")
        if len({child, *parents}) < len(words):
            raise self.fault(place, f"expected different variables in a family, got {', '.join(words)}.")
        return child, tuple(parents)

    def num_rows(self, parents: Sequence[int]) -> int:
        """How many joint states parents have."""
        return math.prod(len(self._codes[parent]) for parent in parents)

    def take_unshown(self, num_cells: int, place: int) -> None:
        """Count numbers that a table is to hold although the file does not show them."""
        self._num_unshown += num_cells
        if self._num_unshown > MAX_UNSHOWN_CELLS:
            raise self.fault(
                place,
                f"default rows may stand for {MAX_UNSHOWN_CELLS} numbers of a file at most, "
                f"got {spelled(self._num_unshown)}.",
            )

    def add_table(
        self, child: int, parents: tuple[int, ...], values: Sequence[float] | NDArray[np.float64], place: int
    ) -> None:
        """The table of a variable, child fastest, then the last parent."""
        num_states, num_rows = len(self._codes[child]), self.num_rows(parents)
        if len(values) != num_states * num_rows:
            raise self.fault(
                place,
                f"expected {spelled(num_states * num_rows)} probabilities of {self.name(child)!r}, "
                f"{num_states} states times {spelled(num_rows)} joint states of its parents, "
                f"got {len(values)}.",
            )
        self._tables[child] = _Table(parents, np.asarray(values, dtype=np.float64), place)

    def finish(self, provenance: dict[str, object], order: str | None = None) -> BayesianNetwork:
        """The network, if everything is there and fits.

        ``order`` is an elimination order in escaped words of the file; it is dropped unless it holds every
        variable once, since programs that change a network may keep remarks that they do not understand.
        """
        if not self._declared:
            raise NetworkFileError("expected a network, got no variable.")
        for v, (variable, place) in enumerate(self._declared):
            if v not in self._tables:
                raise self.fault(place, f"variable {variable.name!r} has no table of probabilities.")
        tables = [self._tables[v] for v in range(len(self._declared))]
        parents = [table.parents for table in tables]
        self._reject_cycles(parents)
        values = self._probabilities(tables)
        try:
            schema = Schema(tuple(variable for variable, _ in self._declared))
            return BayesianNetwork.from_indices(
                schema, tuple(parents), values, self._witness(order), provenance
            )
        except ValueError as error:
            raise NetworkFileError(str(error)) from error

    def _witness(self, order: str | None) -> tuple[int, ...] | None:
        words = unescape(order or "") or []
        if len(words) != len(self._index) or set(words) != set(self._index):
            return None
        return tuple(self._index[word] for word in words)

    def _reject_cycles(self, parents: list[tuple[int, ...]]) -> None:
        if len(orderable(parents)) == len(parents):
            return
        cycle = find_cycle(parents)
        words = " -> ".join(repr(self.name(v)) for v in cycle)
        raise self.fault(self._tables[cycle[0]].place, f"the arcs must not form a cycle, got {words}.")

    def _probabilities(self, tables: Sequence[_Table]) -> tuple[NDArray[np.float64], ...]:
        """The tables; rows that do not sum to one within rounding are rejected."""
        values = np.concatenate([table.values for table in tables])
        ends = np.cumsum([0, *(len(table.values) for table in tables)])
        # not (x >= 0) is also true of numbers that are not numbers.
        wrong = np.flatnonzero(~((values >= 0) & (values < np.inf)))
        if wrong.size:
            raise self._bad_row(ends, int(wrong[0]), f"probabilities, got {values[wrong[0]]}")
        cardinalities = np.array([len(codes) for codes in self._codes])
        lengths = np.repeat(cardinalities, np.diff(ends) // cardinalities)
        starts = np.cumsum(lengths) - lengths
        sums = np.add.reduceat(values, starts)
        off = np.abs(sums - 1)
        if (off > ROUNDING).any():
            first = int(np.argmax(off > ROUNDING))
            raise self._bad_row(
                ends, int(starts[first]), f"probabilities that sum to 1, got a sum of {sums[first]:.6g}"
            )
        return tuple(np.split(values, ends[1:-1]))

    def _bad_row(self, ends: NDArray[np.int64], position: int, expected: str) -> NetworkFileError:
        child = int(np.searchsorted(ends, position, side="right")) - 1
        table, num_states = self._tables[child], len(self._codes[child])
        row = (position - int(ends[child])) // num_states
        given = [self._declared[parent].variable for parent in table.parents]
        joint_state = np.unravel_index(row, [parent.cardinality for parent in given]) if given else ()
        joint = ", ".join(
            f"{parent.name}={parent.states[code]}" for parent, code in zip(given, joint_state, strict=True)
        )
        where = f"{self.name(child)!r}" + (f" given {joint}" if joint else "")
        return self.fault(table.place, f"expected {expected} for {where}.")


def spelled(count: int) -> str:
    """A number in a message; Python rejects to write out those of thousands of digits."""
    return str(count) if count < 10**18 else "more than 10^18"


def _flagged(name: str, labels: tuple[str, ...], flags: Collection[str]) -> Variable:
    if HIDDEN in flags:
        return Variable(name, labels, is_hidden=True)
    if MISSING_STATE in flags and len(labels) > 1:
        known = variable_of(name, labels[:-1])
        return replace(known, states=labels, has_missing_state=True)
    return variable_of(name, labels)


def variable_of(name: str, labels: tuple[str, ...]) -> Variable:
    """A variable of what labels read as: numbers and truth values as such, in a table's text just so."""
    kind = domain_of(labels, is_text=True).kind
    if kind != "text":
        try:
            return Variable(name, labels, kind, ordered=True)
        except ValueError:
            pass  # labels such as 1 and 1.0, which are different texts only
    return Variable(name, labels)

"""Networks in BIF 0.15, the interchange format of the Bayesian network repositories.

Blocks ``network``, ``variable`` and ``probability``, whatever text between them; commas and bars count as
blanks. A table is given whole, the child running slowest, or in rows that name the states of the parents, which are
read by these names, since programs disagree about their order. We write rows for all variables with parents.

Most of a large file are rows, all of one shape: they are taken apart by slices of the list of words, and one
by one only where the shapes differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from treebound.data import Variable
from treebound.formats._network_draft import MAX_CELLS, Draft
from treebound.formats._plain_names import NAME, ORDER, STATES, escape, plain
from treebound.formats._tokens import Tokens, blank_comments, unquoted
from treebound.network import BayesianNetwork

_TOKEN = re.compile(r'"[^"\n]*"|[(){};]|[^\s,|(){};"]+|"')
_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DISCRETE = re.compile(r"discrete\[(\d{1,9})\]")
_KEYWORDS = frozenset("network variable probability property type discrete default table".split())
# Names that pgmpy and pyAgrum read and write; of states also whole numbers.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STATE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")


def format_bif(network: BayesianNetwork) -> str:
    """Return the text of a BIF file."""
    names = plain(network.schema.names, _fits(_NAME))
    states = [plain(variable.states, _fits(_STATE)) for variable in network.schema]
    parts = ["network treebound {\n"]
    if network.elimination_order is not None:
        parts.append(_property(ORDER, " ".join(names[v] for v in network.elimination_order)))
    parts.append("}\n")
    for variable, name, words in zip(network.schema, names, states, strict=True):
        parts += _variable_block(variable, name, words)
    for child, parents in enumerate(network.parents):
        rows = network.tables[child].reshape(-1, len(states[child])).tolist()
        if parents:
            parts.append(f"probability ( {names[child]} | {', '.join(names[p] for p in parents)} ) {{\n")
            joint = product(*(states[parent] for parent in parents))
            parts += [
                f"  ({', '.join(key)}) {', '.join(map(repr, row))};\n"
                for key, row in zip(joint, rows, strict=True)
            ]
        else:
            parts.append(f"probability ( {names[child]} ) {{\n  table {', '.join(map(repr, rows[0]))};\n")
        parts.append("}\n")
    return "".join(parts)


def _fits(pattern: re.Pattern[str]):  # type: ignore[no-untyped-def]
    return lambda text: pattern.fullmatch(text) and text.lower() not in _KEYWORDS


def _property(key: str, value: str) -> str:
    return f"  property {key} = {value} ;\n"


def _variable_block(variable: Variable, name: str, words: Sequence[str]) -> Iterator[str]:
    yield f"variable {name} {{\n  type discrete [ {len(words)} ] {{ {', '.join(words)} }};\n"
    if name != variable.name:
        yield _property(NAME, escape([variable.name]))
    if tuple(words) != variable.states:
        yield _property(STATES, escape(variable.states))
    yield "}\n"


def parse_bif(text: str) -> BayesianNetwork:
    """Make a network of the text of a BIF file."""
    if "//" in text or "/*" in text:
        text = blank_comments(text, _COMMENT, lambda found: found[0] == "/")
    tokens = Tokens(text, _TOKEN)
    draft = Draft(tokens.line)
    families = []
    order = None
    for place, opening, end in _blocks(tokens):
        kind = tokens.words[place]
        if kind == "variable":
            _read_variable(tokens, draft, place, opening, end)
        elif kind == "probability":
            families.append((place, opening, end))
        else:
            order = _read_properties(tokens, opening + 1, end).get(ORDER, "").split()
    for place, opening, end in families:
        _read_family(tokens, draft, place, opening, end)
    return draft.finish({"format": "bif"}, order)


def _blocks(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    """Places of the keyword, the opening and the closing brace of each block."""
    place = 0
    while place < len(tokens.words):
        word = tokens.words[place]
        if word in ("network", "variable", "probability"):
            opening = tokens.find("{", place)
            end = tokens.block_end(opening)
            yield place, opening, end
            place = end
        elif word in ("{", "}"):
            raise tokens.unexpected(place, "a block: network, variable or probability")
        place += 1


def _read_variable(tokens: Tokens, draft: Draft, place: int, opening: int, end: int) -> None:
    word = tokens.name(place + 1, "the name of a variable")
    if opening != place + 2:
        raise tokens.unexpected(place + 2, "'{'")
    states: list[str] | None = None
    remarks: dict[str, str] = {}
    at = opening + 1
    while at < end:
        if tokens.words[at] == "type" and states is None:
            at, states = _read_states(tokens, at, end)
        else:
            semicolon = tokens.find(";", at, end)
            remarks |= _read_properties(tokens, at, semicolon + 1)
            at = semicolon + 1
    if states is None:
        raise tokens.fault(place, f"variable {word!r} has no type.")
    draft.add_variable(word, states, place, name=remarks.get(NAME), labels=remarks.get(STATES))


def _read_states(tokens: Tokens, at: int, end: int) -> tuple[int, list[str]]:
    """The states after ``type``, and the place behind them."""
    opening = tokens.find("{", at, end)
    head = "".join(tokens.words[at + 1 : opening])
    count = _DISCRETE.fullmatch(head)
    if count is None:
        raise tokens.fault(at, f"expected type discrete [ number ], got {head[:60]!r}.")
    closing = tokens.find("}", opening, end)
    states = [unquoted(word) for word in tokens.words[opening + 1 : closing]]
    if len(states) != int(count[1]):
        raise tokens.fault(at, f"expected {count[1]} states, got {len(states)}.")
    return closing + 1 + (tokens.words[closing + 1] == ";"), states


def _read_properties(tokens: Tokens, at: int, end: int) -> dict[str, str]:
    """The properties that read ``key = value``."""
    found = {}
    while at < end:
        if tokens.words[at] != "property":
            raise tokens.unexpected(at, "a property")
        semicolon = tokens.find(";", at, end)
        key, _, value = " ".join(tokens.words[at + 1 : semicolon]).strip('"').partition("=")
        found[key.strip()] = value.strip()
        at = semicolon + 1
    return found


def _read_family(tokens: Tokens, draft: Draft, place: int, opening: int, end: int) -> None:
    head = tokens.expect(place + 1, "(")
    closing = tokens.find(")", head, opening)
    if closing == head:
        raise tokens.unexpected(head, "the name of a variable")
    if closing + 1 != opening:
        raise tokens.unexpected(closing + 1, "'{'")
    words = [tokens.name(at, "the name of a variable") for at in range(head, closing)]
    child, parents = draft.find_family(words, place)
    if tokens.words[opening + 1] == "table":
        semicolon = tokens.find(";", opening, end)
        if semicolon + 1 != end:
            _read_properties(tokens, semicolon + 1, end)
        values = np.array(tokens.numbers(opening + 2, semicolon))
        num_states = len(draft.states(child))
        # A wrong number of values is for the draft to refuse.
        even = len(values) % num_states == 0
        table = values.reshape(num_states, -1).T.ravel() if even else values
    else:
        table = _Rows(tokens, draft, child, parents).table(opening + 1, end)
    draft.add_table(child, parents, table, place)


class _Rows:
    """The rows of one table, each with the states of the parents that it is for."""

    def __init__(self, tokens: Tokens, draft: Draft, child: int, parents: tuple[int, ...]) -> None:
        self.tokens, self.draft = tokens, draft
        self.child, self.parents = child, parents
        self.num_states = len(draft.states(child))
        self.num_rows = draft.num_rows(parents)
        self.default: list[float] | None = None

    def table(self, first: int, end: int) -> NDArray[np.float64]:
        """The flat table that the words from ``first`` to ``end`` hold."""
        places = self._regular(first, end)
        if places is None:
            places = self._one_by_one(first, end)
        rows = self._row_numbers(places)
        self._refuse_gaps(rows, places, end)
        return self._fill(rows, places)

    def _regular(self, first: int, end: int) -> Sequence[int] | None:
        """The places of the rows if all have the same shape."""
        size = len(self.parents) + self.num_states + 3
        words = self.tokens.words
        count, rest = divmod(end - first, size)
        signs = ((0, "("), (len(self.parents) + 1, ")"), (size - 1, ";"))
        if rest or any(words[first + shift : end : size].count(sign) < count for shift, sign in signs):
            return None
        return range(first, end, size)

    def _one_by_one(self, first: int, end: int) -> Sequence[int]:
        """The places of the rows, each of them looked at; what else there may be on the way."""
        tokens, at, places = self.tokens, first, []
        while at < end:
            semicolon = tokens.find(";", at, end)
            word = tokens.words[at]
            if word == "(":
                self._check_row(at, semicolon)
                places.append(at)
            elif word == "default" and self.default is None:
                self.default = tokens.numbers(at + 1, semicolon)
                self._check_count(at, len(self.default))
            elif word == "property":
                pass
            else:
                raise tokens.unexpected(at, "a row that starts with '(', table or default")
            at = semicolon + 1
        return places

    def _check_row(self, at: int, semicolon: int) -> None:
        closing = self.tokens.find(")", at, semicolon)
        if closing - at - 1 != len(self.parents):
            raise self.tokens.fault(
                at, f"expected the states of {len(self.parents)} parents, got {closing - at - 1}."
            )
        self._check_count(at, semicolon - closing - 1)

    def _check_count(self, at: int, count: int) -> None:
        if count != self.num_states:
            name = self.draft.name(self.child)
            raise self.tokens.fault(
                at, f"expected {self.num_states} probabilities of {name!r}, got {count}."
            )

    def _row_numbers(self, places: Sequence[int]) -> NDArray[np.int64]:
        """The joint state of the parents that each row is for, as one number."""
        numbers = np.zeros(len(places), dtype=np.int64)
        for shift, parent in enumerate(self.parents, start=1):
            states = self.draft.states(parent)
            codes = {state: code for code, state in enumerate(states)}
            words = self._column(places, shift)
            try:
                found = [codes[word] for word in words]
            except KeyError:
                found = [self._code(codes, place + shift, parent) for place in places]
            numbers = numbers * len(states) + np.array(found, dtype=np.int64)
        return numbers

    def _code(self, codes: dict[str, int], place: int, parent: int) -> int:
        word = unquoted(self.tokens.words[place])
        if word not in codes:
            name, states = self.draft.name(parent), ", ".join(map(repr, codes))
            raise self.tokens.fault(place, f"expected a state of {name!r} ({states[:200]}), got {word!r}.")
        return codes[word]

    def _column(self, places: Sequence[int], shift: int) -> list[str]:
        """The words that stand at the same distance from the start of each row."""
        words = self.tokens.words
        if isinstance(places, range) and places:
            return words[places.start + shift : places.stop : places.step]
        return [words[place + shift] for place in places]

    def _refuse_gaps(self, rows: NDArray[np.int64], places: Sequence[int], end: int) -> None:
        seen: dict[int, int] = {}
        for row, place in zip(rows.tolist(), places, strict=True):
            if seen.setdefault(row, place) != place:
                raise self.tokens.fault(place, "expected each joint state of the parents once, got one again.")
        if len(seen) < self.num_rows and self.default is None:
            raise self.tokens.fault(
                end,
                f"expected {self.num_rows} rows of probabilities of {self.draft.name(self.child)!r}, "
                f"or a default, got {len(seen)}.",
            )

    def _fill(self, rows: NDArray[np.int64], places: Sequence[int]) -> NDArray[np.float64]:
        if self.num_rows * self.num_states > MAX_CELLS:
            raise self.tokens.fault(
                places[0] if places else 0,
                f"expected a table of {MAX_CELLS} numbers at most, "
                f"got one of {self.num_rows * self.num_states}.",
            )
        table = np.empty((self.num_rows, self.num_states))
        if self.default is not None:
            table[:] = self.default
        shift = len(self.parents) + 2
        for state in range(self.num_states):
            words = self._column(places, shift + state)
            try:
                table[rows, state] = list(map(float, words))
            except ValueError:
                raise self._not_a_number(places, shift) from None
        return table.ravel()

    def _not_a_number(self, places: Sequence[int], shift: int) -> Exception:
        for place in places:
            self.tokens.numbers(place + shift, place + shift + self.num_states)
        raise AssertionError("some word is no number")

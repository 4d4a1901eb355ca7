"""Tables in BIF and DSC: a family in parentheses, and rows ``(states of the parents) probabilities;``.

Rows are read by the names of the states, since programs disagree about their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound.formats._network_draft import Draft, spelled
from treebound.formats._tokens import SIGNS, Tokens, unquoted


def family_words(tokens: Tokens, at: int, opening: int) -> list[str]:
    """The words of child and parents, from the parenthesis at ``at`` up to the brace at ``opening``."""
    closing = tokens.find(")", tokens.expect(at, "("), opening)
    if closing == at + 1:
        raise tokens.unexpected(closing, "the name of a variable")
    if closing + 1 != opening:
        raise tokens.unexpected(closing + 1, "'{'")
    words = tokens.words[at + 1 : closing]
    if not SIGNS.isdisjoint(words):
        raise tokens.fault(at, f"expected names of variables, got {' '.join(words)[:60]!r}.")
    return list(map(unquoted, words))


class Rows:
    """Reads the rows for one child and its parents."""

    def __init__(self, tokens: Tokens, draft: Draft, child: int, parents: tuple[int, ...]) -> None:
        self._tokens, self._draft = tokens, draft
        self._child, self._parents = child, parents
        self._num_states = len(draft.codes(child))
        self._num_rows = draft.num_rows(parents)
        self._default: list[float] | None = None

    def table(self, first: int, end: int) -> NDArray[np.float64]:
        """The flat table that the words from ``first`` to ``end`` hold."""
        places = self._places(first, end)
        rows = self._row_numbers(places)
        self._reject_gaps(rows, places, end)
        return self._fill(rows, places, end)

    def _places(self, first: int, end: int) -> Sequence[int]:
        """Where the rows begin; what else stands between them is looked at too."""
        tokens, at, places = self._tokens, first, []
        while at < end:
            semicolon = tokens.find(";", at, end)
            word = tokens.words[at]
            if word == "(":
                self._check_row(at, semicolon)
                places.append(at)
            elif word == "default" and self._default is None:
                self._default = tokens.numbers(at + 1, semicolon)
                self._check_count(at, len(self._default))
            elif word != "property":
                raise tokens.unexpected(at, "table, one default, or a row that starts with '('")
            at = semicolon + 1
        return places

    def _check_row(self, at: int, semicolon: int) -> None:
        closing = self._tokens.find(")", at, semicolon)
        if closing - at - 1 != len(self._parents):
            raise self._tokens.fault(
                at, f"expected the states of {len(self._parents)} parents, got {closing - at - 1}."
            )
        self._check_count(at, semicolon - closing - 1)

    def _check_count(self, at: int, count: int) -> None:
        if count != self._num_states:
            name = self._draft.name(self._child)
            raise self._tokens.fault(
                at, f"expected {self._num_states} probabilities of {name!r}, got {count}."
            )

    def _row_numbers(self, places: Sequence[int]) -> list[int]:
        """The joint state of the parents that each row is for, as one number."""
        numbers = [0] * len(places)
        for shift, parent in enumerate(self._parents, start=1):
            codes = self._draft.codes(parent)
            found = (self._code(codes, place + shift, parent) for place in places)
            numbers = [len(codes) * number + code for number, code in zip(numbers, found, strict=True)]
        return numbers

    def _code(self, codes: dict[str, int], place: int, parent: int) -> int:
        word = unquoted(self._tokens.words[place])
        if word not in codes:
            name, states = self._draft.name(parent), ", ".join(map(repr, codes))
            raise self._tokens.fault(place, f"expected a state of {name!r} ({states[:200]}), got {word!r}.")
        return codes[word]

    def _reject_gaps(self, rows: list[int], places: Sequence[int], end: int) -> None:
        seen = dict(zip(reversed(rows), reversed(places), strict=True))
        if len(seen) < len(rows):
            again = next(place for row, place in zip(rows, places, strict=True) if seen[row] != place)
            raise self._tokens.fault(again, "expected each joint state of the parents once, got one again.")
        if len(seen) < self._num_rows and self._default is None:
            name = self._draft.name(self._child)
            raise self._tokens.fault(
                end,
                f"expected {spelled(self._num_rows)} rows of probabilities of {name!r}, or a default, "
                f"got {len(seen)}.",
            )

    def _fill(self, rows: list[int], places: Sequence[int], end: int) -> NDArray[np.float64]:
        self._draft.take_unshown((self._num_rows - len(rows)) * self._num_states, end)
        table = np.empty((self._num_rows, self._num_states))
        if self._default is not None:
            table[:] = self._default
        first = len(self._parents) + 2
        for row, place in zip(rows, places, strict=True):
            table[row] = self._tokens.numbers(place + first, place + first + self._num_states)
        return table.ravel()

"""The words and signs of a text, found in one pass; the line of one is looked up only when needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

from treebound.formats._network_draft import NetworkFileError

SIGNS = frozenset("(){};=")


class Tokens:
    """All words of a text in order. ``pattern`` has no groups and matches words, signs and quoted strings."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self._text, self._pattern = text, pattern
        self.words: list[str] = pattern.findall(text)

    def line(self, place: int) -> int:
        """The line that holds a word, counted from 1; the last one for a place behind the end."""
        match = next(islice(self._pattern.finditer(self._text), place, None), None)
        return self._text.count("\n", 0, len(self._text.rstrip()) if match is None else match.start()) + 1

    def fault(self, place: int, message: str) -> NetworkFileError:
        """An error about the word at a place."""
        return NetworkFileError(f"line {self.line(place)}: {message}")

    def unexpected(self, place: int, expected: str) -> NetworkFileError:
        """An error about a word that should have been another."""
        came = repr(self.words[place][:60]) if place < len(self.words) else "the end of the file"
        return self.fault(place, f"expected {expected}, got {came}.")

    def at(self, place: int) -> str:
        """The word at a place, nothing behind the end."""
        return self.words[place] if place < len(self.words) else ""

    def expect(self, place: int, word: str) -> int:
        """The place behind a word that has to be there."""
        if self.at(place) != word:
            raise self.unexpected(place, repr(word))
        return place + 1

    def name(self, place: int, what: str) -> str:
        """The word at a place, quotes taken off, which must not be a sign."""
        word = self.at(place)
        if not word or word in SIGNS:
            raise self.unexpected(place, what)
        return unquoted(word)

    def find(self, word: str, place: int, end: int | None = None) -> int:
        """The first place from ``place`` on that holds a word, which has to be there."""
        try:
            return self.words.index(word, place, len(self.words) if end is None else end)
        except ValueError:
            raise self.unexpected(len(self.words) if end is None else end, repr(word)) from None

    def block_end(self, opening: int) -> int:
        """The place of the brace that closes the one at ``opening``."""
        depth, place = 1, opening
        inner = self._next("{", opening + 1)
        while True:
            place = self.find("}", place + 1)
            while inner < place:
                depth += 1
                inner = self._next("{", inner + 1)
            depth -= 1
            if depth == 0:
                return place

    def _next(self, word: str, place: int) -> int:
        try:
            return self.words.index(word, place)
        except ValueError:
            return len(self.words)

    def numbers(self, first: int, last: int) -> list[float]:
        """The words from ``first`` up to ``last`` as numbers."""
        try:
            return list(map(float, self.words[first:last]))
        except ValueError:
            raise self.not_a_number(range(first, last)) from None

    def not_a_number(self, places: Iterable[int]) -> NetworkFileError:
        """The error about the first word that is none."""
        return self.unexpected(next(i for i in places if not _is_number(self.words[i])), "a number")


def blank_comments(text: str, comment: re.Pattern[str], is_comment: Callable[[str], bool]) -> str:
    """The text without its comments, line by line where it was; ``comment`` also matches quoted strings."""

    def blanked(match: re.Match[str]) -> str:
        return " " + "\n" * match[0].count("\n") if is_comment(match[0]) else match[0]

    return comment.sub(blanked, text)


def unquoted(word: str) -> str:
    """A word without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True

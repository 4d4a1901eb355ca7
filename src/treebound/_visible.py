"""Text that came from data, ready to print: it cannot move the cursor, clear the screen or hide anything."""

from __future__ import annotations

_LONGEST_NAME = 40


def visible(text: object) -> str:
    r"""Return the text on one line, with each unprintable character written as its escape.

    These are control characters, marks of writing direction, other invisible characters and lone surrogates.

    Examples
    --------
    >>> from treebound._visible import visible
    >>> print(visible("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    return "".join(character if character.isprintable() else _escape(character) for character in str(text))


def visible_lines(text: object) -> str:
    """Return the text like ``visible``, with its line breaks kept: for messages that have several lines."""
    return "\n".join(map(visible, str(text).split("\n")))


def one_line(name: object) -> str:
    """Return a name or label like ``visible``, cut if it is long."""
    shown = visible(name) or "''"
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 3]}..."


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 step``, ``2 steps``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

"""Which texts are numbers. Stricter than float(): no blanks, underscores, foreign digits or NaN.

Digits after a leading zero, and longer runs of digits than a 64-bit integer has, belong to codes such as
postcodes rather than to numbers, so they stay text.
"""

from __future__ import annotations

import re

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_NUMBER = re.compile(
    r"[+-]?(?:(?:(?:0|[1-9][0-9]{0,17})(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?|(?i:inf(?:inity)?))"
)


def is_plain_integer(text: str) -> bool:
    """Whether an integer of 64 bits would print itself exactly like this."""
    return _INTEGER.fullmatch(text) is not None and -(2**63) <= int(text) < 2**63


def parse_number(text: str) -> float | None:
    """The number that a text spells, or None."""
    return float(text) if _NUMBER.fullmatch(text) else None

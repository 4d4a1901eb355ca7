"""Numbers as spreadsheets and reports write them: 1,234.50, 12 %, $5, 1.200,50 €, (300) below zero."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from treebound.data import parse_number

_CURRENCY = "[$€£¥₹₽₩₺]|USD|EUR|GBP|CHF|JPY|CNY"
# Spaces and apostrophes separate thousands in any language, the other one of comma and point in some.
_SEPARATORS = " \u00a0\u202f'’"
_IN_PARENTHESES = re.compile(r"\((.*)\)")
#: What stands in a column of numbers where there is none.
DASHES = frozenset({"-", "\u2013", "\u2014"})


@lru_cache(maxsize=2)
def _pattern(decimal: str) -> re.Pattern[str]:
    separators = re.escape(_SEPARATORS + ("," if decimal == "." else "."))
    grouped = rf"[0-9]{{1,3}}(?P<separator>[{separators}])[0-9]{{3}}(?:(?P=separator)[0-9]{{3}})*"
    return re.compile(
        rf"(?P<sign>[+-]?)(?P<before>{_CURRENCY})?\s?(?P<later>[+-]?)"
        rf"(?P<whole>{grouped}|[0-9]*)(?:{re.escape(decimal)}(?P<fraction>[0-9]*))?"
        rf"\s?(?P<after>%|{_CURRENCY})?"
    )


def formatted_number(text: str, decimal: str) -> int | float | None:
    """The number that a text means, or None."""
    if inside := _IN_PARENTHESES.fullmatch(text.strip()):  # as accountants write what is below zero
        number = formatted_number(inside[1], decimal)
        return None if number is None or inside[1].startswith(("(", "+", "-")) else -number
    found = _pattern(decimal).fullmatch(text.strip())
    if found is None or (found["sign"] and found["later"]):
        return None
    whole = "".join(filter(str.isdigit, found["whole"]))
    if not (whole or found["fraction"]):
        return None
    number = parse_number(f"{found['sign']}{found['later']}{whole}.{found['fraction'] or '0'}")
    return int(number) if number is not None and number.is_integer() else number


def are_formatted(texts: Sequence[str], decimal: str) -> bool:
    """Whether texts are numbers of one unit, of which some are not written plainly, and perhaps dashes.

    Spaces alone do not count, which telephone numbers have too.
    """
    numbers = [text.strip() for text in texts if text.strip() not in DASHES]
    is_odd = 1 < len(numbers) < len(texts)
    units = set()
    for text in numbers:
        inside = _IN_PARENTHESES.fullmatch(text)
        found = _pattern(decimal).fullmatch(inside[1] if inside else text)
        if found is None or formatted_number(text, decimal) is None:
            return False
        units.add(found["before"] or found["after"] or "")
        is_odd = is_odd or bool(inside or units - {""}) or (found["separator"] or " ") != " "
    return is_odd and len(units - {""}) <= 1 and not {"%", ""} <= units

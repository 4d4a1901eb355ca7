"""Dates and times as text, written in one way wherever they come from.

A day is ``2024-05-31``; a time of day follows only where it is not midnight, as in ``2024-05-31 14:30:00``.
So a column of dates has the same states in a CSV file, which holds text, and in a Parquet file, which holds
times.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

_TIME = r"(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}" + _TIME)
_ZONED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]{5,18} ?(?:Z|[+-][0-9]{2}:?[0-9]{2})")
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})/([0-9]{{1,2}})/([0-9]{{1,2}})({_TIME})")
_WITH_POINTS = re.compile(rf"([0-9]{{1,2}})\.([0-9]{{1,2}})\.([0-9]{{4}})({_TIME})")


def written_date(moment: datetime.date) -> str:
    """The text of a day or a moment; moments that know their time zone keep it and their time."""
    if not isinstance(moment, datetime.datetime) or moment.tzinfo is not None:
        return str(moment)
    is_midnight = moment.time() == datetime.time() and not getattr(moment, "nanosecond", 0)
    return str(moment.date()) if is_midnight else str(moment)


def parse_date(text: str) -> str | None:
    """The date that a text spells, also as 31.5.2024 or 2024/5/31, as ``written_date`` writes it, or None."""
    if found := _WITH_POINTS.fullmatch(text):
        day, month, year, time = found.groups()
    elif found := _YEAR_FIRST.fullmatch(text):
        year, month, day, time = found.groups()
    if found:
        text = f"{year}-{month.zfill(2)}-{day.zfill(2)}{time}"
    elif not _DATE.fullmatch(text):
        return None
    try:
        # Digits that Python does not keep are those of nanoseconds.
        moment = datetime.datetime.fromisoformat(text[:26])
    except ValueError:
        return None
    rest = text[26:].rstrip("0")
    return f"{moment.isoformat(' ', 'microseconds')}{rest}" if rest else written_date(moment)


def day_of(text: str) -> datetime.date | None:
    """The day of a date or moment, also of one with a time zone; None for other texts."""
    try:
        return datetime.date.fromisoformat((parse_date(text.strip()) or text)[:10])
    except ValueError:
        return None


def is_zoned(text: str) -> bool:
    """Whether a text spells a moment with its time zone, which stays text."""
    return _ZONED.fullmatch(text.strip()) is not None and day_of(text) is not None


def parse_dates(texts: Iterable[str]) -> list[str] | None:
    """The dates that all of the texts spell, or None if one of them spells none."""
    dates = []
    for text in texts:
        date = parse_date(text)
        if date is None:
            return None
        dates.append(date)
    return dates

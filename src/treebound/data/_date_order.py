"""Dates such as 5/6/2024 and 5-6-2024, which do not show whether the day or the month comes first."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import Literal, get_args

from treebound.data._dates import written_date

#: Day, month and year in the order in which dates are written.
DateOrder = Literal["dmy", "mdy"]

_AMBIGUOUS = re.compile(
    r"([0-9]{1,2})([/-])([0-9]{1,2})\2([0-9]{4})"
    r"(?:,?[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?: ?([AaPp])[Mm])?)?"
)


def check_date_order(order: object) -> None:
    """Reject anything but the two orders and None."""
    if order is not None and order not in get_args(DateOrder):
        raise ValueError(f"date_order must be 'dmy', 'mdy' or None, got {order!r}.")


def date_in_order(text: str, order: DateOrder) -> str | None:
    """The date that a text spells in an order, as ``written_date`` writes it; None for other texts."""
    found = _AMBIGUOUS.fullmatch(text)
    if found is None:
        return None
    first, _, second, year, hours, minutes, seconds, half = found.groups(default="")
    day, month = (first, second) if order == "dmy" else (second, first)
    try:
        clock = (_hour(hours, half.lower()), int(minutes or 0), int(seconds or 0))
        return written_date(datetime.datetime(int(year), int(month), int(day), *clock))
    except ValueError:
        return None


def possible_orders(texts: Iterable[str]) -> list[DateOrder]:
    """The orders in which all texts are dates: none for other texts, two where no day is above 12."""
    orders: list[DateOrder] = list(get_args(DateOrder))
    for text in texts:
        orders = [order for order in orders if date_in_order(text, order) is not None]
        if not orders:
            break
    return orders


def _hour(text: str, half: str) -> int:
    """The hour of the day; ``half`` is a before noon and p after it, on clocks of twelve hours."""
    hour = int(text or 0)
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"a clock of twelve hours has no hour {hour}.")
    return hour % 12 + (12 if half == "p" else 0)

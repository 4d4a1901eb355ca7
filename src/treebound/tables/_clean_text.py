"""Cells of text as they are meant: without whitespace around them, numbers written plainly, one spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treebound.data import date_in_order, parse_number
from treebound.tables._formatted_numbers import DASHES, formatted_number
from treebound.tables._spellings import unified

if TYPE_CHECKING:
    from treebound.data import DateOrder, Value
    from treebound.tables._table import Column

_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+,")


def with_point(text: str) -> str:
    """A number with a decimal comma as one with a point; any other text as it is."""
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text) else text


def is_decimal_comma(values: Sequence[object]) -> bool:
    """Whether texts are numbers of which some have a decimal comma that does not part thousands."""
    texts = [value for value in values if isinstance(value, str)]
    with_comma = [text for text in texts if _DECIMAL_COMMA.fullmatch(text)]
    if not with_comma or len(texts) < len(values):
        return False
    if any(parse_number(with_point(text)) is None for text in texts):
        return False
    return any(len(text.partition(",")[2]) != 3 for text in with_comma)


def mixed_decimals(values: Sequence[object]) -> str | None:
    """A number with a point among numbers with a decimal comma, if that is what texts are."""
    texts = [value for value in values if isinstance(value, str)]
    points = [text for text in texts if "." in text]
    has_comma = any(map(_DECIMAL_COMMA.fullmatch, texts))
    if not points or not has_comma or any(parse_number(with_point(text)) is None for text in texts):
        return None
    return points[0]


@dataclass(frozen=True)
class Cleaning:
    """How the texts of one column are read: without whitespace, as numbers, as dates, or by one spelling.

    ``words`` are the words that stand for short forms, as ``unified`` takes them; None keeps spellings apart.
    ``date_order`` is that of dates such as 5/6/2024; None leaves them as they are.
    """

    strip: bool = False
    decimal: str = "."
    is_number: bool = False
    words: Mapping[str, str] | None = None
    date_order: DateOrder | None = None

    def __bool__(self) -> bool:
        return self != Cleaning()

    def clean(self, value: Value | None) -> Value | None:
        """A value as it is meant."""
        if not isinstance(value, str):
            return value
        text = value.strip() if self.strip else value
        if self.words is not None:
            text = unified(text, self.words)
        if self.is_number and text.strip() in DASHES:
            return None
        if self.is_number and (number := formatted_number(text, self.decimal)) is not None:
            return number
        if self.date_order and (date := date_in_order(text.strip(), self.date_order)) is not None:
            return date
        return with_point(text) if self.decimal == "," else text


def cleaned(column: Column, cleaning: Cleaning) -> Column:
    """The column with its texts as they are meant; those that then are the same become one value."""
    values: list[Value | None] = list(map(cleaning.clean, column.values))
    if values == list(column.values) or column.is_declared:
        return column
    keys = [(type(value), value) for value in values]
    position = {key: code for code, key in enumerate(dict.fromkeys(keys))}
    recode = np.array([position[key] for key in keys], dtype=np.int64)
    return type(column)(recode[column.codes], [value for _, value in position])

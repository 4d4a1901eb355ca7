"""Cells of text as they are meant: without blanks around them, and with a point in decimal numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treebound.data._numbers import parse_number

if TYPE_CHECKING:
    from treebound.data._table import Column
    from treebound.data._variable import Value

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


def cleaned(column: Column, *, strip: bool, decimal: str) -> Column:
    """The column with its texts as they are meant; those that then are the same become one value."""
    values: list[Value | None] = [_clean(value, strip, decimal) for value in column.values]
    if values == list(column.values) or column.is_declared:
        return column
    keys = [(type(value), value) for value in values]
    position = {key: code for code, key in enumerate(dict.fromkeys(keys))}
    recode = np.array([position[key] for key in keys], dtype=np.int64)
    return type(column)(recode[column.codes], [value for _, value in position])


def _clean(value: Value | None, strip: bool, decimal: str) -> Value | None:
    if not isinstance(value, str):
        return value
    text = value.strip() if strip else value
    return with_point(text) if decimal == "," else text

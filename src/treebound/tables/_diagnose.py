"""What looks odd about a column: keys, constants, marks of missing values, numbers that are written as text.

A suspicion is a hint, not an error: it names the fix, in Python and on the command line. Those of the kinds
in ``DROPPED`` and ``REREAD`` are fixed by ``auto``, since nothing is lost by it that could be learned from.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound.data import (
    DateOrder,
    Domain,
    Value,
    domain_of,
    is_zoned,
    label_of,
    parse_number,
    possible_orders,
)
from treebound.tables._clean_text import is_decimal_comma, with_point
from treebound.tables._formatted_numbers import DASHES, are_formatted, formatted_number
from treebound.tables._infer_column import MIN_ROWS_OF_KEYS
from treebound.tables._spellings import are_spelled_twice, unified, words_of
from treebound.tables._table import Column, ColumnError, Table

#: A column with one of these is dropped by ``auto``.
DROPPED = ("empty", "mostly missing", "constant", "identifier", "copy")
#: A table with one of these is read in another way by ``auto``.
REREAD = (
    "marks",
    "unit",
    "sentinel",
    "blanks",
    "decimal",
    "numbers",
    "decimal numbers",
    "spellings",
    "date order",
    "dates",
)

# Texts that are hardly ever values. A bare - may stand next to +, and None is the name of a state.
MARKS = frozenset(
    {
        "",
        "?",
        "??",
        "N/A",
        "n/a",
        "n.a.",
        "k.A.",
        "#N/A",
        "NULL",
        "<NA>",
        "NA",
        "NaN",
        "nan",
        "null",
        "--",
        ".",
    }
    | {"#DIV/0!", "#NAME?", "#NUM!", "#REF!", "#VALUE!"}  # of spreadsheets
)
_MOSTLY = 0.5
_FEW_VALUES = 256  # a wide table of numbers that all differ would not fit into memory as Python objects
_NINES = re.compile(r"-?99+")
_FEWEST_NUMBERS = 4
_MANY_DATES = 12
_LOWEST_SENTINEL = 99  # above which numbers are seldom the largest of a scale
_SLASHED = re.compile(r"[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{2}){1,2}(?: .*)?")  # years of two digits, zones
_NAMES_OF_KEYS = re.compile(r"(?i)(?:.*[ _.-])?(?:id|uid|uuid|guid|pk|mrn|ssn|key|index|rownum|row)")


class Suspect(NamedTuple):
    """Something odd about a column, in words, with the fix in Python and on the command line."""

    kind: str
    message: str
    python: str
    option: str
    marks: tuple[str, ...] = ()
    date_order: DateOrder | None = None


@dataclass(frozen=True)
class ColumnProfile:
    """What one pass over a column finds; ``kind`` is what its values are.

    It is small: bits mark the missing cells, equal digests duplicate columns, and only a domain of few values
    is kept.
    """

    name: str
    kind: str
    num_values: int = 0
    num_missing: int = 0
    entropy: float = 0.0
    suspects: tuple[Suspect, ...] = ()
    domain: Domain | None = None
    digest: bytes = b""
    missing_bits: NDArray[np.uint8] | None = None

    @classmethod
    def of(cls, table: Table, index: int, max_states: int) -> ColumnProfile:
        """Read a column and profile it."""
        name = table.names[index]
        try:
            column = table.read(index)
        except ColumnError as error:
            return cls(name, f"unreadable ({error.message})")
        values, counts = column.counted()
        domain = domain_of(values, is_text=table.is_text)
        missing = column.missing_rows()
        return cls(
            name,
            "empty" if not values else "category" if column.is_declared else domain.kind,
            int(np.count_nonzero(counts)),
            len(missing),
            entropy(counts),
            tuple(_suspected(table, name, column, domain, len(missing), max_states)),
            domain if len(values) <= _FEW_VALUES else None,
            hashlib.blake2b(same_rows(column), digest_size=16).digest(),
            _bits(missing, table.num_rows) if 0 < len(missing) < table.num_rows else None,
        )

    def missing_rows(self, num_rows: int) -> NDArray[np.intp]:
        """Rows without a value, unless all of them are."""
        bits = np.zeros(0, dtype=np.uint8) if self.missing_bits is None else self.missing_bits
        return np.flatnonzero(np.unpackbits(bits, count=num_rows if len(bits) else 0))


def profiles_of(table: Table, max_states: int) -> list[ColumnProfile]:
    """Profile every column."""
    return [ColumnProfile.of(table, index, max_states) for index in range(len(table.names))]


def with_duplicates(profiles: Sequence[ColumnProfile], besides: Collection[int] = ()) -> list[ColumnProfile]:
    """The profiles, of which some besides say that they are the same as an earlier one."""
    found, seen = [], dict[bytes, str]()
    for index, profile in enumerate(profiles):
        if profile.num_values > 1 and index not in besides:
            original = seen.setdefault(profile.digest, profile.name)
            if original != profile.name:
                profile = replace(profile, suspects=(*profile.suspects, copy_of(profile.name, original)))
        found.append(profile)
    return found


def _bits(rows: NDArray[np.intp], num_rows: int) -> NDArray[np.uint8]:
    is_missing = np.zeros(num_rows, dtype=np.bool_)
    is_missing[rows] = True
    return np.packbits(is_missing)


def entropy(counts: NDArray[np.integer[Any]]) -> float:
    """The entropy of frequencies in bits."""
    share = np.asarray(counts, dtype=np.float64)
    share = share[share > 0] / max(1.0, float(share.sum()))
    return float(-(share * np.log2(share)).sum()) + 0.0


def copy_of(name: str, original: str) -> Suspect:
    """The suspicion that a column duplicates another."""
    return Suspect(
        "copy",
        f"duplicates {original!r} in every row",
        f"drop=[{name!r}]",
        f"--drop {shlex.quote(name)}",
    )


def suspected_names(table: Table, profiles: Sequence[ColumnProfile]) -> tuple[Suspect, ...]:
    """The suspicion that the names of a text file are a row: columns of numbers are called by numbers.

    Frames without names are written with 0, 1, and so on, which are names.
    """
    is_counted = table.names == tuple(map(str, range(len(table.names))))
    names = [one.name for one in profiles if one.kind in ("integer", "float")]
    if not table.is_text or is_counted or not names or any(parse_number(name) is None for name in names):
        return ()
    return (Suspect("names", "columns of numbers are called by numbers", "header=False", "--no-header"),)


def same_rows(column: Column) -> bytes:
    """The rows of a column up to the names of its values: equal for duplicate columns.

    That says nothing about columns in which all rows differ, so these are taken by their values.
    """
    if len(column.values) == len(column.codes):
        return "\0".join(map(str, (column.values[code] for code in column.codes.tolist()))).encode()
    _, first, codes = np.unique(column.codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[codes].tobytes()


def _suspected(
    table: Table, name: str, column: Column, domain: Domain, num_missing: int, max_states: int
) -> list[Suspect]:
    drop = (f"drop=[{name!r}]", f"--drop {shlex.quote(name)}")
    values = domain.values
    if not values:
        return [Suspect("empty", "no row has a value", *drop)]
    found = []
    if num_missing > _MOSTLY * table.num_rows:
        found.append(
            Suspect("mostly missing", f"{num_missing / table.num_rows:.0%} of its cells are missing", *drop)
        )
    if len(values) == 1 and not column.is_declared:
        found.append(Suspect("constant", f"always {str(values[0])!r}", *drop))
    odd = [] if column.is_declared else _odd_texts(table, name, values, _unit(column))
    message = _identifier(table, name, column, domain, table.num_rows - num_missing, max_states)
    if message and not _hide_numbers(odd, values):
        ambiguous = [suspect for suspect in odd if suspect.kind == "ambiguous dates"]
        message = f"{ambiguous[0].message}; choose by date_order (--date-order)" if ambiguous else message
        found.append(Suspect("identifier", message, *drop))
    if not column.is_declared:
        found += [*odd, *_sentinels(domain), *_dates(name, domain)]
    return found


def _hide_numbers(odd: Sequence[Suspect], values: Sequence[Value]) -> bool:
    """Whether texts are numbers once they are read as suspected, which are no key for being many."""
    kinds = {suspect.kind for suspect in odd}
    if "unit" in kinds:
        return True
    if "marks" in kinds and all(parse_number(str(value)) is not None for value in _without_marks(values)):
        return True
    return not kinds.isdisjoint({"numbers", "decimal numbers"})


def _identifier(
    table: Table, name: str, column: Column, domain: Domain, num_known: int, max_states: int
) -> str | None:
    """Why a column names its rows, if it does."""
    num_values = len(domain.values)
    is_text = domain.kind in ("text", "date") and not is_decimal_comma(_without_marks(domain.values))
    if column.is_declared or _spells_numbers(table, domain):
        return None
    if num_values == num_known >= MIN_ROWS_OF_KEYS:
        if is_text:
            return "all rows differ"
        if domain.is_numeric and not len(domain.real()) and not len(domain.infinite()):
            numbers = domain.numbers
            if numbers.max() - numbers.min() == num_values - 1:
                return "counts the rows"
            if _NAMES_OF_KEYS.fullmatch(name):
                return "all rows differ, and it is called like a key"
    if is_text and num_values > max_states:
        if all(_SLASHED.fullmatch(str(value)) for value in _without_marks(domain.values)):
            return f"{num_values:,} dates such as {domain.values[0]}, read as text; write them as 2024-05-31"
        return f"{num_values:,} different {'dates' if domain.kind == 'date' else 'texts'}"
    return None


def _unit(column: Column) -> str | None:
    """The text of the first row, if it occurs once and all others are numbers: a unit below the names."""
    first = column.values[int(column.codes[0])] if len(column.codes) else None
    values, counts = column.counted()
    others = [value for value in values if value != first]
    if not isinstance(first, str) or first.strip() in MARKS or len(others) < _FEWEST_NUMBERS:
        return None
    if _spells_number(first) or counts[values.index(first)] > 1:
        return None
    return first if all(map(_spells_number, _without_marks(others))) else None


def _spells_number(value: Value) -> bool:
    """Whether a text is a number in some way of writing it, or a dash in place of one."""
    texts = (value, with_point(value)) if isinstance(value, str) else ()
    if any(parse_number(text) is not None or text.strip() in DASHES for text in texts):
        return True
    return any(formatted_number(text, sign) is not None for text in texts[:1] for sign in ".,")


def _odd_texts(table: Table, name: str, values: Sequence[Value], unit: str | None) -> list[Suspect]:
    """What texts seem to mean that they do not say."""
    if unit is not None:
        rest = _odd_texts(table, name, [value for value in values if value != unit], None)
        message = f"numbers below {unit!r}, which may be their unit"
        fix = (f"na_values=[{unit!r}]", f"--na-values {shlex.quote(unit)}")
        return [*rest, Suspect("unit", message, *fix, (unit,))]
    texts = [value for value in values if isinstance(value, str)]
    found = []
    marks = sorted(MARKS.intersection(text.strip() for text in texts))
    if marks and len(values) > 1:
        listed = ", ".join(map(repr, marks))
        options = " ".join(f"--na-values {shlex.quote(mark)}" for mark in marks)
        message = f"{listed} may stand for a missing value"
        found.append(Suspect("marks", message, f"na_values={marks!r}", options, tuple(marks)))
    if any(text != text.strip() for text in texts) or (table.is_text and name != name.strip()):
        found.append(Suspect("blanks", "whitespace around its name or values", "strip=True", "--strip"))
    if table.decimal == "." and is_decimal_comma(_without_marks(values)):
        found.append(Suspect("decimal", "numbers with a decimal comma", "decimal=','", "--decimal ,"))
    others = [text for text in texts if parse_number(text) is None]
    if others:
        found += _formatted(table, name, values) or _spellings(name, texts) or _date_order(table, values)
    if len(others) == 1 and others[0] not in MARKS and len(values) > 3:
        message = f"numbers except {others[0]!r}"
        found.append(
            Suspect(
                "one text", message, f"na_values=[{others[0]!r}]", f"--na-values {shlex.quote(others[0])}"
            )
        )
    if not table.is_text and not others and len(texts) == len(values) > 2:
        rule = f"discretise={{{name!r}: 'quantile'}}"
        found.append(
            Suspect(
                "text", "numbers that are kept as text", rule, f"--bins {shlex.quote(name + '=quantile')}"
            )
        )
    return found


def _formatted(table: Table, name: str, values: Sequence[Value]) -> list[Suspect]:
    """Numbers with thousands separators, percent or currency characters."""
    texts = _without_marks(values)
    if name in table.as_numbers or not texts or not all(isinstance(text, str) for text in texts):
        return []
    message = "numbers with thousands separators, percent or currency characters, parentheses or dashes"
    python, option = f"as_numbers=[{name!r}]", f"--as-number {shlex.quote(name)}"
    if are_formatted(list(map(str, texts)), table.decimal):
        return [Suspect("numbers", message, python, option)]
    if table.decimal == "." and are_formatted(list(map(str, texts)), ","):
        return [Suspect("decimal numbers", message, f"decimal=',', {python}", f"--decimal , {option}")]
    return []


def _spellings(name: str, texts: Sequence[str]) -> list[Suspect]:
    """One value in several spellings; those of yes and no, and of true and false, are surely one."""
    if not are_spelled_twice(texts):
        return []
    kind = "spellings" if words_of(texts) else "case"
    message = "values that differ in spelling only, such as " + ", ".join(map(repr, _one_value(texts)))
    return [Suspect(kind, message, f"unify=[{name!r}]", f"--unify {shlex.quote(name)}")]


def _date_order(table: Table, values: Sequence[Value]) -> list[Suspect]:
    """Dates of which the day or the month comes first, with the order that they have if they prove it."""
    texts = [str(value).strip() for value in _without_marks(values)]
    orders = possible_orders(texts) if texts and table.date_order is None else []
    if len(orders) == 2:
        message = f"dates such as {texts[0]}, of which the day or the month may come first"
        return [Suspect("ambiguous dates", message, "date_order='dmy' or 'mdy'", "--date-order dmy or mdy")]
    proof = next((text for text in texts if len(possible_orders([text])) == 1), "")
    return [
        Suspect(
            "date order",
            f"dates such as {proof}, of which the {'day' if order == 'dmy' else 'month'} comes first",
            f"date_order={order!r}",
            f"--date-order {order}",
            date_order=order,
        )
        for order in orders
    ]


def _one_value(texts: Sequence[str]) -> list[str]:
    """The spellings of one of the values that have several."""
    words, by_value = words_of(texts), dict[str, list[str]]()
    for text in sorted(texts):
        by_value.setdefault(unified(text, words), []).append(text)
    return max(by_value.values(), key=len)[:3]


def _dates(name: str, domain: Domain) -> list[Suspect]:
    """Many dates, of which the parts say more than the days."""
    if len(domain.values) <= _MANY_DATES:
        return []
    if domain.kind != "date" and not all(isinstance(one, str) and is_zoned(one) for one in domain.values):
        return []
    message = f"{len(domain.values):,} dates, of which year, month and weekday can be columns"
    python = f"date_parts={{{name!r}: ['year', 'month', 'weekday']}}"
    return [Suspect("dates", message, python, f"--date-parts {shlex.quote(name)}")]


def _sentinels(domain: Domain) -> list[Suspect]:
    """Numbers such as -999 that lie further from all others than those lie from each other.

    ``marks`` are those below zero: a scale may have a largest number of nines.
    """
    numbers = np.unique(domain.numbers) if domain.is_numeric else np.zeros(0)
    if len(numbers) < _FEWEST_NUMBERS or not np.isfinite(numbers).all():
        return []
    low, high = numbers[0], numbers[-1]
    found = [low] if low < 0 and numbers[1] - low > high - numbers[1] else []
    found += [high] if high > _LOWEST_SENTINEL and high - numbers[-2] > numbers[-2] - low else []
    return [
        Suspect(
            "sentinel",
            f"{label} may stand for a missing value",
            f"na_values=[{label!r}]",
            f"--na-values {label}",
            _spelled_as(label, domain.values) if label.startswith("-") else (),
        )
        for label in map(label_of, map(float, found))
        if _NINES.fullmatch(label)
    ]


def _spelled_as(label: str, values: Sequence[Value]) -> tuple[str, ...]:
    """The texts of a number, such as -999 and -999.0."""
    number = parse_number(label)
    return tuple(text for text in map(label_of, values) if parse_number(text) == number)


def _without_marks(values: Sequence[Value]) -> list[Value]:
    return [value for value in values if not isinstance(value, str) or value.strip() not in MARKS]


def _spells_numbers(table: Table, domain: Domain) -> bool:
    """Whether the texts of a frame all spell numbers."""
    if table.is_text or domain.kind != "text":
        return False
    return all(isinstance(value, str) and parse_number(value) is not None for value in domain.values)

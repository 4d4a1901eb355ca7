"""What was done with a table before it was encoded: kept beside the schema, in files too, and printed.

The reading options are used again for later tables, so that a mark of missing values, or a decimal comma, has
to be named once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from treebound._arguments import check_integer, check_type
from treebound._description import Described, Description, Table

Done = Literal["kept", "cut", "dropped"]
_MOST_LISTED = 3
_MOST_SHOWN = 40
_READING: Mapping[str, tuple[type, str]] = {
    "na_values": (list, "a list of texts"),
    "decimal": (str, "a text"),
    "strip": (bool, "true or false"),
    "as_numbers": (list, "a list of names"),
    "unify": (dict, "an object"),
    "date_parts": (dict, "an object"),
    "encoding": (str, "a text"),
}


@dataclass(frozen=True)
class ColumnNote:
    """What was done with one column of a table, and why or how."""

    name: str
    done: Done
    words: str

    def __post_init__(self) -> None:
        check_type("the name of a column", self.name, str, "a text")
        check_type("what was done with a column", self.words, str, "a text")
        if self.done not in get_args(Done):
            raise ValueError(f"what was done must be one of {', '.join(get_args(Done))}, got {self.done!r}.")


@dataclass(frozen=True)
class Preparation(Described):
    """Notes on the columns that were cut or dropped, and on those that were kept although they look odd.

    ``rows_dropped`` is the number of rows that were left out since they lack values, and ``reading`` holds
    those of the reading options that differ from their defaults and hold for later tables too.

    ``num_rows``, those of the table before any was left out, and ``lacking``, how many of them lack a value
    by column, are told once and not kept in files.
    """

    columns: tuple[ColumnNote, ...] = ()
    rows_dropped: int = 0
    reading: Mapping[str, Any] = field(default_factory=dict)
    num_rows: int = field(default=0, compare=False)
    lacking: Mapping[str, int] = field(default_factory=dict, compare=False)

    def __bool__(self) -> bool:
        return bool(self.columns or self.rows_dropped or self.reading)

    def describe(self) -> Description:
        """Return what was done with each column, and the remarks."""
        rows = [[note.name, note.done, note.words] for note in self.columns[:_MOST_SHOWN]]
        table = Table(["column", "done", "how or why"], rows, len(self.columns) - len(rows))
        return Description("", tables=[table] if rows else [], notes=self.remarks)

    @property
    def summary(self) -> str:
        """How many columns and rows were dropped or binned, in a few words."""
        dropped, cut = (sum(note.done == done for note in self.columns) for done in ("dropped", "cut"))
        counts = ((dropped, "columns dropped"), (cut, "columns binned"), (self.rows_dropped, "rows dropped"))
        return ", ".join(f"{words}: {number:,}" for number, words in counts if number)

    def reason_dropped(self, name: str) -> str | None:
        """Why a column was dropped; None for other names."""
        return next(
            (note.words for note in self.columns if (note.name, note.done) == (name, "dropped")), None
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done with the whole table, in sentences without an end."""
        remarks = []
        if self.rows_dropped:
            remarks.append(self._rows_in_words())
        if "na_values" in self.reading:
            marks = ", ".join(map(repr, self.reading["na_values"])) or "nothing"
            remarks.append(f"read as missing: {marks}")
        if "decimal" in self.reading:
            remarks.append(f"decimal sign: {self.reading['decimal']!r}")
        if self.reading.get("strip"):
            remarks.append("blanks around cells taken away")
        if "as_numbers" in self.reading:
            remarks.append(f"formatted numbers: {', '.join(map(repr, self.reading['as_numbers']))}")
        if "unify" in self.reading:
            remarks.append(f"one spelling for each value: {', '.join(map(repr, self.reading['unify']))}")
        for name, parts in self.reading.get("date_parts", {}).items():
            remarks.append(f"{name!r} is a date, replaced by its {', '.join(parts)}")
        if "encoding" in self.reading:
            remarks.append(f"encoding: {self.reading['encoding']}")
        return tuple(remarks)

    def _rows_in_words(self) -> str:
        noun = "row that lacks" if self.rows_dropped == 1 else "rows that lack"
        words = f"{self.rows_dropped:,} {noun} a value left out"
        if not self.num_rows:
            return words
        most = sorted(self.lacking.items(), key=lambda column: -column[1])
        listed = ", ".join(f"{name!r} in {lacks:,}" for name, lacks in most[:_MOST_LISTED])
        more = f" and {len(most) - _MOST_LISTED:,} more" if len(most) > _MOST_LISTED else ""
        return f"{words}, of {self.num_rows:,}; missing: {listed}{more}"

    def to_json(self) -> dict[str, Any]:
        """A plain dict that ``from_json`` turns back into an equal record."""
        return {
            "columns": [asdict(note) for note in self.columns],
            "rows_dropped": self.rows_dropped,
            "reading": dict(self.reading),
        }

    @classmethod
    def from_json(cls, fields: Any) -> Preparation:
        """The record that ``to_json`` wrote."""
        check_type("preparation", fields, dict, "an object")
        reading = fields["reading"]
        check_type("reading", reading, dict, "an object")
        for name, value in reading.items():
            if name not in _READING:
                raise ValueError(f"reading has no option {name!r}.")
            kind, expected = _READING[name]
            check_type(name, value, kind, expected)
        for option in ("na_values", "as_numbers"):
            for text in reading.get(option, ()):
                check_type(f"each of {option}", text, str, "a text")
        for parts in reading.get("date_parts", {}).values():
            check_type("each of date_parts", parts, list, "a list of texts")
            for part in parts:
                check_type("each part of a date", part, str, "a text")
        for words in reading.get("unify", {}).values():
            check_type("each of unify", words, dict, "an object")
            for word in words.values():
                check_type("each word of unify", word, str, "a text")
        notes = tuple(ColumnNote(**note) for note in fields["columns"])
        return cls(notes, check_integer("rows_dropped", fields["rows_dropped"], 0), reading)

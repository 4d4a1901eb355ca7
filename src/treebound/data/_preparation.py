"""What was done with a table before it was encoded: kept with the schema, in files too, and printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from treebound._arguments import check_integer, check_type
from treebound._description import Described, Description, Table
from treebound._visible import counted
from treebound.data._reading import Reading

Done = Literal["kept", "binned", "dropped"]
_MOST_LISTED = 3
_MOST_SHOWN = 40


@dataclass(frozen=True)
class ColumnNote:
    """What was done with one column of a table, and why or how."""

    name: str
    done: Done
    words: str

    def __post_init__(self) -> None:
        check_type("the name of a column", self.name, str, "a string")
        check_type("what was done with a column", self.words, str, "a string")
        if self.done not in get_args(Done):
            raise ValueError(f"what was done must be one of {', '.join(get_args(Done))}, got {self.done!r}.")


@dataclass(frozen=True)
class Preparation(Described):
    """How a table was read, and notes on what was done with its columns and rows.

    ``reading`` applies to later tables too, and is what equality compares. The rest is history: notes on the
    columns that were binned or dropped, or kept although they look odd; ``rows_dropped``, the number of rows
    dropped for missing values; ``num_rows``, those of the table before, and ``missing``, how many of them
    have no value, by column, which are not kept in files.
    """

    reading: Reading = field(default_factory=Reading)
    columns: tuple[ColumnNote, ...] = field(default=(), compare=False)
    rows_dropped: int = field(default=0, compare=False)
    num_rows: int = field(default=0, compare=False)
    missing: Mapping[str, int] = field(default_factory=dict, compare=False)

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
        counts = {
            f"columns {done}": sum(note.done == done for note in self.columns)
            for done in ("dropped", "binned")
        }
        counts["rows dropped"] = self.rows_dropped
        return ", ".join(f"{message}: {number:,}" for message, number in counts.items() if number)

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
            remarks.append(rows_in_words("dropped", self.rows_dropped, self.num_rows, self.missing))
        return (*remarks, *self.reading.remarks)

    def to_json(self) -> dict[str, Any]:
        """A plain dict that ``from_json`` turns back into an equal record."""
        return {
            "columns": [asdict(note) for note in self.columns],
            "rows_dropped": self.rows_dropped,
            "reading": self.reading.to_json(),
        }

    @classmethod
    def from_json(cls, fields: Any) -> Preparation:
        """The record that ``to_json`` wrote."""
        check_type("preparation", fields, dict, "an object")
        notes = tuple(ColumnNote(**note) for note in fields["columns"])
        dropped = check_integer("rows_dropped", fields["rows_dropped"], 0)
        return cls(Reading.from_json(fields["reading"]), notes, dropped)


def rows_in_words(done: str, number: int, num_rows: int, missing: Mapping[str, int]) -> str:
    """What was done with rows with missing values; which columns have most of these, if known."""
    message = f"{done} {counted(number, 'row')} with missing values"
    if not num_rows:
        return message
    most = sorted(missing.items(), key=lambda column: -column[1])
    listed = ", ".join(f"{name!r} in {count:,}" for name, count in most[:_MOST_LISTED])
    more = f" and {len(most) - _MOST_LISTED:,} more" if len(most) > _MOST_LISTED else ""
    return f"{message}, of {num_rows:,}; missing: {listed}{more}"

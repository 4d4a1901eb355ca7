"""Which columns and rows of a table are used: those requested, less what is dropped.

The written index of a frame is always omitted. With ``auto``, so are columns that say nothing or nothing
new, dates are replaced by their parts, missing-value markers are read as such, and rows with missing
values are dropped while half of them stay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_type
from treebound._visible import visible
from treebound.data import (
    MAX_STATES,
    ColumnNote,
    DataError,
    Missing,
    Plan,
    Preparation,
    Problem,
    Rules,
    check_missing,
    label_of,
    not_found,
)
from treebound.tables._date_parts import informative_parts, with_date_parts
from treebound.tables._diagnose import DROPPED, REREAD, ColumnProfile, Suspect, profiles_of, with_duplicates
from treebound.tables._missing_rows import MIN_ROWS, check_left, few_complete, least_rows, missing_cells
from treebound.tables._spellings import words_of
from treebound.tables._table import ColumnError, Table


@dataclass(frozen=True)
class Choices:
    """The options of ``load`` that say what is done with the columns and rows of a table."""

    discretise: Rules = None
    drop: Collection[str] = ()
    only: Collection[str] | None = None
    auto: bool = False
    missing: Missing = "error"
    missing_state: Collection[str] | bool = ()
    max_states: int = 256

    def __post_init__(self) -> None:
        check_integer("max_states", self.max_states, 2, MAX_STATES)
        check_type("auto", self.auto, bool, "True or False")
        check_missing(self.missing)
        check_names("drop", self.drop)
        if self.only is not None:
            check_names("only", self.only)
        if not isinstance(self.missing_state, bool):
            check_names("missing_state", self.missing_state)

    @property
    def with_missing_state(self) -> Collection[str]:
        """The columns named as having a state for missing cells."""
        return () if isinstance(self.missing_state, bool) else self.missing_state

    def is_missing_a_state(self, name: str) -> bool:
        """Whether a missing cell in this column is a state."""
        return self.missing_state is True or name in self.with_missing_state


def check_names(option: str, names: Collection[str]) -> None:
    """Reject what is not a collection of names."""
    if isinstance(names, str):
        raise TypeError(
            f"{option} must be a collection of names, such as [{names!r}], got the text {names!r}."
        )
    check_type(option, names, Collection, "a collection of names")
    for name in names:
        check_type(f"each of {option}", name, str, "a name")


@dataclass(frozen=True)
class Prepared:
    """The part of a table that is used, how its numbers are cut, and what was done so far.

    States and bins come from all rows of the ``table``; only ``rows`` are counted, all of them if it is None.
    ``positions`` are those of its columns in the whole table, whose ``profiles`` are known with ``auto``, and
    ``dropped`` says why others are dropped.
    ``problems`` say why rows with missing values could not be dropped.
    """

    table: Table
    plan: Plan
    done: Preparation
    positions: tuple[int, ...]
    dropped: Mapping[int, str]
    profiles: Sequence[ColumnProfile] | None = None
    rows: NDArray[np.intp] | None = None
    allow_missing: bool = False
    problems: tuple[Problem, ...] = ()

    def profile(self, index: int) -> ColumnProfile | None:
        """The profile of a column, if it is known."""
        return None if self.profiles is None else self.profiles[self.positions[index]]

    def check_columns(self) -> None:
        """Raise an error if no column is left."""
        if not self.positions:
            reasons = ", ".join(f"{note.name!r} ({note.words})" for note in self.done.columns[:5])
            message = f"no column is left; dropped: {reasons}"
            raise DataError([Problem("no column", message)], self.table.source)


def prepare(table: Table, choices: Choices, *, allow_missing: bool = False) -> Prepared:
    """Drop columns, and rows unless missing values are allowed."""
    table.check(MIN_ROWS)
    plan = Plan.of(choices.discretise, table.names, table.source)
    dropped, profiles = _not_requested(table, choices), None
    if choices.auto:
        plan = plan.automatic()
        table, profiles = _reread(table, choices)
        dropped = _not_requested(table, choices)  # again: dates have become several columns
        dropped = _useless(profiles, choices, dropped, table.num_rows) | dropped
    positions = [index for index in range(len(table.names)) if index not in dropped]
    notes = tuple(
        ColumnNote(table.names[i] or "(no name)", "dropped", why) for i, why in sorted(dropped.items())
    )
    used = table.select(positions)
    prepared = Prepared(
        used,
        plan,
        Preparation(replace(table.reading, missing=choices.missing), notes, num_rows=used.num_rows),
        tuple(positions),
        dropped,
        profiles,
        allow_missing=allow_missing or choices.missing == "keep",
    )
    if prepared.allow_missing or not (choices.auto or choices.missing == "drop"):
        return prepared
    return _counting_complete_rows(prepared, choices)


def _counting_complete_rows(prepared: Prepared, choices: Choices) -> Prepared:
    """Count complete rows only; all of them if most would go, with the reason, unless they must."""
    table, done = prepared.table, prepared.done
    num_missing, missing = missing_cells(table, prepared.profile, choices.is_missing_a_state)
    rows = np.flatnonzero(num_missing == 0)
    if len(rows) == table.num_rows:
        return prepared
    done = replace(done, missing=missing)
    if choices.missing != "drop" and len(rows) < least_rows(table.num_rows):
        return replace(prepared, done=done, problems=few_complete(table, num_missing, missing, done.columns))
    check_left(len(rows), table.num_rows, table.source)
    reading = replace(done.reading, missing="drop")
    done = replace(done, reading=reading, rows_dropped=table.num_rows - len(rows))
    return replace(prepared, done=done, rows=rows, allow_missing=True)


def _reread(table: Table, choices: Choices) -> tuple[Table, list[ColumnProfile]]:
    """The table with texts read as what they seem to be, and the profiles of its columns.

    Dates come last: markers of missing values hide them until they are read as such.
    """
    profiles = profiles_of(table, choices.max_states)
    again = _read_as_suspected(table, profiles)
    if again is not table:
        profiles = profiles_of(again, choices.max_states)
    dates = [one.name for one in profiles if any(suspect.kind == "dates" for suspect in one.suspects)]
    divided = _with_parts_of_dates(again, dates, choices)
    return divided, profiles if divided is again else profiles_of(divided, choices.max_states)


def _read_as_suspected(table: Table, profiles: Sequence[ColumnProfile]) -> Table:
    """The table with texts read as missing values, numbers, one spelling, or dates whose order is proved."""
    found: dict[str, list[tuple[str, Suspect]]] = {kind: [] for kind in REREAD}
    for profile in profiles:
        for suspect in profile.suspects:
            if suspect.kind in found:
                found[suspect.kind].append((profile.name, suspect))
    if found["blanks"]:
        table = table.reread(strip=True)
    if found["decimal"] or found["decimal numbers"]:
        table = table.reread(decimal=",")
    marks = {mark for _, suspect in found["marks"] + found["unit"] for mark in suspect.marks}
    if marks := marks | _sentinels(profiles):
        table = table.reread(na_values=table.na_values | marks)
    if formatted := [name for name, _ in found["numbers"] + found["decimal numbers"]]:
        table = table.reread(as_numbers=table.as_numbers.union(map(str.strip, formatted), formatted))
    if spelled := [name for name, _ in found["spellings"]]:
        names = [name if name in table.names else name.strip() for name in spelled]
        table = table.reread(unify={**table.unify, **unified_columns(table, names)})
    orders = {suspect.date_order for _, suspect in found["date order"]}
    if len(orders) == 1:
        table = table.reread(date_order=orders.pop())
    return table


def _sentinels(profiles: Sequence[ColumnProfile]) -> set[str]:
    """Suspected sentinels, without those that are numbers like others in another column."""
    found: set[str] = set()
    for profile in profiles:
        found.update(mark for one in profile.suspects if one.kind == "sentinel" for mark in one.marks)
    for profile in profiles if found else ():
        own = {mark for one in profile.suspects if one.kind == "sentinel" for mark in one.marks}
        if profile.domain is not None:
            found -= set(map(label_of, profile.domain.values)) - own
    return found


def _with_parts_of_dates(table: Table, names: Collection[str], choices: Choices) -> Table:
    """The table with the parts of dates in place of columns that the caller did not name."""
    if choices.only is not None:
        return table
    named = {*choices.drop, *choices.with_missing_state, *_named(choices.discretise)}
    columns = {name: table.read(table.names.index(name)) for name in names if name not in named}
    parts = {name: parts for name, column in columns.items() if (parts := informative_parts(column))}
    if not parts:
        return table
    return replace(with_date_parts(table, parts), date_parts={**table.date_parts, **parts})


def unified_columns(table: Table, names: Collection[str]) -> dict[str, Mapping[str, str]]:
    """The words that stand for the short forms of each of some columns."""
    columns = {name: table.read(table.names.index(name)).present()[1] for name in names}
    return {name: words_of(map(str, values)) for name, values in columns.items()}


def _not_requested(table: Table, choices: Choices) -> dict[int, str]:
    """Columns that are dropped whatever they hold, and why."""
    drop = {_as_in(name, table.names) for name in choices.drop}
    only = None if choices.only is None else {_as_in(name, table.names) for name in choices.only}
    wanted = [*drop, *(only or ()), *choices.with_missing_state]
    if unknown := not_found("no such column", dict.fromkeys(wanted), table.names):
        raise DataError(unknown, table.source)
    dropped = {}
    for index, name in enumerate(table.names):
        if name in drop:
            dropped[index] = "as requested"
        elif only is not None and name not in only:
            dropped[index] = "not among those requested"
        elif index in table.index_columns and only is None:
            dropped[index] = "row numbers written with the table"
    return dropped


def _as_in(name: str, names: Collection[str]) -> str:
    """The column that is meant: names with characters that no one can type are printed with escapes."""
    return name if name in names else next((one for one in names if visible(one) == name), name)


def _useless(
    profiles: Sequence[ColumnProfile], choices: Choices, besides: Collection[int], num_rows: int
) -> dict[int, str]:
    """Columns from which nothing can be learned and that the caller did not name, with the reason."""
    named = {*(choices.only or ()), *choices.with_missing_state, *_named(choices.discretise)}
    dropped = {}
    for index, profile in enumerate(with_duplicates(profiles, besides) if num_rows > MIN_ROWS else profiles):
        reasons = [suspect.message for suspect in profile.suspects if suspect.kind in DROPPED]
        if reasons and profile.name not in named:
            dropped[index] = reasons[0]
    return dropped


def _named(rules: Rules) -> list[str]:
    """Columns that the caller named."""
    return [name for name in rules if name is not None] if isinstance(rules, Mapping) else []


def requested_columns(table: Table, choices: Choices) -> list[str]:
    """The columns that are not omitted by name."""
    dropped = _not_requested(table, choices)
    return [name for index, name in enumerate(table.names) if index not in dropped]


def complete_part(table: Table, names: Collection[str]) -> Table:
    """The rows of a part of a table that have values in all of some columns; there may be none."""
    is_incomplete = np.zeros(table.num_rows, dtype=np.bool_)
    for index, name in enumerate(table.names):
        if name in names:
            try:
                is_incomplete[table.read(index).missing_rows()] = True
            except ColumnError:
                continue  # for the reader to reject
    return table.take(np.flatnonzero(~is_incomplete)) if is_incomplete.any() else table

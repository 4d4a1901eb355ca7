"""``inspect``: what is in a table, what looks odd about it, and what ``load`` would do with each column."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from typing import Any, Unpack

import numpy as np

from treebound._description import Cell, Described, Description, Styled, Table
from treebound.data import FIXES, Problem, rows_in_words
from treebound.tables._diagnose import (
    DROPPED,
    ColumnProfile,
    Suspect,
    profiles_of,
    suspected_names,
    with_duplicates,
)
from treebound.tables._infer_column import InferredColumn
from treebound.tables._infer_schema import MANY_NUMBERS, describe_bins, describe_kept, inferred_columns
from treebound.tables._load import LOADING, choices_of, opened_of
from treebound.tables._missing_rows import MIN_ROWS, missing_cells
from treebound.tables._options import LoadingOptions, with_options
from treebound.tables._prepare import Choices, Prepared, prepare

_HEADINGS = ("column", "kind", "values", "missing", "entropy (bits)", "becomes")
_MOST_SHOWN = 200
_STYLES = {"rejected": "bold red", "dropped": "yellow", "binned": "green", "kept": "default"}
# Problems whose message says more than their kind.
_SPECIFIC = ("identifier", "key", "empty column", "target", "not numeric", "unreadable")


@dataclass(frozen=True)
class InspectedColumn:
    """One column: what its values are, how many, how many are missing, and what becomes of it.

    ``entropy`` is in bits, over the values that are there. ``becomes`` is ``"kept"``, ``"binned"``,
    ``"dropped"`` or ``"rejected"``, ``message`` says how or why, and ``num_states`` how many states it gets.
    """

    name: str
    kind: str
    num_values: int
    num_missing: int
    entropy: float
    becomes: str
    message: str
    num_states: int | None
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, repr=False)
class Inspection(Described):
    """All columns of a table in order; ``print`` shows them as a table, with fixes for the odd ones.

    ``num_incomplete`` rows with missing values are kept, which takes ``missing="keep"``.
    """

    source: str
    num_rows: int
    columns: tuple[InspectedColumn, ...]
    remarks: tuple[str, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    num_incomplete: int = 0

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> InspectedColumn:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def is_usable(self) -> bool:
        """Whether ``load`` takes the table with these options."""
        return all(column.becomes != "rejected" for column in self.columns)

    def __repr__(self) -> str:
        rejected = sum(column.becomes == "rejected" for column in self.columns)
        return f"<Inspection: {self.num_rows:,} rows, {len(self):,} columns, {rejected:,} of them rejected>"

    def describe(self, most: int | None = _MOST_SHOWN) -> Description:
        """Return a row for each of the first ``most`` columns, and what is odd."""
        columns = [_cells(column) for column in self.columns[:most]]
        tables = [Table(_HEADINGS, columns, len(self) - len(columns), right=(2, 3, 4))]
        advice = self.advice()
        if advice:
            shown = advice[:most]
            tables.append(Table(["column", "what is odd", "fix"], shown, len(advice) - len(shown)))
        title = f"{self.source}: {self.num_rows:,} rows"
        return Description(title, tables=tables, notes=self.remarks, data=self.to_dict())

    def advice(self, *, on_command: bool = False) -> list[tuple[str, str, str]]:
        """What is odd about columns that are used or rejected: name, problem and fix."""
        used = ((column.name, column.suspects) for column in self.columns if column.becomes != "dropped")
        return [
            (name, suspect.message, suspect.option if on_command else f"load(..., {suspect.python})")
            for name, suspects in (("(first line)", self.suspects), *used)
            for suspect in suspects
            if suspect.kind != "identifier" or not any("date" in other.kind for other in suspects)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``--json`` prints it."""
        columns = [
            asdict(column) | {"suspects": [_plain(suspect) for suspect in column.suspects]}
            for column in self.columns
        ]
        return {
            "source": self.source,
            "rows": self.num_rows,
            "incomplete": self.num_incomplete,
            "usable": self.is_usable,
            "columns": columns,
            "remarks": list(self.remarks),
            "suspects": [_plain(suspect) for suspect in self.suspects],
        }


@with_options(LOADING)
def inspect(table: Any, **options: Unpack[LoadingOptions]) -> Inspection:
    """Describe every column of a table and what ``load`` with the same options does to it.

    Parameters
    ----------
    table : path, frame, array, dict or Table
        As in ``load``; so are all other parameters.

    Returns
    -------
    Inspection
        Prints as a table, followed by the columns that look odd, each with the argument of ``load`` that
        fixes it. ``to_dict()`` returns the same as plain data.

    Raises
    ------
    DataError
        If the table cannot be read at all, for example because of duplicate column names.

    Examples
    --------
    >>> import treebound as tb
    >>> found = tb.inspect({"key": ["a", "b", "c"], "wet": ["no", "yes", "yes"]})
    >>> [column.name for column in found.columns]
    ['key', 'wet']
    """
    choices = choices_of(options)
    opened = opened_of(table, options)
    prepared = prepare(opened, choices)
    profiles = prepared.profiles or profiles_of(opened, choices.max_states)
    if opened.num_rows > MIN_ROWS:
        profiles = with_duplicates(profiles)
    results = {prepared.positions[index]: result for index, result in inferred_columns(prepared, choices)}
    columns = tuple(
        _column(profile, results.get(position), prepared.dropped.get(position, ""))
        for position, profile in enumerate(profiles)
    )
    suspects = suspected_names(opened, profiles)
    num_incomplete, kept = _kept(prepared, choices)
    remarks = (*kept, *prepared.done.remarks, *(problem.message for problem in prepared.problems))
    return Inspection(opened.source, opened.num_rows, columns, remarks, suspects, num_incomplete)


def _kept(prepared: Prepared, choices: Choices) -> tuple[int, list[str]]:
    """How many rows with missing values are kept, and a remark on them."""
    if choices.missing != "keep":
        return 0, []
    by_row, by_column = missing_cells(prepared.table, prepared.profile, choices.is_missing_a_state)
    number = int(np.count_nonzero(by_row))
    return number, [rows_in_words("kept", number, len(by_row), by_column)] if number else []


def _column(
    profile: ColumnProfile, result: InferredColumn | list[Problem] | None, reason: str
) -> InspectedColumn:
    facts = (profile.name, profile.kind, profile.num_values, profile.num_missing, profile.entropy)
    if result is None:
        return InspectedColumn(*facts, "dropped", reason, None, profile.suspects)
    if isinstance(result, list):
        message = "; ".join(p.message if p.kind in _SPECIFIC else FIXES[p.kind].meaning for p in result)
        return InspectedColumn(*facts, "rejected", message, None, _with_fixes(profile, result))
    states = result.variable.cardinality
    if result.rule is not None:
        return InspectedColumn(*facts, "binned", describe_bins(result), states, profile.suspects)
    message = f"{states} {'state' if states == 1 else 'states'}"
    if result.variable.has_missing_state:
        message += ", one of them for missing cells"
    suspects = profile.suspects
    is_useless = any(suspect.kind in DROPPED for suspect in suspects)
    if result.num_numbers > MANY_NUMBERS and not is_useless:
        suspects += (Suspect("many numbers", describe_kept(result), *_bins_for(profile.name)),)
    return InspectedColumn(*facts, "kept", message, states, suspects)


def _with_fixes(profile: ColumnProfile, problems: list[Problem]) -> tuple[Suspect, ...]:
    """What looks odd, and fixes for the problems that no suspicion explains."""
    fixes = {"missing": ("missing='drop'", "--missing drop"), "float": _bins_for(profile.name)}
    if profile.kind == "integer":
        fixes["identifier"] = _bins_for(profile.name)
    if any(suspect.kind in DROPPED for suspect in profile.suspects):
        fixes = {}
    return profile.suspects + tuple(
        Suspect(problem.kind, FIXES[problem.kind].meaning, *fixes[problem.kind])
        for problem in problems
        if problem.kind in fixes
    )


def _bins_for(name: str) -> tuple[str, str]:
    return f"discretise={{{name!r}: 'quantile'}}", f"--bins {shlex.quote(name + '=quantile')}"


def _plain(suspect: Suspect) -> dict[str, str]:
    return {
        "kind": suspect.kind,
        "message": suspect.message,
        "python": suspect.python,
        "option": suspect.option,
    }


def _cells(column: InspectedColumn) -> list[Cell]:
    """The row of a column in a table for people."""
    becomes = column.becomes + (f": {column.message}" if column.message else "")
    return [
        column.name or "(no name)",
        column.kind,
        f"{column.num_values:,}",
        f"{column.num_missing:,}" if column.num_missing else "",
        f"{column.entropy:.2f}",
        Styled(becomes, _STYLES[column.becomes]),
    ]

"""What is wrong with a table, said once: problems are collected, grouped by kind and reported together."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from treebound._files import shortened

MAX_LISTED = 20
# Looking for a name among 10,000 similar ones takes most of a second.
MAX_HINTS = 5

# Kind of problem -> what it means and what to do about it; the places follow as a list.
_ADVICE = {
    "missing": "missing values; fill them in or drop the rows, or say what counts as missing with "
    "load(table, na_values=[...]) or --na-values",
    "incomplete": "missing values; fill them in, or leave a row out of the counts of the families in which "
    "it lacks a value with missing='skip' or --skip-missing",
    "float": "numbers that are not whole; cut them into bins with load(table, discretise='quantile') or "
    "--discretise quantile, or take every distinct number as a state with load(table, "
    "discretise={column: None})",
    "infinite": "infinite numbers; replace them by finite ones",
    "identifier": "too many distinct values; drop or group them, or bin numbers with "
    "load(table, discretise=...) or --discretise",
    "same label": "different values that read the same; make them one value, or spell them differently",
    "type": "values that are neither text, numbers, booleans nor dates",
    "lengths": "columns that are not all of one length",
    "not numeric": "discretise= asks for bins of columns that do not hold numbers",
    "duplicate name": "column names that occur more than once",
    "no names": "all column names are numbers; the first line has to hold names",
    "empty name": "columns without a name; the first line has to name every column",
    "unseen": "values that the schema does not know",
    "absent": "columns of the schema that the table does not have",
    "unknown column": "discretise= names columns that the table does not have",
    "ragged": "rows whose number of cells differs from that of the header",
    "cardinality": "declared numbers of states and cells that do not fit them",
}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: its kind, the column where there is one, and the details in words."""

    kind: str
    message: str
    column: str | None = None

    def __str__(self) -> str:
        return self.message if self.column is None else f"{self.column!r}: {self.message}"


class DataError(ValueError):
    """A table that cannot be used; ``problems`` lists everything that was found wrong with it."""

    def __init__(self, problems: Iterable[Problem], source: str = "the table") -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__(_report(self.problems, source))

    def __reduce__(self) -> tuple[type[DataError], tuple[tuple[Problem, ...], str]]:
        return DataError, (self.problems, self.source)


def _report(problems: Sequence[Problem], source: str) -> str:
    kinds = list(dict.fromkeys(problem.kind for problem in problems))
    groups = [_report_kind(kind, [p for p in problems if p.kind == kind]) for kind in kinds]
    if len(groups) == 1:
        return f"{source}: {groups[0]}"
    return f"{source}: {len(problems)} problems\n" + "\n".join(groups)


def _report_kind(kind: str, problems: list[Problem]) -> str:
    if kind not in _ADVICE:
        return "; ".join(shortened(str(problem)) for problem in problems[:MAX_LISTED])
    lines = [f"  {shortened(str(problem))}" for problem in problems[:MAX_LISTED]]
    if len(problems) > MAX_LISTED:
        lines.append(f"  and {len(problems) - MAX_LISTED} more")
    return "\n".join([f"{_ADVICE[kind]}:", *lines])


def not_found(kind: str, names: Iterable[str], known: Sequence[str]) -> list[Problem]:
    """A problem for each name that is not known, the first ones with the closest known name."""
    among = set(known)
    unknown = [name for name in names if name not in among]
    hints = [nearest(name, known) for name in unknown[:MAX_HINTS]]
    return [
        Problem(kind, "there is none" + hint, name)
        for name, hint in zip_longest(unknown, hints, fillvalue="")
    ]


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of an error message: a question with the closest known name, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""

"""What each kind of problem with a table means, and its fix in Python, in an estimator, on the command line.

A message names only what can be done in the place where it appears: the command knows which options the verb
has, and an estimator has parameters of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Fix(NamedTuple):
    """The meaning of a kind of problem; what to do about the table itself; calls and options that fix it."""

    meaning: str
    anywhere: str = ""
    python: str = ""
    options: tuple[tuple[str, str], ...] = ()
    estimator: str = ""

    def words(self, options: Collection[str] | None, *, in_estimator: bool = False) -> str:
        """The meaning and what can be done; ``options`` are those of the command, None in Python."""
        if options is not None:
            fixes = [fix for option, fix in self.options if option in options]
        else:
            fix = self.estimator if in_estimator else self.python
            fixes = [fix] if fix else []
        ways = ([self.anywhere] if self.anywhere else []) + fixes
        return "; ".join([self.meaning, ", or ".join(ways)] if ways else [self.meaning])


# What load(auto=True) and --auto fix, as long as enough of the table is left.
FIXED_BY_AUTO = {"missing", "empty column", "float", "key", "decimal comma"}


def auto_hint(options: Collection[str] | None) -> list[str]:
    """A last line that names the one fix for all, where it applies."""
    if options is None:
        return ["load(table, auto=True) applies the safe fixes and keeps what it did in the schema."]
    return ["--auto applies the safe fixes and says which."] if "--auto" in options else []


_DROP = ("--drop", "leave them out with --drop NAME")
_COLUMNS = "name the columns to learn from with columns=[...]"

FIXES = {
    "missing": Fix(
        "missing values",
        "fill them in",
        "drop the rows that have some with load(table, missing='drop')",
        (("--missing", "drop the rows that have some with --missing drop"),),
    ),
    "few complete rows": Fix(
        "auto drops incomplete rows only while half of the rows are complete",
        "fill in the missing values",
        "drop columns with load(table, auto=True, drop=[...]), or use only the complete rows with "
        "load(table, auto=True, missing='drop')",
        (
            ("--drop", "drop columns with --drop NAME"),
            ("--missing", "use only the complete rows with --missing drop"),
        ),
    ),
    "missing state": Fix(
        "columns with the label that the state for missing cells gets",
        "rename the value",
        "read it as missing with na_values=[..., '(missing)']",
        (("--na-values", "read it as missing with --na-values '(missing)'"),),
    ),
    "empty column": Fix(
        "columns without any value, from which nothing can be estimated",
        "fill them in",
        "leave them out of what is learned with load(table, drop=[...]), where variables that are never "
        "observed are named in hidden=",
        (_DROP, ("--hidden", "drop them and name them in --hidden if they are never observed")),
        _COLUMNS,
    ),
    "nothing to count": Fix(
        "columns without any value, whose tables cannot be estimated",
        "fit to a table in which they have some",
        "name variables that are never observed in hidden=, as in hidden={'H': 4}",
        (("--hidden", "name variables that are never observed in --hidden NAME=STATES"),),
    ),
    "incomplete": Fix(
        "missing values",
        "fill them in",
        "drop the rows that have some with missing='drop'",
        (("--missing", "drop the rows that have some with --missing drop"),),
    ),
    "float": Fix(
        "non-integer numbers",
        "",
        "bin them with load(table, discretise='quantile'), or take every distinct number as a "
        "state with load(table, discretise={column: None})",
        (
            ("--bins", "bin them with --bins quantile"),
            ("--bins", "take every distinct number as a state with --bins NAME=keep"),
        ),
        "bin them with discretise='quantile'",
    ),
    "infinite": Fix("infinite numbers", "replace them by finite ones"),
    "identifier": Fix(
        "too many distinct values",
        "group them",
        "leave the columns out with load(table, drop=[...]), bin numbers with discretise=, or take "
        "all values as states with max_states=",
        (
            ("--drop", "leave the columns out with --drop NAME"),
            ("--bins", "bin numbers with --bins quantile"),
            ("--max-states", "take more values as states with --max-states N"),
        ),
        "name the columns to learn from with columns=[...], bin numbers with discretise=, or take "
        "more values as states with max_states=",
    ),
    "key": Fix(
        "columns of text in which no value occurs twice",
        "group the values",
        "leave the columns out with load(table, drop=[...])",
        (_DROP,),
        _COLUMNS,
    ),
    "same label": Fix(
        "different values that read the same",
        "make them one value, or spell them differently",
        "unify spellings such as true and TRUE with load(table, unify=[...])",
        (("--unify", "unify spellings such as true and TRUE with --unify NAME"),),
    ),
    "type": Fix("values that are neither text, numbers, booleans nor dates", "change their type"),
    "not a date": Fix(
        "parts of dates were requested for columns that do not hold dates",
        "write dates as 2024-05-31 or 31.05.2024",
        "or pass date_order='dmy' or 'mdy' for dates such as 5/6/2024",
        (("--date-order", "or pass --date-order dmy or mdy for dates such as 5/6/2024"),),
    ),
    "decimal": Fix(
        "numbers with points and with decimal commas in one column",
        "write them in one way, without a sign between thousands",
    ),
    "decimal comma": Fix(
        "numbers with a decimal comma, read as text",
        "write them with a point",
        "read them with load(table, decimal=',')",
        (("--decimal", "read them with --decimal ,"),),
    ),
    "lengths": Fix("columns that are not all of one length"),
    "not numeric": Fix("bins were requested for columns that do not hold numbers"),
    "target": Fix("targets of supervised bins that have too many values", "name another column"),
    "duplicate name": Fix("column names that occur more than once", "give each column a name of its own"),
    "no names": Fix(
        "all column names are numbers",
        "put names into the first line",
        "read it as a row with open_table(path, header=False)",
        (("--no-header", "read it as a row with --no-header"),),
    ),
    "empty name": Fix("columns without a name", "name every column in the first line"),
    "unseen": Fix(
        "values that are not known",
        options=(("--unseen", "take them for missing with --unseen missing"),),
    ),
    "absent": Fix("columns that are needed and that the table does not have"),
    "unknown column": Fix("bins were requested for columns that the table does not have"),
    "no such column": Fix("columns to drop or to keep that the table does not have"),
    "ragged": Fix(
        "rows whose number of cells differs from that of the first line",
        "fix these lines",
        "say what stands between the cells with open_table(path, delimiter=...)",
        (("--delimiter", "say what stands between the cells with --delimiter"),),
    ),
    "first line": Fix(
        "the first line does not seem to name the columns",
        "",
        "skip comments with open_table(path, comment='#'), or lines at the start with skip_rows=1",
        (
            ("--comment", "skip comments with --comment '#'"),
            ("--skip-rows", "skip lines at the start with --skip-rows"),
            ("--delimiter", "name what stands between cells with --delimiter"),
        ),
    ),
    "delimiter": Fix(
        "it reads as one column",
        "",
        "name what stands between cells, as in open_table(path, delimiter='|'), or ',' for one column",
        (("--delimiter", "name what stands between cells, as in --delimiter '|', or , for one column"),),
    ),
    "cardinality": Fix("declared numbers of states and cells that do not fit them"),
    "encoding": Fix(
        "text in another encoding",
        "",
        "name the file's encoding, as in open_table(path, encoding='latin-1')",
        (("--encoding", "name the file's encoding, as in --encoding latin-1"),),
    ),
}

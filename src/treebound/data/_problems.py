"""What is wrong with a table, said once: problems are collected, grouped by kind and reported together."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from treebound._files import shortened
from treebound._visible import visible
from treebound.data._fix_hints import FIXED_BY_AUTO, FIXES, auto_hint

MAX_LISTED = 20
# Looking for a name among 10,000 similar ones takes most of a second.
MAX_HINTS = 5
# A shorter text begins too many names to mean one of them.
_LEAST_BEGINNING = 3


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

    def __init__(
        self,
        problems: Iterable[Problem],
        source: str = "the table",
        *,
        in_estimator: bool = False,
        is_automatic: bool = False,
    ) -> None:
        self.problems = tuple(problems)
        self.source = source
        self.in_estimator = in_estimator
        self.is_automatic = is_automatic
        super().__init__(self.report())

    def __reduce__(self) -> Any:
        made = partial(DataError, in_estimator=self.in_estimator, is_automatic=self.is_automatic)
        return made, (self.problems, self.source)

    def report(self, options: Collection[str] | None = None) -> str:
        """The whole message; with ``options``, it names the options of a command that fix the problems."""
        kinds = list(dict.fromkeys(problem.kind for problem in self.problems))
        groups = [self._report_kind(kind, options) for kind in kinds]
        is_done = self.in_estimator or self.is_automatic
        if not is_done and not FIXED_BY_AUTO.isdisjoint(kinds):
            groups += auto_hint(options)
        if len(kinds) == 1:
            return f"{visible(self.source)}: " + "\n".join(groups)
        return f"{visible(self.source)}: {len(self.problems)} problems\n" + "\n".join(groups)

    def _report_kind(self, kind: str, options: Collection[str] | None) -> str:
        problems = [problem for problem in self.problems if problem.kind == kind]
        if kind not in FIXES:
            return "; ".join(shortened(visible(problem)) for problem in problems[:MAX_LISTED])
        lines = [f"  {shortened(visible(problem))}" for problem in problems[:MAX_LISTED]]
        if len(problems) > MAX_LISTED:
            lines.append(f"  and {len(problems) - MAX_LISTED} more")
        return "\n".join([FIXES[kind].words(options, in_estimator=self.in_estimator) + ":", *lines])


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
    """The end of an error message: the closest known name, or nothing."""
    close = closest(name, known)
    return "" if close is None else f"; did you mean {close!r}?"


def closest(name: str, known: Iterable[str]) -> str | None:
    """The closest known name: the same up to case and whitespace, a similar one, a longer one, or None."""
    listed = list(known)
    plain = name.strip().casefold()
    same = next((one for one in listed if one.strip().casefold() == plain), None)
    if same is not None:
        return same
    longer = [one for one in listed if len(plain) >= _LEAST_BEGINNING and one.casefold().startswith(plain)]
    return next(iter([*difflib.get_close_matches(name, listed, n=1), *longer]), None)

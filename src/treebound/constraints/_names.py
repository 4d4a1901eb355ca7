"""Variables by name, by glob, by regular expression or by the name of a group."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import translate

from treebound._arguments import shown
from treebound.data import nearest

REGULAR = "re:"  # "re:lab_[0-9]+" is a regular expression for whole names
_GLOB = re.compile(r"[*?\[]")
EVERYTHING = "*"


def patterns_of(value: object, what: str) -> tuple[str, ...]:
    """Return one or several names or patterns as a tuple of strings."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, re.Pattern):
        return (REGULAR + value.pattern,)
    if not isinstance(value, Iterable):
        raise TypeError(f"{what} must be a name, a pattern or several of them, got {shown(value)}.")
    return tuple(pattern for one in value for pattern in patterns_of(one, what))


class NameIndex:
    """The names of the variables, and the groups that stand for several of them."""

    def __init__(self, names: Sequence[str], groups: Mapping[str, tuple[str, ...]]) -> None:
        self.names = tuple(names)
        self._position = {name: number for number, name in enumerate(self.names)}
        self._groups = groups
        for group in groups:
            if group in self._position:
                raise ValueError(f"Group {group!r} has the name of a variable; rename the group.")

    def select(self, patterns: Iterable[str], what: str) -> list[int]:
        """Return the indexes of all variables that match, ascending; ValueError if a pattern matches none."""
        found: set[int] = set()
        for pattern in patterns:
            found.update(self.matches(pattern, what))
        return sorted(found)

    def matches(self, pattern: str, what: str) -> list[int]:
        """Return the indexes of the variables that match one pattern."""
        if pattern in self._groups:
            inner = NameIndex(self.names, {g: p for g, p in self._groups.items() if g != pattern})
            return inner.select(self._groups[pattern], f"group {pattern!r}")
        if pattern in self._position:
            return [self._position[pattern]]
        if not is_pattern(pattern):
            hint = nearest(pattern, [*self.names, *self._groups]) or "."
            raise ValueError(f"{what}: no variable is called {pattern!r}{hint}")
        matcher = _matcher(pattern, what)
        found = [number for number, name in enumerate(self.names) if matcher.fullmatch(name)]
        if not found:
            raise ValueError(f"{what}: no variable matches {pattern!r}; check the pattern.")
        return found

    def rank_of(self, pattern: str) -> int:
        """How specific a pattern is: 0 for a name, 1 for a pattern or group, 2 for everything."""
        return 0 if pattern in self._position else 2 if pattern == EVERYTHING else 1


def is_pattern(text: str) -> bool:
    """Whether a string is a glob or a regular expression."""
    return text.startswith(REGULAR) or _GLOB.search(text) is not None


def _matcher(pattern: str, what: str) -> re.Pattern[str]:
    if not pattern.startswith(REGULAR):
        return re.compile(translate(pattern))
    try:
        return re.compile(pattern.removeprefix(REGULAR))
    except re.error as error:
        raise ValueError(f"{what}: {pattern!r} is not a regular expression: {error}.") from None

"""The code of one value, quickly: what ``Variable.find_all`` finds, one value at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from treebound.data._variable import Kind, Value, Variable

Finder: TypeAlias = Callable[[Value], int]

_LARGEST = 2.0**63  # few numbers are larger


def finder_of(variable: Variable) -> Finder:
    """How the code of a value of a variable is found, -1 if no state stands for it."""
    if variable.edges is None:
        return _shared_finder(variable.states, variable.kind, variable.has_missing_state)
    cuts = variable.edges[1:-1]

    def find(value: Value) -> int:
        if type(value) in (float, int) and abs(value) < _LARGEST:  # type: ignore[arg-type]
            return bisect_right(cuts, float(value))
        if type(value) is int and not -(2**63) <= value < 2**64:
            return -1
        return int(variable.find_all([value])[0])

    return find


@lru_cache(maxsize=1024)
def _shared_finder(states: tuple[str, ...], kind: Kind, has_missing_state: bool) -> Finder:
    """Thousands of variables with the same states share what was found before."""
    variable = Variable("any", states, kind, has_missing_state=has_missing_state)

    @lru_cache(maxsize=4096, typed=True)
    def find(value: Value) -> int:
        return int(variable.find_all([value])[0])

    return find

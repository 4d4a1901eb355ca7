"""The options of functions that read tables: types, defaults, and signatures that show them.

Five functions take these options and pass them on as they are. They are written once, here, as
``**options``; ``with_options`` spells them out in the signature that ``help`` and editors show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from treebound._files import MAX_UNPACKED_MB

if TYPE_CHECKING:
    from treebound.data import DateOrder, Missing, Rules

F = TypeVar("F", bound=Callable[..., Any])


class ReadingOptions(TypedDict, total=False):
    """The options of ``load`` that describe how a table is read."""

    na_values: Collection[str] | None
    delimiter: str | None
    encoding: str
    decimal: str
    as_numbers: Collection[str]
    unify: Collection[str]
    date_order: DateOrder | None
    date_parts: Mapping[str, Collection[str]] | None
    header: bool
    skip_rows: int
    comment: str | None
    strip: bool
    max_unpacked_mb: int


class ColumnOptions(ReadingOptions, total=False):
    """Those, and the options of ``load`` for columns."""

    discretise: Rules
    drop: Collection[str]
    only: Collection[str] | None
    auto: bool
    missing_state: Collection[str] | bool
    max_states: int


class LoadingOptions(ColumnOptions, total=False):
    """All options of ``load``."""

    missing: Missing


READING: dict[str, Any] = {
    "na_values": None,
    "delimiter": None,
    "encoding": "utf-8",
    "decimal": ".",
    "as_numbers": (),
    "unify": (),
    "date_order": None,
    "date_parts": None,
    "header": True,
    "skip_rows": 0,
    "comment": None,
    "strip": False,
    "max_unpacked_mb": MAX_UNPACKED_MB,
}


def with_options(defaults: Mapping[str, Any]) -> Callable[[F], F]:
    """Show the options in the signature of a function that takes them as ``**options``."""

    def shown(function: F) -> F:
        own = signature(function)
        named = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
        options = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=_annotation(name))
            for name, default in defaults.items()
        ]
        function.__signature__ = own.replace(parameters=[*named, *options])  # type: ignore[attr-defined]
        return function

    return shown


def _annotation(name: str) -> str:
    """The type of an option as it is written."""
    written: str = LoadingOptions.__annotations__[name].__forward_arg__
    return written

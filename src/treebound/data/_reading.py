"""How a table was read: strings, missing values and incomplete rows.

Later tables with the same schema are read the same way: name a missing-value marker or a decimal comma once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from treebound._arguments import check_type
from treebound.data._date_order import DateOrder, check_date_order

#: What to do with rows that have missing values.
Missing = Literal["error", "drop", "keep"]

_JSON_TYPES: Mapping[str, tuple[type, str]] = {
    "na_values": (list, "a list of strings"),
    "decimal": (str, "a string"),
    "strip": (bool, "true or false"),
    "as_numbers": (list, "a list of names"),
    "unify": (dict, "an object"),
    "date_order": (str, "a string"),
    "date_parts": (dict, "an object"),
    "encoding": (str, "a string"),
    "missing": (str, "a string"),
}
_FIRST: Mapping[DateOrder, str] = {"dmy": "day", "mdy": "month"}


def check_missing(missing: object) -> None:
    """Reject anything but the three choices."""
    if missing not in get_args(Missing):
        raise ValueError(f"missing must be 'error', 'drop' or 'keep', got {missing!r}.")


@dataclass(frozen=True)
class Reading:
    """The options of ``load`` that apply to later tables too, as they were given for the first one."""

    na_values: list[str] | None = None
    strip: bool = False
    decimal: str = "."
    as_numbers: list[str] = field(default_factory=list)
    unify: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    date_order: DateOrder | None = None
    date_parts: Mapping[str, list[str]] = field(default_factory=dict)
    encoding: str = "utf-8"
    missing: Missing = "error"

    def __post_init__(self) -> None:
        check_missing(self.missing)
        check_date_order(self.date_order)

    def __bool__(self) -> bool:
        return self != Reading()

    def to_json(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        default = Reading()
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in given.items() if value != getattr(default, name)}

    @classmethod
    def from_json(cls, options: Any) -> Reading:
        """Return what ``to_json`` wrote."""
        check_type("reading", options, dict, "an object")
        for name, value in options.items():
            if name not in _JSON_TYPES:
                raise ValueError(f"reading has no option {name!r}.")
            kind, expected = _JSON_TYPES[name]
            check_type(name, value, kind, expected)
        for option in ("na_values", "as_numbers"):
            for text in options.get(option, ()):
                check_type(f"each of {option}", text, str, "a string")
        for parts in options.get("date_parts", {}).values():
            check_type("each of date_parts", parts, list, "a list of strings")
            for part in parts:
                check_type("each part of a date", part, str, "a string")
        for spellings in options.get("unify", {}).values():
            check_type("each of unify", spellings, dict, "an object")
            for word in spellings.values():
                check_type("each word of unify", word, str, "a string")
        return cls(**options)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The options in sentences without a final stop."""
        remarks = []
        if self.na_values is not None:
            remarks.append(f"read as missing: {', '.join(map(repr, self.na_values)) or 'nothing'}")
        if self.decimal != ".":
            remarks.append(f"decimal separator: {self.decimal!r}")
        if self.strip:
            remarks.append("whitespace around cells stripped")
        if self.as_numbers:
            remarks.append(f"formatted numbers: {', '.join(map(repr, self.as_numbers))}")
        if self.unify:
            remarks.append(f"one spelling for each value: {', '.join(map(repr, self.unify))}")
        if self.date_order:
            remarks.append(f"dates such as 5/6/2024: the {_FIRST[self.date_order]} comes first")
        for name, parts in self.date_parts.items():
            remarks.append(f"{name!r} is a date, replaced by its {', '.join(parts)}")
        if self.encoding != "utf-8":
            remarks.append(f"encoding: {self.encoding}")
        return tuple(remarks)

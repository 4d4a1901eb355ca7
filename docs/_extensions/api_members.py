"""Lists the public members of each class on the API page, for the template of classes."""

from __future__ import annotations

import enum
import importlib
import inspect
import re
from pathlib import Path


def members_of_page(page: Path) -> dict[str, dict[str, list[str]]]:
    """The members of every class that a page lists, by the name of the class."""
    names = re.findall(r"^   ([\w.]*\w)$", page.read_text("utf-8"), re.MULTILINE)
    listed = {f"treebound.{name}": found(f"treebound.{name}") for name in names}
    return {name: members_of(value) for name, value in listed.items() if isinstance(value, type)}


def members_of(value: type) -> dict[str, list[str]]:
    """The public methods and properties of a class and of its bases in treebound, and values of an enum."""
    methods: dict[str, None] = {}
    properties: dict[str, None] = {}
    for owner in reversed(value.__mro__):
        if not owner.__module__.startswith("treebound"):
            continue
        for member, definition in vars(owner).items():
            if member.startswith("_"):
                continue
            if isinstance(definition, property) or type(definition).__name__ == "cached_property":
                properties[member] = None
            elif inspect.isfunction(definition) or isinstance(definition, classmethod | staticmethod):
                methods[member] = None
    values = list(value.__members__) if issubclass(value, enum.Enum) else []
    return {"methods": list(methods), "properties": list(properties), "values": values}


def found(name: str) -> object:
    """The value of a dotted name, of which some leading part is a module."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            value = getattr(value, part)
        return value
    raise ImportError(name)

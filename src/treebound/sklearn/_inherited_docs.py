"""Docstrings of estimators: they list the parameters and attributes of the bases too."""

from __future__ import annotations

import inspect
import re
import textwrap

_SECTIONS = ("Parameters", "Attributes")
_SECTION = re.compile(r"^(Parameters|Attributes)\n-+\n(.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^(\w+) : (.*(?:\n    .*)*)", re.MULTILINE)


def inherit_sections(estimator: type) -> str:
    """Return the docstring of a class with the sections of its bases after its own, in numpydoc's form."""
    owners = [owner for owner in estimator.__mro__ if owner.__module__.startswith(__package__ or "treebound")]
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for owner in owners:
        for section, body in _SECTION.findall(_own_text(owner)):
            for name, text in _ENTRY.findall(body):
                found[section].setdefault(name, f"{name}{_type_of(name, owners)}\n{_indented(text)}")
    parts = [_SECTION.sub("", _own_text(estimator)).strip()]
    parts += [
        "\n".join([section, "-" * len(section), *found[section].values()])
        for section in _SECTIONS
        if found[section]
    ]
    return "\n\n".join(parts) + "\n"


def _own_text(owner: type) -> str:
    """The docstring as written: one that has inherited already is kept next to it."""
    written = vars(owner).get("_written_doc", vars(owner).get("__doc__"))
    return inspect.cleandoc(written or "")


def _type_of(name: str, owners: list[type]) -> str:
    notes = (inspect.get_annotations(owner).get(name) for owner in owners)
    note = next((str(note) for note in notes if note is not None), None)
    return "" if note is None else f" : {note}"


def _indented(text: str) -> str:
    sentence = re.sub(r"\s+", " ", text)
    return textwrap.fill(
        sentence[0].upper() + sentence[1:],
        100,
        initial_indent="    ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )

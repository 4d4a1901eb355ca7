"""The help of every verb fits a terminal of 80 columns, in panels, with all choices in its text."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Literal, get_args, get_origin

import pytest
import typer
from typer import rich_utils
from typer.testing import CliRunner

from treebound.cli._app import VERBS, build_app
from treebound.solvers import SOLVERS

MOST_LINES = 145
PANELS = {"Arguments", "Options", "Search", "Constraints", "Table", "Output"}
STILTED = ("tells", "told", "mend", "lack", "refuse", "so that", "likewise", "at hand", "leave out")


def shown(verb):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            rich_utils, "MAX_WIDTH", 80
        )  # read from the environment once, by whichever test is first
        return CliRunner().invoke(build_app([verb]), [verb, "--help"], env={"COLUMNS": "80"}).output


def command_of(verb):
    return typer.main.get_command(build_app([verb])).commands[verb]


def choices_of(annotation):
    is_enum = isinstance(annotation, type) and issubclass(annotation, StrEnum)
    return list(annotation) if is_enum else get_args(annotation) if get_origin(annotation) is Literal else []


def test_choices_are_found():
    assert choices_of(Literal["a", "b"]) == ("a", "b")
    found = {len(choices_of(param.type_descriptor.annotation)) for param in command_of("learn").params}
    assert len(SOLVERS) in found


@pytest.mark.parametrize("verb", VERBS)
def test_help_is_short_and_in_panels(verb):
    text = shown(verb)
    assert len(text.splitlines()) <= MOST_LINES
    assert max(map(len, text.splitlines())) <= 80
    assert set(re.findall(r"─ (\w+) ─", text)) <= PANELS
    assert not re.search(r"<[\w-]+\|", text)
    words = " ".join(text.split()).lower()
    assert [word for word in STILTED if re.search(rf"\b{word}", words)] == []


@pytest.mark.parametrize("verb", VERBS)
def test_choices_are_named_in_the_text_of_their_option(verb):
    for param in command_of(verb).params:
        for choice in choices_of(param.type_descriptor.annotation):
            assert re.search(rf"\b{re.escape(choice)}\b", param.help), (param.name, choice)


def test_flags_and_optional_arguments_are_shown_as_such():
    text = CliRunner().invoke(build_app([]), ["--help"]).output
    assert "--version" in text
    assert "<bool>" not in text
    assert "[NET]" not in shown("impute")  # next to "required"


def test_options_of_learn_are_grouped():
    panels: dict[str, set[str]] = {}
    for line in shown("learn").splitlines():
        if heading := re.search(r"─ (\w+) ─", line):
            found = panels.setdefault(heading[1], set())
        elif option := re.match(r"│[* ]+(--[\w-]+)", line):
            found.add(option[1])
    assert set(panels) == {"Arguments", "Output", "Search", "Constraints", "Table"}
    assert panels["Output"] == {"--output", "--cache", "--quiet", "--json", "--help"}
    assert {"--max-treewidth", "--solver", "--time", "--seed"} <= panels["Search"]
    assert {"--bins", "--na-values", "--auto"} <= panels["Table"]

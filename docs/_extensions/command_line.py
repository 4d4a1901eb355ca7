"""Appends every verb of the command line, with its options, to the page reference/cli.

Options that many verbs have are described once, at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import typer

from treebound.cli import commands

PAGE = "reference/cli"
SHARED = ("Table", "Constraints")  # panels that are described once, at the end of the page


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", append_verbs)
    return {"parallel_read_safe": True}


def append_verbs(_app: Any, page: str, source: list[str]) -> None:
    if page == PAGE:
        verbs = commands()
        shared = {panel: shared_definitions(panel, verbs.values()) for panel in SHARED}
        sections = [verb_section(name, verb, shared) for name, verb in verbs.items()]
        sections += [f"## {panel} options\n\n" + "\n".join(members) for panel, members in shared.items()]
        source[0] += "\n" + "\n".join(sections)


def shared_definitions(panel: str, verbs: Iterable[Any]) -> list[str]:
    """The options of a panel that several verbs describe in the same words."""
    counts = Counter(definition(member) for verb in verbs for member in panels_of(verb).get(panel, []))
    return [text for text, count in counts.items() if count > 1]


def panels_of(verb: Any) -> dict[str, list[Any]]:
    """The parameters of a verb by panel, its arguments first."""
    params = [
        param for param in verb.get_params(typer.Context(verb)) if param.name != "help" and not param.hidden
    ]
    panels = {"Arguments": [param for param in params if param.param_type_name == "argument"]}
    for param in params:
        if param.param_type_name == "option":
            panels.setdefault(param.rich_help_panel or "Options", []).append(param)
    return panels


def verb_section(name: str, verb: Any, shared: Mapping[str, list[str]]) -> str:
    """The section of one verb: its help, its arguments, and its options by panel, shared ones by name."""
    panels = panels_of(verb)
    arguments = (argument_usage(argument) for argument in panels["Arguments"])
    usage = " ".join(["treebound", name, "[OPTIONS]", *arguments])
    parts = [f"## {name}\n", f"```text\n{usage}\n```\n", help_text(verb.help)]
    for panel, members in panels.items():
        common = [member for member in members if definition(member) in shared.get(panel, ())]
        own = [definition(member) for member in members if member not in common]
        if own:
            parts += [f"**{panel}**\n", *own]
        if common:
            names = ", ".join(f"`{option}`" for member in common for option in member.opts)
            parts.append(f"[{panel} options](#{panel.lower()}-options): {names}\n")
    return "\n".join(parts)


def argument_usage(argument: Any) -> str:
    shown = argument.metavar or argument.name.upper()
    return f"{shown}{'...' if argument.nargs == -1 else ''}" if argument.required else f"[{shown}]"


def help_text(text: str) -> str:
    """The verb's help; the lines of code below Examples become one block."""
    before, *examples = re.split(r"\*\*Examples?\*\*", text, maxsplit=1)
    lines = re.findall(r"^`(.+)`$", "".join(examples), re.MULTILINE)
    block = "\n```sh\n{}\n```\n".format("\n".join(lines)) if lines else ""
    return f"{before.strip()}\n{block}"


def definition(param: Any) -> str:
    names = [*param.opts, *param.secondary_opts] if param.param_type_name == "option" else []
    value = param.metavar or (param.name.upper() if not names else "")
    term = ", ".join(f"`{name}`" for name in names) + (f" `{value}`" if value else "")
    return f"{term.strip()}\n: {' '.join([escaped(param.help), *remarks(param)]).strip()}\n"


def remarks(param: Any) -> Iterator[str]:
    if param.required and param.param_type_name == "option":
        yield "*Required.*"
    if param.default not in (None, False, (), []) and "[default:" not in (param.help or ""):
        yield f"[default: {getattr(param.default, 'value', param.default)}]"


def escaped(text: str | None) -> str:
    """A help text as it is: no character of it is Markdown."""
    return re.sub(r"([*_<>|\\`$~\[\]{}])", r"\\\1", " ".join((text or "").split()))

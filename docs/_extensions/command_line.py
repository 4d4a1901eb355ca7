"""Appends every verb of the command line, with its options, to the page reference/cli."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from treebound.cli import commands

PAGE = "reference/cli"


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", append_verbs)
    return {"parallel_read_safe": True}


def append_verbs(_app: Any, page: str, source: list[str]) -> None:
    if page == PAGE:
        source[0] += "\n" + "\n".join(verb_section(name, verb) for name, verb in commands().items())


def verb_section(name: str, verb: Any) -> str:
    """The section of one verb: its help, its arguments, and its options by panel."""
    params = [
        param for param in verb.get_params(typer.Context(verb)) if param.name != "help" and not param.hidden
    ]
    arguments = [param for param in params if param.param_type_name == "argument"]
    usage = " ".join(["treebound", name, "[OPTIONS]", *(argument_usage(argument) for argument in arguments)])
    parts = [f"## {name}\n", f"```text\n{usage}\n```\n", help_text(verb.help)]
    panels: dict[str, list[Any]] = {"Arguments": arguments}
    for param in params:
        if param.param_type_name == "option":
            panels.setdefault(param.rich_help_panel or "Options", []).append(param)
    for panel, members in panels.items():
        if members:
            parts += [f"**{panel}**\n", *(definition(member) for member in members)]
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

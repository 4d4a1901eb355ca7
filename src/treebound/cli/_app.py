"""The command's entry point: one line per verb.

Only a verb that is named among the arguments is imported; the others are known by their line of help. So
help comes at once, and a verb is free to import what it needs and to take its defaults from where they live.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from treebound.cli._verb import Root, Verb

# Verb -> what it does. The module treebound.cli.<verb> holds a function of the same name.
VERBS = {
    "demo": "Learn a network from a made-up clinic, query it and draw it.",
    "generate": "Generate a random network and sample a table from it.",
    "inspect": "Report what a table contains and how each column will be used.",
    "score": "Score candidate parent sets and save them in a cache.",
    "learn": "Learn a Bayesian network of bounded treewidth.",
    "density": "Learn a mixture that gives new rows the highest probability.",
    "tune": "Choose the treewidth limit by cross-validation.",
    "compare": "Compare solvers on tables or caches.",
    "fit": "Estimate the probability tables of a structure from a table.",
    "query": "Compute probabilities given evidence.",
    "explore": "Explore a network in the browser: click a state to set evidence.",
    "sample": "Sample rows from a network.",
    "evaluate": "Compute the log-likelihood of a table under a network.",
    "predict": "Predict a column of a table from the other columns.",
    "impute": "Fill in missing values of a table.",
    "check": "Verify a structure: acyclic, within its treewidth limit, correctly scored.",
    "diff": "Compare two structures or networks, arc by arc.",
    "plot": "Draw a structure or network, or the neighbourhood of a variable.",
    "convert": "Convert a cache, structure or network to another file format.",
}


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """Collect the verbs; those among the arguments are loaded."""
    app = typer.Typer(name="treebound", cls=Root, no_args_is_help=True, rich_markup_mode="markdown")
    app.callback()(_root)
    # The shell asks for completions with the words in a variable; then every verb may be meant.
    wanted = VERBS.keys() if "_TREEBOUND_COMPLETE" in os.environ else set(arguments)
    for verb, line in VERBS.items():
        app.command(verb, cls=Verb, short_help=line)(_function(verb) if verb in wanted else _unnamed)
    return app


def options_of(app: typer.Typer, arguments: Sequence[str]) -> set[str]:
    """The options of the verb that the arguments name."""
    verbs: Any = typer.main.get_command(app)
    verb = next((word for word in arguments if word in VERBS), None)
    parameters = verbs.commands[verb].params if verb else []
    return {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}


def _function(verb: str) -> Callable[..., None]:
    function: Callable[..., None] = getattr(import_module(f"treebound.cli.{verb}"), verb)
    return function


def _unnamed() -> None:
    """Stand for a verb that the arguments do not name, and which therefore cannot be run."""


def _show_version(is_requested: bool) -> None:
    if is_requested:
        from importlib.metadata import version

        print(f"treebound {version('treebound')}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Learn Bayesian networks of bounded treewidth and query them exactly."""

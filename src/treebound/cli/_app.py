"""The command's entry point: collects the verbs."""

from __future__ import annotations

import typer

app = typer.Typer(
    name="treebound",
    no_args_is_help=True,
    help="Learn Bayesian networks of bounded treewidth, and ask them exact questions.",
)


@app.callback()
def _root() -> None:
    """Learn Bayesian networks of bounded treewidth, and ask them exact questions."""

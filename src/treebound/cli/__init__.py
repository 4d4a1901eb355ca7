"""The ``treebound`` command: one file per verb, each verb a stage of the pipeline."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from treebound.cli._app import app

    app()

"""The ``treebound`` command: one file per verb, each verb a stage of the pipeline."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 if all went well, 1 with one sentence if not, 2 for a misused verb."""
    from treebound.cli._app import build_app

    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        build_app(words)(args=words, prog_name="treebound")
    except (ValueError, OSError, ImportError, MemoryError) as error:
        print(f"treebound: {str(error) or 'there is not enough memory.'}", file=sys.stderr)
        raise SystemExit(1) from error

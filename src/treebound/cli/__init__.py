"""The ``treebound`` command: one file per verb, each verb a stage of the pipeline."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

# Given up where memory has run out, so there is some to say so; the parser alone takes some.
_RESERVE = 2**24


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 if all went well, 1 with one sentence if not, 2 for a misused verb.

    A verb that Ctrl-C or SIGTERM ends exits with 130.
    """
    from treebound._visible import visible_lines
    from treebound.cli._app import build_app, options_of
    from treebound.cli._show import INTERRUPTED, termination_as_interrupt
    from treebound.cli._streams import prepare_streams
    from treebound.data import DataError

    prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    reserve = None
    try:
        reserve = bytearray(_RESERVE)
        app = build_app(words)
        with termination_as_interrupt(), warnings.catch_warnings():
            warnings.showwarning = _note
            app(args=words, prog_name="treebound")
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except DataError as error:
        print(f"treebound: {visible_lines(error.report(options_of(app, words)))}", file=sys.stderr)
        raise SystemExit(1) from error
    # Python itself raises SystemError where it runs out of memory inside an import.
    except (ValueError, OSError, ImportError, MemoryError, SystemError) as error:
        del reserve
        print(f"treebound: {visible_lines(error) or 'there is not enough memory.'}", file=sys.stderr)
        raise SystemExit(1) from error


def _note(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning as the verbs show their notes, without the line of code that it came from."""
    from treebound.cli._show import note

    note(str(message))


def commands() -> dict[str, Any]:
    """Return every verb with its options, for the pages that list them."""
    import typer

    from treebound.cli._app import VERBS, build_app

    root: Any = typer.main.get_command(build_app(list(VERBS)))
    return {verb: root.commands[verb] for verb in VERBS}

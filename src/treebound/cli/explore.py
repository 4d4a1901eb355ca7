"""``treebound explore``: a network in the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, unpacking
from treebound.cli._query_options import NetworkArgument
from treebound.cli._show import err, exits_at_once, report
from treebound.explorer import explore as start
from treebound.formats.network_files import load_network


def explore(
    network: NetworkArgument,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table", metavar="TABLE", help="Rows to step through; cells and columns may be missing."
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Port to serve on (0: any free port).")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Explore a network in the browser: click a state to see how it changes all other probabilities.

    The page is served to this machine only, until Ctrl-C. Nothing is sent elsewhere.

    **Examples**

    `treebound explore network.json`

    `treebound explore network.json --table rows.csv --port 8765 --no-browser`
    """
    with exits_at_once():
        loaded = load_network(network, **unpacking(max_unpacked_mb))

    def progress(step: str) -> None:
        if not quiet:
            err().print(f"{step} ...", style="dim")

    explorer = start(loaded, table, name=str(network), port=port, open_browser=browser, progress=progress)
    # Ctrl-C is how a user ends this verb, not a failure.
    with explorer, suppress(KeyboardInterrupt):
        # The address is the result of this verb, so it is printed in any case.
        report(explorer.url, quiet=False, json=json, url=explorer.url, port=explorer.port)
        if not quiet:
            err().print("Open this address in a browser. Press Ctrl-C to stop.")
        explorer.wait()

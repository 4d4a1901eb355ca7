"""``treebound plot``: a structure or a network as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, output_option, unpacking
from treebound.cli._show import exits_at_once, report, usage_errors
from treebound.formats.network_files import load_network
from treebound.formats.structure_files import is_network_file, load_structure
from treebound.plot import check_picture_path, plot_structure, require_matplotlib, save_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Structure or network to draw.")],
    output: Annotated[
        Path | None,
        output_option(
            "OUT", "Picture to write: .png, .svg, .pdf. [default: FILE with .png, in the current folder]"
        ),
    ] = None,
    around: Annotated[
        list[str] | None,
        typer.Option(
            "--around",
            "-a",
            metavar="NAME",
            help="Draw only the neighbourhood of this variable (repeatable).",
        ),
    ] = None,
    distance: Annotated[
        int, typer.Option(metavar="N", min=0, help="Radius of the neighbourhood, in arcs.")
    ] = 2,
    tables: Annotated[
        bool | None,
        typer.Option(
            "--tables/--no-tables",
            help="Draw each variable with its probability table. [default: for up to 8 variables]",
        ),
    ] = None,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Draw a structure or network.

    Arcs run from dark to light. Up to 40 variables are labelled; use --around for parts of large networks.

    **Examples**

    `treebound plot network.json`

    `treebound plot network.json -o income.svg --around Income --distance 2`
    """
    if output is None:
        output = Path(source.name.removesuffix(".gz")).with_suffix(".png")
    with usage_errors():
        check_picture_path(output)
    require_matplotlib()
    limit = unpacking(max_unpacked_mb)
    with exits_at_once():
        is_network = is_network_file(source, **limit)
        drawn = load_network(source, **limit) if is_network else load_structure(source, **limit)
        with usage_errors():
            ax = plot_structure(drawn, around=around or None, distance=distance, tables=tables)
    save_page(cast("Figure", ax.figure), output)
    sentence, size = f"{output}: a picture of {source}", drawn.num_variables
    report(sentence, quiet=quiet, json=json, path=str(output), variables=size, around=around or [])

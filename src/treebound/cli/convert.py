"""``treebound convert``: caches and structures from one file format to another."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated, Any

import typer

from treebound.formats.cache_files import CACHE_ENDINGS, JKL_ENDINGS, load_cache, save_cache
from treebound.formats.structure_files import STRUCTURE_ENDINGS, load_structure, save_structure


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write.")],
    header: Annotated[
        bool,
        typer.Option(
            "--header",
            help="Add comments on the score to a .jkl file, as BLIP does; some programs refuse them.",
        ),
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Leave the comment with the names out of a .res file, as BLIP expects it."
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, not a sentence.")] = False,
) -> None:
    """Convert a cache or a structure; the endings say from what and to what.

    Caches of parent sets: .jkl, .jaa (also with .gz), and the native .tbc, which alone keeps the schema, the
    options and the state of an interrupted scoring.

    Structures: the native .json, which alone keeps the witness of the treewidth and the schema; .res of BLIP
    and BN-SLIM; .dot, .gv, .graphml; .modelstring of bnlearn. All may end in .gz.

    **Examples**

    `treebound convert scores.jkl.gz scores.tbc`

    `treebound convert network.json network.dot`

    `treebound convert network.json network.res --plain`
    """
    kind = _kind_of(source)
    if kind != _kind_of(target):
        raise typer.BadParameter(f"{source} holds a {kind}, which {target} cannot.")
    if header and not target.name.lower().endswith(JKL_ENDINGS):
        raise typer.BadParameter("--header is for .jkl files.")
    if plain and not target.name.lower().endswith((".res", ".res.gz")):
        raise typer.BadParameter("--plain is for .res files.")
    if kind == "cache":
        cache = load_cache(source)
        save_cache(cache, target, header=header)
        report: dict[str, Any] = {"variables": cache.num_variables, "sets": cache.num_sets}
        words = f"{cache.num_sets:,} parent sets of {cache.num_variables:,} variables"
    else:
        structure = load_structure(source)
        save_structure(structure, target, plain=plain)
        report = {"variables": structure.num_variables, "arcs": structure.num_arcs}
        words = f"{structure.num_arcs:,} arcs between {structure.num_variables:,} variables"
    if json:
        print(json_format.dumps({"path": str(target), "kind": kind, **report}))
    elif not quiet:
        print(f"{target}: a {kind} of {words}")


def _kind_of(path: Path) -> str:
    name = path.name.lower()
    if name.endswith(CACHE_ENDINGS):
        return "cache"
    if name.removesuffix(".gz").endswith(STRUCTURE_ENDINGS):
        return "structure"
    endings = ", ".join(CACHE_ENDINGS + STRUCTURE_ENDINGS)
    raise typer.BadParameter(f"expected a file that ends in {endings}, got {path}.")

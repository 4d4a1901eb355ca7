"""``treebound convert``: caches, structures and networks from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from treebound._visible import counted
from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, unpacking
from treebound.cli._show import exits_at_once, report
from treebound.formats.cache_files import CACHE_ENDINGS, JKL_ENDINGS, load_cache, save_cache
from treebound.formats.network_files import NETWORK_ENDINGS, load_network, save_network
from treebound.formats.structure_files import (
    STRUCTURE_ENDINGS,
    is_network_file,
    load_structure,
    save_structure,
)
from treebound.formats.uai import Layout


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write.")],
    header: Annotated[
        bool,
        typer.Option(
            "--header",
            help="Add comments on the score to a .jkl file, as BLIP does; some programs reject them.",
        ),
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Write a .res file without the comment that holds the names, as BLIP expects."
        ),
    ] = False,
    layout: Annotated[
        Layout | None,
        typer.Option(help=f"Program that wrote the .uai file: {', '.join(get_args(Layout))}."),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Encoding of the file to read, such as latin-1. [default: utf-8]",
        ),
    ] = None,
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Convert a cache, structure or network; file extensions select the formats.

    Caches: .tbc (native: also stores the schema and the state of an interrupted run), .jkl, .jaa.

    Structures: .json (native: also stores the tree decomposition and the schema), .res (BLIP, BN-SLIM), .dot,
    .gv, .graphml, .modelstring (bnlearn).

    Networks: .json (native: stores everything), .bif, .xmlbif, .bifxml, .xml, .uai (with .uai.names), .net
    (Hugin), .xdsl (GeNIe), .dsc (read only). A network can also be written as a structure.

    All formats except .tbc can be compressed (.gz).

    **Examples**

    `treebound convert scores.jkl.gz scores.tbc`

    `treebound convert network.json network.dot`

    `treebound convert network.json network.res --plain`

    `treebound convert alarm.bif.gz alarm.xdsl`

    `treebound convert old.net new.net --encoding latin-1`
    """
    with exits_at_once():
        kind = _kind_of(source, max_unpacked_mb)
    becomes = _target_kind(source, kind, target)
    if header and not target.name.lower().endswith(JKL_ENDINGS):
        raise typer.BadParameter("--header applies only to .jkl files.")
    if plain and not target.name.lower().endswith((".res", ".res.gz")):
        raise typer.BadParameter("--plain applies only to .res files.")
    if layout is not None and kind != "network":
        raise typer.BadParameter("--layout applies only to .uai files.")
    if encoding is not None and kind == "cache":
        raise typer.BadParameter("--encoding applies only to structures and networks.")
    reading: dict[str, Any] = unpacking(max_unpacked_mb) | (
        {} if encoding is None else {"encoding": encoding}
    )
    if kind == "cache":
        with exits_at_once():
            cache = load_cache(source, **unpacking(max_unpacked_mb))
        save_cache(cache, target, header=header)
        size = {"variables": cache.num_variables, "sets": cache.num_sets}
        message = f"{counted(cache.num_sets, 'parent set')} of {counted(cache.num_variables, 'variable')}"
    elif becomes == "network":
        with exits_at_once():
            network = load_network(source, layout=layout, **reading)
        save_network(network, target)
        size = {
            "variables": network.num_variables,
            "arcs": network.num_arcs,
            "parameters": network.num_parameters,
        }
        variables, arcs, parameters = (counted(number, noun[:-1]) for noun, number in size.items())
        message = f"{variables} with {arcs} and {parameters}"
    else:
        whole = kind == "network"
        with exits_at_once():
            structure = (
                load_network(source, layout=layout, **reading).structure
                if whole
                else load_structure(source, **reading)
            )
        save_structure(structure, target, plain=plain)
        size = {"variables": structure.num_variables, "arcs": structure.num_arcs}
        message = (
            f"{counted(structure.num_arcs, 'arc')} between {counted(structure.num_variables, 'variable')}"
        )
    sentence = f"{target}: a {becomes} of {message}"
    report(sentence, quiet=quiet, json=json, path=str(target), kind=becomes, **size)


def _kind_of(path: Path, max_unpacked_mb: int | None) -> str:
    """What a file that is there holds; structures and networks may both be JSON."""
    kinds = _kinds_of(path)
    if len(kinds) == 1:
        return kinds[0]
    holds_network = path.exists() and is_network_file(path, **unpacking(max_unpacked_mb))
    return "network" if holds_network else "structure"


def _target_kind(source: Path, kind: str, target: Path) -> str:
    """What the source becomes: the same again, or the structure of a network."""
    possible = _kinds_of(target)
    if kind in possible:
        return kind
    if kind == "network" and "structure" in possible:
        return "structure"
    raise typer.BadParameter(f"{source} holds a {kind}, which {target} cannot.")


def _kinds_of(path: Path) -> list[str]:
    """What a file of this name may hold."""
    name = path.name.lower()
    endings = {
        "cache": CACHE_ENDINGS,
        "structure": tuple(ending + gz for ending in STRUCTURE_ENDINGS for gz in ("", ".gz")),
        "network": tuple(ending + gz for ending in NETWORK_ENDINGS for gz in ("", ".gz")),
    }
    kinds = [kind for kind, known in endings.items() if name.endswith(known)]
    if not kinds:
        listed = ", ".join(dict.fromkeys(CACHE_ENDINGS + STRUCTURE_ENDINGS + NETWORK_ENDINGS))
        raise typer.BadParameter(f"expected a file that ends in {listed}, got {path}.")
    return kinds

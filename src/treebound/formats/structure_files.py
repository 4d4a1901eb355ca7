"""Structures on disk: the file's ending chooses the format. Of a network's file, the structure is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from treebound._arguments import check_type
from treebound._files import (
    MAX_UNPACKED_TEXT_MB,
    check_encoding,
    check_max_unpacked,
    lower_name,
    read_text,
    rejecting_bad_files,
)
from treebound.formats._network_draft import NetworkFileError
from treebound.formats._text_files import format_of, load_text, save_text
from treebound.formats.dot import format_dot, parse_dot
from treebound.formats.graphml import format_graphml, parse_graphml
from treebound.formats.modelstring import format_modelstring, parse_modelstring
from treebound.formats.network_files import NETWORK_ENDINGS, load_network
from treebound.formats.network_json import holds_network
from treebound.formats.res import format_res, parse_res
from treebound.formats.structure_json import format_json, parse_json
from treebound.structure import Structure, StructureError


class _Format(NamedTuple):
    parse: Callable[[str], Structure]
    write: Callable[..., str]


_FORMATS = {
    ".json": _Format(parse_json, format_json),
    ".res": _Format(parse_res, format_res),
    ".dot": _Format(parse_dot, format_dot),
    ".gv": _Format(parse_dot, format_dot),
    ".graphml": _Format(parse_graphml, format_graphml),
    ".modelstring": _Format(parse_modelstring, format_modelstring),
}
STRUCTURE_ENDINGS = tuple(_FORMATS)


def load_structure(
    path: str | os.PathLike[str], *, encoding: str = "utf-8", max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB
) -> Structure:
    """Read a structure.

    Parameters
    ----------
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` is unpacked.
    encoding : str
        Encoding of a text format.
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    Structure

    Raises
    ------
    StructureError
        If the file is damaged or has another format.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import treebound as tb
    >>> structure = tb.Structure.from_parents({"rain": [], "wet": ["rain"]})
    >>> tb.save_structure(structure, "rain.json")
    >>> tb.load_structure("rain.json").arcs
    (('rain', 'wet'),)
    """
    check_max_unpacked(max_unpacked_mb)
    check_encoding(encoding)
    with rejecting_bad_files(path, StructureError):
        is_network = is_network_file(path, max_unpacked_mb=max_unpacked_mb)
    if is_network:
        try:
            return load_network(path, encoding=encoding, max_unpacked_mb=max_unpacked_mb).structure
        except NetworkFileError as error:
            raise StructureError(str(error)) from error
    parse = format_of(path, _FORMATS, StructureError).parse
    return load_text(path, parse, StructureError, max_unpacked_mb, encoding)


def is_network_file(path: str | os.PathLike[str], *, max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB) -> bool:
    """Whether a file holds a network; both kinds may be JSON, where the contents decide."""
    name = lower_name(path)
    if not name.endswith(".json"):
        return name.endswith(NETWORK_ENDINGS)
    try:
        return holds_network(read_text(path, max_unpacked_mb, StructureError))
    except (MemoryError, OSError):
        raise  # nothing is known about the file
    except Exception:
        return False  # reading it as a structure will say what is wrong


def save_structure(structure: Structure, path: str | os.PathLike[str], *, plain: bool = False) -> None:
    """Write a structure to a file, replacing it in one step.

    Only ``.json`` keeps everything.

    Parameters
    ----------
    structure : Structure
        What to write.
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` at the end compresses it.
    plain : bool
        Omit the comment with the names from a ``.res`` file, which other programs do not expect.

    Raises
    ------
    StructureError
        If the format is unknown or cannot hold the structure.

    Examples
    --------
    >>> import treebound as tb
    >>> structure = tb.Structure.from_parents({"rain": [], "wet": ["rain"]})
    >>> tb.save_structure(structure, "rain.json")
    >>> tb.load_structure("rain.json").arcs
    (('rain', 'wet'),)
    """
    check_type("structure", structure, Structure, "a Structure (save_network writes networks)")
    write = format_of(path, _FORMATS, StructureError).write
    if plain and write is not format_res:
        raise StructureError(f"{os.fspath(path)}: only .res files have a plain kind.")
    text = write(structure, plain=True) if plain else write(structure)
    try:
        save_text(text, path)
    except UnicodeEncodeError as error:
        raise StructureError(
            f"{os.fspath(path)}: a name cannot be written in UTF-8: {error.reason}."
        ) from error

"""Networks on disk: the file's ending chooses the format."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from treebound._arguments import check_type
from treebound._files import (
    MAX_UNPACKED_TEXT_MB,
    check_encoding,
    check_folder,
    check_max_unpacked,
    read_bytes,
    read_text,
    rejecting_bad_files,
)
from treebound.formats._losses import LossySave, warn_of_losses
from treebound.formats._network_draft import NetworkFileError
from treebound.formats._text_files import format_of, save_text
from treebound.formats.bif import format_bif, parse_bif
from treebound.formats.dsc import parse_dsc
from treebound.formats.hugin import format_hugin, parse_hugin
from treebound.formats.network_json import format_network_json, parse_network_json
from treebound.formats.uai import Layout, check_layout, format_uai, format_uai_names, parse_uai
from treebound.formats.xdsl import format_xdsl, parse_xdsl
from treebound.formats.xmlbif import format_xmlbif, parse_xmlbif
from treebound.network import BayesianNetwork

__all__ = [
    "NETWORK_ENDINGS",
    "WRITTEN_ENDINGS",
    "LossySave",
    "NetworkFileError",
    "check_network_path",
    "load_network",
    "save_network",
]


class _Format(NamedTuple):
    parse: Callable[..., BayesianNetwork]
    write: Callable[[BayesianNetwork], str] | None
    is_xml: bool = False  # XML names its encoding itself


_FORMATS = {
    ".json": _Format(parse_network_json, format_network_json),
    ".bif": _Format(parse_bif, format_bif),
    ".xmlbif": _Format(parse_xmlbif, format_xmlbif, is_xml=True),
    ".bifxml": _Format(parse_xmlbif, format_xmlbif, is_xml=True),
    ".xml": _Format(parse_xmlbif, format_xmlbif, is_xml=True),
    ".uai": _Format(parse_uai, format_uai),
    ".net": _Format(parse_hugin, format_hugin),
    ".xdsl": _Format(parse_xdsl, format_xdsl, is_xml=True),
    ".dsc": _Format(parse_dsc, None),
}
NETWORK_ENDINGS = tuple(_FORMATS)
WRITTEN_ENDINGS = tuple(ending for ending, found in _FORMATS.items() if found.write is not None)


def load_network(
    path: str | os.PathLike[str],
    *,
    layout: Layout | None = None,
    encoding: str = "utf-8",
    max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB,
) -> BayesianNetwork:
    """Read a network.

    Parameters
    ----------
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` is unpacked.
    layout : str, optional
        The program that wrote a ``.uai`` file, if pgmpy or pyAgrum: they order the cells differently.
    encoding : str
        Encoding of a text format.
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    NetworkFileError
        If the file is damaged or has another format.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import treebound as tb
    >>> network = tb.random_network(5, seed=1)
    >>> tb.save_network(network, "random.json")
    >>> tb.load_network("random.json") == network
    True
    """
    fitting = "; a structure alone becomes a network by `treebound fit STRUCTURE TABLE -o network.json`"
    found = format_of(path, _FORMATS, NetworkFileError, hint=fitting)
    check_max_unpacked(max_unpacked_mb)
    check_encoding(encoding)
    options: dict[str, Any] = {}
    if layout is not None:
        if found.parse is not parse_uai:
            raise NetworkFileError(f"{os.fspath(path)}: only .uai files come in different layouts.")
        options["layout"] = check_layout(layout)
    with rejecting_bad_files(path, NetworkFileError):
        if found.parse is parse_uai and _names_file(path).exists():
            options["names"] = read_text(_names_file(path), max_unpacked_mb, NetworkFileError, encoding)
        if found.is_xml:
            return found.parse(read_bytes(path, max_unpacked_mb), **options)
        return found.parse(read_text(path, max_unpacked_mb, NetworkFileError, encoding), **options)


def save_network(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network to a file, replacing it in one step.

    Only ``.json`` keeps everything. Other formats keep names, states, parents and tables, and a
    ``LossySave`` warning lists what is lost. ``.uai`` needs a second file for names and states,
    ``<name>.uai.names``.

    Parameters
    ----------
    network : BayesianNetwork
        What to write.
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` at the end compresses it.

    Raises
    ------
    NetworkFileError
        If the format is unknown or cannot hold the network.

    Examples
    --------
    >>> import treebound as tb
    >>> network = tb.random_network(5, seed=1)
    >>> tb.save_network(network, "random.json")
    >>> tb.load_network("random.json") == network
    True
    """
    check_type("network", network, BayesianNetwork, "a BayesianNetwork (fit makes one of a structure)")
    write = check_network_path(path)
    save_text(write(network), path)
    if write is format_uai:
        save_text(format_uai_names(network), _names_file(path))
    if write is not format_network_json:
        warn_of_losses(network, path, keeps_remarks=write is not format_uai, stacklevel=2)


def check_network_path(path: str | os.PathLike[str]) -> Callable[[BayesianNetwork], str]:
    """Reject a path that no network can be written to, else return how to."""
    write = format_of(path, _FORMATS, NetworkFileError, WRITTEN_ENDINGS).write
    if write is None:
        raise NetworkFileError(f"{os.fspath(path)}: files of this kind are read only.")
    check_folder(Path(path))
    return write


def _names_file(path: str | os.PathLike[str]) -> Path:
    name = os.fspath(path)
    return Path((name[:-3] if name.lower().endswith(".gz") else name) + ".names")

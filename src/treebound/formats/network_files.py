"""Networks on disk: the file's ending chooses the format."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from treebound._files import DamagedFileError, atomic_write, read_bytes
from treebound.formats._network_draft import NetworkFileError
from treebound.formats.bif import format_bif, parse_bif
from treebound.formats.network_json import format_network_json, parse_network_json
from treebound.network import BayesianNetwork

__all__ = ["NETWORK_ENDINGS", "NetworkFileError", "load_network", "save_network"]


class _Format(NamedTuple):
    parse: Callable[[str], BayesianNetwork]
    write: Callable[[BayesianNetwork], str]


_FORMATS = {
    ".json": _Format(parse_network_json, format_network_json),
    ".bif": _Format(parse_bif, format_bif),
}
NETWORK_ENDINGS = tuple(_FORMATS)


def load_network(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a network from a file in any of the formats, gzipped or not, or raise ``NetworkFileError``."""
    parse = _format_of(path).parse
    try:
        return parse(read_bytes(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NetworkFileError(
            f"{os.fspath(path)}: expected text in UTF-8, got byte {error.start} in no such."
        ) from error
    except DamagedFileError as error:
        raise NetworkFileError(f"{os.fspath(path)}: {error}.") from error
    except NetworkFileError as error:
        raise NetworkFileError(f"{os.fspath(path)}: {error}") from error


def save_network(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network to a file, replacing it in one step; ``.gz`` at the end packs it.

    Only ``.json`` keeps everything; the other formats keep names, states, parents and tables.
    """
    data = _format_of(path).write(network).encode()
    with atomic_write(path) as file:
        file.write(data)


def _format_of(path: str | os.PathLike[str]) -> _Format:
    name = os.fspath(path).lower().removesuffix(".gz")
    for ending, found in _FORMATS.items():
        if name.endswith(ending):
            return found
    raise NetworkFileError(f"{os.fspath(path)}: expected a file that ends in {', '.join(NETWORK_ENDINGS)}.")

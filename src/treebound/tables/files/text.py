"""Bytes of a text file: unpacked if it is gzip, and in UTF-8, or an error that says what is wrong."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path
from typing import TextIO

from treebound._files import read_bytes
from treebound.data import DataError, Problem
from treebound.tables.files.binary import check_text

#: The path that stands for the standard input.
STANDARD_INPUT = "-"


def read_text(path: Path, encoding: str, max_unpacked_mb: int, fallback: str | None = None) -> bytes:
    """The text of a file as UTF-8. What is packed is known by its first bytes, whatever the ending says."""
    if str(path) == STANDARD_INPUT:
        return to_utf8(standard_input(), encoding, "standard input", fallback)
    return to_utf8(read_bytes(path, max_unpacked_mb), encoding, str(path), fallback)


def to_utf8(data: bytes, encoding: str, source: str, fallback: str | None = None) -> bytes:
    """Text in any encoding as UTF-8; reject bytes that the encoding does not know, and NUL bytes.

    Text that is not in the encoding is tried in the ``fallback``, where there is one.
    """
    check_text(data, source)
    try:
        return _decoded(data, encoding, source)
    except DataError:
        if fallback is None:
            raise
        return _decoded(data, fallback, source)


def _decoded(data: bytes, encoding: str, source: str) -> bytes:
    name = codecs.lookup(encoding).name
    try:
        if name != "utf-8":
            data = data.decode(name).encode()
        elif not data.isascii():
            data.decode()
    except UnicodeDecodeError as error:
        raise _encoding_error(data, error.start, encoding, source) from error
    except (UnicodeError, LookupError) as error:
        raise DataError([Problem("encoding", f"cannot be read as {encoding}: {error}")], source) from error
    nul = data.find(b"\0")
    if nul >= 0:
        message = f"NUL byte in {_place(data, nul)}, as in files in utf-16"
        raise DataError([Problem("encoding", message)], source)
    return data


def _encoding_error(data: bytes, offset: int, encoding: str, source: str) -> DataError:
    message = f"byte 0x{data[offset]:02x} in {_place(data, offset)} is not {encoding}"
    return DataError([Problem("encoding", message)], source)


def _place(data: bytes, offset: int) -> str:
    """Line and column of a byte, both counted from 1."""
    before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = before.split(b"\n")
    return f"line {len(lines)}, column {len(lines[-1]) + 1}"


_piped: list[tuple[TextIO, bytes]] = []


def standard_input() -> bytes:
    """All bytes of the standard input, also where it has been read before."""
    if not _piped or _piped[0][0] is not sys.stdin:
        _piped[:] = [(sys.stdin, sys.stdin.buffer.read())]
    return _piped[0][1]

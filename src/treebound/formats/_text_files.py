"""What readers and writers of all text formats share: the file's ending selects the format."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from treebound._files import (
    atomic_write,
    check_encoding,
    check_max_unpacked,
    lower_name,
    read_text,
    rejecting_bad_files,
)

_Format = TypeVar("_Format")
_Parsed = TypeVar("_Parsed")


def format_of(
    path: str | os.PathLike[str],
    formats: Mapping[str, _Format],
    error_type: type[ValueError],
    listed: Collection[str] = (),
    hint: str = "",
) -> _Format:
    """Return the format of a file; the error lists all endings, or those that are ``listed``."""
    name = lower_name(path)
    for ending, found in formats.items():
        if name.endswith(ending):
            return found
    endings = ", ".join(listed or formats)
    raise error_type(f"{os.fspath(path)}: expected a file that ends in {endings}{hint}.")


def load_text(
    path: str | os.PathLike[str],
    parse: Callable[[str], _Parsed],
    error_type: type[ValueError],
    max_unpacked_mb: int,
    encoding: str | None = None,
) -> _Parsed:
    """Return what is made of the text of a file; errors name the file."""
    check_max_unpacked(max_unpacked_mb)
    if encoding is not None:
        check_encoding(encoding)
    with rejecting_bad_files(path, error_type):
        return parse(read_text(path, max_unpacked_mb, error_type, encoding))


def save_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a file in one step; text that cannot be encoded leaves no trace."""
    data = text.encode()
    with atomic_write(path) as file:
        file.write(data)

"""Whole files, safely: writing replaces the target in one step, reading unpacks gzip.

A reader never meets a half-written file: the text goes to a temporary file in the same folder, is forced to
disk, and takes the target's name only when all of it is there. A small packed file may unpack to anything, so
that there is a limit, which is checked while unpacking, not after.
"""

from __future__ import annotations

import codecs
import difflib
import gzip
import io
import os
import secrets
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from treebound._arguments import check_type
from treebound._visible import visible, visible_lines

#: What a packed table or cache may unpack to; ten thousand columns of a hundred thousand digits fit.
MAX_UNPACKED_MB = 2048
#: The same for networks and structures, whose readers take some 40 times the text in memory.
MAX_UNPACKED_TEXT_MB = 256

_GZIP_MAGIC = b"\x1f\x8b"
# On score caches level 4 takes a third of the time of 6 and 5 % more space.
_GZIP_LEVEL = 4
_PIECE = 1 << 20
_MAX_WORDS = 500
# Bytes of a name that its temporary file shows: names have 255 at most, and some file systems encode them.
_LONGEST_START = 100
_OTHER_ENCODING = (
    "load it with another encoding=, or bring it into UTF-8 with treebound convert --encoding latin-1"
)


class DamagedFileError(ValueError):
    """A file whose compression cannot be undone."""


class TooLargeError(DamagedFileError):
    """A packed file that unpacks to more than was allowed."""

    def __init__(self, max_mb: int) -> None:
        super().__init__(
            f"unpacks to more than {max_mb:,} MB; if you trust the file, raise the limit with "
            "max_unpacked_mb= or --max-unpacked-mb"
        )


def check_max_unpacked(max_unpacked_mb: int) -> int:
    """Reject a limit that is none, else return it in bytes."""
    check_type("max_unpacked_mb", max_unpacked_mb, int, "a whole number of megabytes")
    if max_unpacked_mb < 1:
        raise ValueError(f"max_unpacked_mb must be at least 1, got {max_unpacked_mb}.")
    return max_unpacked_mb << 20


def lower_name(path: str | os.PathLike[str]) -> str:
    """The path in lower case and without ``.gz``, whose ending chooses a format."""
    check_type("path", path, str | os.PathLike, "the path of a file")
    return os.fspath(path).lower().removesuffix(".gz")


def read_bytes(path: str | os.PathLike[str], max_unpacked_mb: int) -> bytes:
    """Return the contents of a file, unpacked if it starts as gzip does, whatever its name."""
    limit = check_max_unpacked(max_unpacked_mb)
    check_exists(Path(path))
    with open(path, "rb") as file:
        is_packed = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        file.seek(0)
        if not is_packed:
            return file.read()
        try:
            if _announced_size(file) > limit:
                # Most likely it is too large, or cut short: find out which without keeping what is unpacked.
                for _ in pieces_at_most(gzip.GzipFile(fileobj=file), limit, max_unpacked_mb):
                    pass
                file.seek(0)
            return joined(pieces_at_most(gzip.GzipFile(fileobj=file), limit, max_unpacked_mb))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DamagedFileError(f"the gzip data is damaged or cut short ({error})") from error


def read_text(
    path: str | os.PathLike[str],
    max_unpacked_mb: int,
    error_type: type[ValueError],
    encoding: str | None = None,
) -> str:
    """Return the text of a file, unpacked if need be, or raise an error that names the line.

    Without ``encoding`` it is UTF-8, and the reader knows no other.
    """
    data = read_bytes(path, max_unpacked_mb)
    name = encoding or "utf-8"
    try:
        return data.decode("utf-8-sig" if codecs.lookup(name).name == "utf-8" else name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"line {line}: expected text in {name.upper()}, got the byte 0x{data[error.start]:02x}"
        raise error_type(message + ("." if encoding is None else f"; {_OTHER_ENCODING}.")) from error
    except (UnicodeError, LookupError) as error:
        raise error_type(f"cannot be read as {name}: {error}.") from error


def check_encoding(encoding: str) -> None:
    """Reject an encoding that Python does not know."""
    check_type("encoding", encoding, str, "the name of an encoding, such as 'utf-8'")
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise ValueError(f"encoding must be one that Python knows, got {encoding!r}.") from None


def pieces_at_most(packed: IO[bytes] | gzip.GzipFile, limit: int, max_mb: int) -> Iterator[bytes]:
    """Unpack piece by piece, and stop at the limit, with an error that names it."""
    while piece := packed.read(_PIECE):
        limit -= len(piece)
        if limit < 0:
            raise TooLargeError(max_mb)
        yield piece


def joined(pieces: Iterable[bytes]) -> bytes:
    """The pieces as one, without ever holding all of them twice."""
    whole = io.BytesIO()
    for piece in pieces:
        whole.write(piece)
    return whole.getvalue()


def _announced_size(file: IO[bytes]) -> int:
    """What the last four bytes of gzip say about the unpacked size; the file is left at its start."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 4))
    announced = int.from_bytes(file.read(4), "little")
    file.seek(0)
    return announced


@contextmanager
def rejecting_bad_files(path: str | os.PathLike[str], error_type: type[ValueError]) -> Iterator[None]:
    """Turn any error of reading a bad file into the error of its format, and put the file's name first."""
    check_type("path", path, str | os.PathLike, "the path of a file")
    try:
        with rejecting_strays(error_type, error_type):
            yield
    except error_type as error:
        raise error_type(f"{visible(os.fspath(path))}: {visible_lines(shortened(str(error)))}") from error


def shortened(message: str) -> str:
    """A message without its middle if it is long: names and numbers in bad files may be endless."""
    if len(message) <= _MAX_WORDS:
        return message
    return f"{message[: _MAX_WORDS // 2]} ... {message[-_MAX_WORDS // 2 :]}"


@contextmanager
def rejecting_strays(error_type: type[ValueError], make: Callable[[str], ValueError]) -> Iterator[None]:
    """Let errors of this type pass, and turn all others that a bad file may cause into what ``make`` returns.

    Parsers, also those of other libraries, raise many kinds of errors on unexpected files; to the
    user they all mean one thing. Files that are not there or cannot be opened keep their ``OSError``.
    """
    try:
        yield
    except (error_type, ImportError, OSError):
        raise
    except DamagedFileError as error:
        raise make(f"{error}.") from error
    except MemoryError as error:
        raise make("there is not enough memory to read it.") from error
    except Exception as error:
        reason = f"{type(error).__name__}: {shortened(str(error))}"
        raise make(f"damaged, cut short or of another format ({reason}).") from error


def check_exists(path: Path) -> None:
    """Reject a path that is no file, naming files next to it that have a similar name."""
    if path.is_dir():
        raise IsADirectoryError(f"{visible(path)} is a directory, expected a file.")
    if not path.exists():
        close = _similar(path)
        hint = f" Files with similar names: {', '.join(map(visible, close))}." if close else ""
        raise FileNotFoundError(f"there is no file {visible(path)}.{hint}")


def _similar(path: Path) -> list[str]:
    """Names of files next to a path that are like its own, whatever their endings are."""
    siblings = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    stems = difflib.get_close_matches(path.stem, {other.stem for other in siblings}, n=3)
    return [other.name for stem in stems for other in siblings if other.stem == stem][:3]


def check_folder(target: Path) -> None:
    """Reject a file in a folder that is not there, or one that is itself a folder."""
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{visible(target)}: there is no folder {visible(target.parent)}.")
    if target.is_dir():
        raise IsADirectoryError(f"{visible(target)}: expected a file, but this is a folder.")


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that takes the place of ``path`` when the block ends well; gzipped if named ``.gz``.

    If the block fails, ``path`` keeps what it had. A link is followed, and what it leads to is replaced; a
    file that was there keeps its permissions. What is no file, such as a pipe, is written to as it comes.
    """
    check_type("path", path, str | os.PathLike, "the path of a file")
    is_packed = Path(path).suffix.lower() == ".gz"
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as raw, _packing(raw, is_packed) as file:
            yield file
        return
    temporary = str(target.with_name(_temporary_name(target.name)))
    try:
        with open(temporary, "xb", opener=_opener(target)) as raw:
            with _packing(raw, is_packed) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename == temporary:
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        raise


def _temporary_name(name: str) -> str:
    """A hidden name that is no other file's, and no longer than any file system allows."""
    start = os.fsencode(name)[:_LONGEST_START].decode(errors="ignore")
    return f".{start}.{secrets.token_hex(8)}.part"


def _opener(target: Path) -> Callable[[str, int], int]:
    """Open a new file as private as the target may be; the system applies the umask to one that is new."""
    mode = 0o600 if target.exists() else 0o666
    return lambda path, flags: os.open(path, flags, mode)


@contextmanager
def _packing(raw: IO[bytes], is_packed: bool) -> Iterator[IO[bytes]]:
    if not is_packed:
        yield raw
        return
    # No name and no time inside, so equal contents give equal files.
    with gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0) as packed:
        yield cast(IO[bytes], packed)

"""Lines of a text file that are no part of the table: some at its start, and comments."""

from __future__ import annotations

from collections.abc import Iterator

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def table_lines(text: bytes, skip_rows: int, comment: str | None) -> tuple[bytes, list[int] | None]:
    """The text without the first lines and without comments, and the line of the file that each line was.

    A comment is a line that starts with a given character, outside of quotes. None stands for all lines.
    """
    if not skip_rows and comment is None:
        return text, None
    lines = list(_kept(text.removeprefix(_BYTE_ORDER_MARK), skip_rows, (comment or "").encode()))
    return b"".join(line for _, line in lines), [number for number, _ in lines]


def _kept(text: bytes, skip_rows: int, comment: bytes) -> Iterator[tuple[int, bytes]]:
    is_quoted = False
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if number <= skip_rows or (comment and not is_quoted and line.startswith(comment)):
            continue
        is_quoted ^= line.count(b'"') % 2 == 1
        yield number, line

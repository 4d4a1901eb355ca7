"""Files that are not text, recognised by their first bytes, with what to do about each."""

from __future__ import annotations

from treebound.data import DataError, Problem

# Text may start with PK or BZh too, but holds no control characters.
_CONTROL = {*range(9), *range(14, 32)}
_LOOKED_AT = 1 << 16
_SAVE = "save the table as CSV"
_UNPACK = "decompress it; gzip is read as it is"
_KINDS = {
    b"PK\x03\x04": ("a ZIP archive, such as an Excel workbook", f"name it .xlsx if it is one, or {_SAVE}"),
    b"\xd0\xcf\x11\xe0": ("an Office document, such as an old Excel workbook", _SAVE),
    b"PAR1": ("a Parquet file", "name it .parquet"),
    b"ARROW1": ("an Arrow file", "name it .arrow"),
    b"FEA1": ("a Feather file", "name it .feather"),
    b"%PDF": ("a PDF document", _SAVE),
    b"\x89PNG": ("a PNG image", _SAVE),
    b"SQLite format 3\0": ("an SQLite database", _SAVE),
    b"\x89HDF": ("an HDF5 file", _SAVE),
    b"\x1f\x8b": ("compressed with gzip", "decompress it before it is piped"),
    b"BZh": ("compressed with bzip2", _UNPACK),
    b"\xfd7zXZ": ("compressed with xz", _UNPACK),
    b"(\xb5/\xfd": ("compressed with zstd", _UNPACK),
    b"7z\xbc\xaf": ("a 7-Zip archive", _UNPACK),
}


def check_text(data: bytes, source: str) -> None:
    """Reject what starts like a file of another kind."""
    for start, (kind, fix) in _KINDS.items():
        if data.startswith(start) and not _CONTROL.isdisjoint(data[:_LOOKED_AT]):
            raise DataError([Problem("binary", f"it is {kind}, not text; {fix}")], source)

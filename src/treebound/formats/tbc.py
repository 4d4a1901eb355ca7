"""The native ``.tbc`` file of a cache: a zip archive with a JSON header and ``.npy`` arrays, no code inside.

Integers are stored in the smallest type that holds them, sizes instead of offsets. ``numpy.load`` opens the
arrays too. Everything in a file is checked before it is believed, lengths before memory is taken.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
import zlib
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound._files import MAX_UNPACKED_TEXT_MB, TooLargeError, atomic_write, joined, pieces_at_most
from treebound.constraints import Constraints
from treebound.data import Fingerprint
from treebound.formats._native_json import schema_from_json
from treebound.scoring import Bdeu, Bic, CacheError, Coverage, ParentSetCache, Score

FORMAT = "treebound parent-set cache"
VERSION = 2
_HEADER = "header.json"
_RESUME = "resume/"
_PLAIN = ("names", "provenance", "score_rounding")
_NEEDED = ("names", "coverage", "provenance", "schema", "score")
_ARRAYS = ("set_counts", "sizes", "scores", "parents", "complete")
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
_RESUME_NAME = re.compile(r"[A-Za-z0-9_.-]+")


def write_tbc(cache: ParentSetCache, path: str | os.PathLike[str]) -> None:
    """Write a cache to a ``.tbc`` file, replacing it in one step."""
    header = {"format": FORMAT, "version": VERSION, **{name: getattr(cache, name) for name in _PLAIN}}
    header["schema"] = None if cache.schema is None else cache.schema.to_json()
    header["score"] = None if cache.score is None else {"name": cache.score.name, **asdict(cache.score)}
    header["coverage"] = None if cache.coverage is None else cache.coverage.to_json()
    header["constraints"] = None if cache.constraints is None else cache.constraints.to_dict()
    header["fingerprint"] = None if cache.fingerprint is None else asdict(cache.fingerprint)
    arrays: dict[str, NDArray[Any]] = {
        "set_counts": _smallest(np.diff(cache.set_offsets)),
        "sizes": _smallest(cache.sizes),
        "scores": cache.scores,
        "parents": _smallest(cache.parents),
        "complete": cache.complete,
    }
    for name, array in (cache.resume or {}).items():
        if not _RESUME_NAME.fullmatch(name) or array.dtype.hasobject:
            raise CacheError(
                f"Resume arrays need plain names and numbers, got {name!r} of type {array.dtype}."
            )
        arrays[_RESUME + name] = array
    with atomic_write(path) as file, zipfile.ZipFile(file, "w") as archive:
        _add(archive, _HEADER, json.dumps(header, allow_nan=False).encode(), zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            # Scores are as good as random bits to a compressor; the rest shrinks well.
            packing = zipfile.ZIP_STORED if array.dtype.kind == "f" else zipfile.ZIP_DEFLATED
            _add(archive, f"{name}.npy", _npy(array), packing)


def read_tbc(path: str | os.PathLike[str], max_unpacked_mb: int) -> ParentSetCache:
    """Read a ``.tbc`` file."""
    with open(path, "rb") as file:
        if not zipfile.is_zipfile(file):
            raise CacheError(
                "expected a treebound cache (.tbc), got something else or a file that was cut short."
            )
        try:
            with zipfile.ZipFile(file) as archive:
                header, arrays = _unpacked(archive, max_unpacked_mb)
        except _ZIP_ERRORS as error:
            raise CacheError(f"damaged or cut short ({type(error).__name__}: {error}).") from error
    return _cache_of(header, arrays)


def _unpacked(archive: zipfile.ZipFile, max_mb: int) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Header and arrays; sizes that the archive announces are checked first, the real ones on the way."""
    members = {member.filename: member for member in archive.infolist()}
    if _HEADER not in members:
        raise CacheError(f"expected a treebound cache (.tbc), got a zip archive without {_HEADER}.")
    if sum(member.file_size for member in archive.infolist()) > max_mb << 20:
        raise TooLargeError(max_mb)
    if members[_HEADER].file_size > MAX_UNPACKED_TEXT_MB << 20:
        raise CacheError(f"expected a {_HEADER} of at most {MAX_UNPACKED_TEXT_MB} MB.")
    header = json.loads(_member(archive, members.pop(_HEADER), max_mb))
    _check_header(header)
    return header, {
        name.removesuffix(".npy"): _array(_member(archive, member, max_mb))
        for name, member in members.items()
    }


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, max_mb: int) -> bytes:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others unpack without limit
        raise CacheError(f"expected members that are stored or deflated, got {member.filename[:60]!r}.")
    with archive.open(member) as packed:
        return joined(pieces_at_most(packed, max_mb << 20, max_mb))


def _cache_of(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> ParentSetCache:
    missing = [name for name in _ARRAYS if name not in arrays] + [n for n in _NEEDED if n not in header]
    if missing:
        raise CacheError(f"expected a treebound cache (.tbc), got one without {', '.join(missing)}.")
    _check_lengths(len(header["names"]), arrays)
    resume = {name.removeprefix(_RESUME): arrays[name] for name in arrays if name.startswith(_RESUME)}
    return ParentSetCache(
        set_offsets=_offsets(arrays["set_counts"]),
        scores=arrays["scores"],
        parent_offsets=_offsets(arrays["sizes"]),
        parents=arrays["parents"].astype(np.uint32),
        complete=arrays["complete"],
        resume=resume or None,
        names=header["names"],
        coverage=_coverage_in(header["coverage"]),
        provenance=header["provenance"],
        schema=None if header["schema"] is None else schema_from_json(header["schema"], CacheError),
        score=_score_in(header["score"]),
        # Came in later: files without them are read as if they did not know.
        fingerprint=_fingerprint_in(header.get("fingerprint")),
        score_rounding=header.get("score_rounding", 0.0),
        constraints=_constraints_in(header.get("constraints")),
    )


def _coverage_in(fields: Any) -> Coverage | None:
    if fields is None:
        return None
    try:
        return Coverage(**fields)
    except (TypeError, ValueError) as error:
        raise CacheError(f"expected a coverage, got {str(fields)[:60]}: {error}") from error


def _constraints_in(fields: Any) -> Constraints | None:
    if fields is None:
        return None
    try:
        return Constraints.from_dict(fields)
    except (TypeError, ValueError) as error:
        raise CacheError(f"expected constraints, got {str(fields)[:60]}: {error}") from error


def _check_lengths(num_variables: int, arrays: dict[str, NDArray[Any]]) -> None:
    """Reject arrays that do not fit together, before offsets are made that are wider than sizes."""
    expected = {
        "set_counts": num_variables,
        "complete": num_variables,
        "sizes": arrays["scores"].size,
    }
    for name, length in expected.items():
        if arrays[name].shape != (length,):
            raise CacheError(f"expected {name} to have {length} entries, got shape {arrays[name].shape}.")


def _score_in(fields: Any) -> Score | None:
    match fields:
        case {"name": Bic.name, "penalty": float() | int() as penalty}:
            return Bic(penalty)
        case {"name": Bic.name}:
            return Bic()
        case {"name": Bdeu.name, "equivalent_sample_size": float() | int() as size}:
            return Bdeu(size)
    return None


def _fingerprint_in(fields: Any) -> Fingerprint | None:
    match fields:
        case None:
            return None
        case {"num_rows": int() as num_rows, "digest": str() as digest}:
            return Fingerprint(num_rows, digest)
    raise CacheError(f"expected a fingerprint with num_rows and digest, got {str(fields)[:60]}.")


def _check_header(header: Any) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise CacheError(f"expected a header with format {FORMAT!r}, got something else.")
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise CacheError(f"expected format version {VERSION}, got {version!r}; score the table again.")


def _add(archive: zipfile.ZipFile, name: str, data: bytes, packing: int) -> None:
    # A fixed date, so equal caches give equal files.
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, packing, 1)


def _npy(array: NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


def _array(data: bytes) -> NDArray[Any]:
    """Read an array whose length is what is there, not what its header says."""
    stream = io.BytesIO(data)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, fortran, kind = readers[np.lib.format.read_magic(stream)](stream)
    if kind.kind not in "biuf":
        raise CacheError(f"expected arrays of numbers, got {kind}.")
    values = np.frombuffer(data, kind, offset=stream.tell())
    return values.reshape(shape, order="F" if fortran else "C")


def _smallest(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def _offsets(counts: NDArray[Any]) -> NDArray[np.int64]:
    if counts.dtype.kind != "u" or counts.ndim != 1:
        raise CacheError(
            f"expected counts as a list of unsigned integers, got {counts.dtype}, shape {counts.shape}."
        )
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, dtype=np.int64, out=offsets[1:])
    return offsets

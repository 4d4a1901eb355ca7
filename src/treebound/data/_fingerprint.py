"""A fingerprint of an encoded table, by which a cache is known to belong to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from treebound.data._schema import Schema


@dataclass(frozen=True)
class Fingerprint:
    """The number of rows, and a digest of the schema and of all codes, row by row."""

    num_rows: int
    digest: str

    @classmethod
    def of(cls, schema: Schema, codes: NDArray[Any]) -> Fingerprint:
        """Take the fingerprint of contiguous codes."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(repr((codes.dtype.str, codes.shape)).encode())
        for v in schema:
            told = (v.name, v.states, v.kind, v.ordered, v.edges, v.is_whole)
            digest.update(repr(told).encode())
        digest.update(codes.reshape(-1).data)
        return cls(codes.shape[1], digest.hexdigest())

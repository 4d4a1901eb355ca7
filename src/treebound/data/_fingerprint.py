"""A fingerprint of an encoded table, by which a cache is known to belong to it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound.data._schema import Schema

# Rows of a block; where rows lie in several places, those of a block that lies across two are moved.
BLOCK_ROWS = 4096
_DIGEST_BYTES = 16


@dataclass(frozen=True)
class Fingerprint:
    """The number of rows, and a digest of the schema and of the digests of blocks of rows, in their order."""

    num_rows: int
    digest: str

    @classmethod
    def of(cls, schema: Schema, codes: NDArray[Any]) -> Fingerprint:
        """Take the fingerprint of codes."""
        return cls.of_blocks(schema, codes.shape[1], block_digests(codes))

    @classmethod
    def of_blocks(cls, schema: Schema, num_rows: int, digests: Iterable[bytes]) -> Fingerprint:
        """Take the fingerprint of rows of which the digests of all blocks are known."""
        digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        digest.update(repr((len(schema), num_rows)).encode())
        for v in schema:
            fields = (v.name, v.states, v.kind, v.ordered, v.edges, v.is_whole)
            digest.update(repr((*fields, "missing state") if v.has_missing_state else fields).encode())
        for block in digests:
            digest.update(block)
        return cls(num_rows, digest.hexdigest())


def block_digests(codes: NDArray[Any]) -> Iterator[bytes]:
    """The digests of blocks of rows, of which the first begins with the first row."""
    for first in range(0, codes.shape[1], BLOCK_ROWS):
        block = np.ascontiguousarray(codes[:, first : first + BLOCK_ROWS])
        yield hashlib.blake2b(block.reshape(-1).data, digest_size=_DIGEST_BYTES).digest()

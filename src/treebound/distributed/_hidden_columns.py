"""Columns of hidden variables in encoded parts: missing in every row, which is code 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treebound.data import Schema
from treebound.distributed._client import check_version, version_here
from treebound.distributed._counting import EncodedPart, packed_part, states_with_missing

if TYPE_CHECKING:
    from distributed import Client, Future


def differ_by_hidden(before: Schema, after: Schema) -> bool:
    """Whether two schemas have the same variables, apart from the hidden ones of the second."""
    kept = {variable for variable in before if variable.name not in after.hidden}
    return kept == {after[int(v)] for v in after.observed}


def with_hidden_columns(
    client: Client, parts: Sequence[Future], before: Schema, after: Schema, *, is_complete: bool
) -> list[Future]:
    """Return the parts with the columns of another schema; those of its hidden variables are missing."""
    columns = [-1 if one.is_hidden else before.position(one.name) for one in after]
    states, version = states_with_missing(after), version_here()
    return [
        client.submit(_with_columns, part, columns, states, is_complete, version, pure=False)
        for part in parts
    ]


def _with_columns(
    part: EncodedPart, columns: Sequence[int], states: Sequence[int], is_complete: bool, version: str
) -> EncodedPart:
    check_version(version)
    known = part.rows.codes().astype(np.int32) + int(is_complete)
    codes = np.zeros((len(columns), part.rows.num_rows), dtype=np.int32)
    is_kept = np.array(columns) >= 0
    codes[is_kept] = known[[column for column in columns if column >= 0]]
    return packed_part(part.number, codes, states, 0)

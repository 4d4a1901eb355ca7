"""Names that are looked up in a network: the caller knows the network, not its schema."""

from __future__ import annotations

from treebound.data import DataError, Schema


def position_of(name: str, schema: Schema) -> int:
    """Index of a variable of a network; an error that names the nearest one if there is none."""
    try:
        return schema.position(name)
    except DataError as error:
        raise DataError(error.problems, "the network") from None

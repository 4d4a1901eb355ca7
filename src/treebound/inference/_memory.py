"""Whether a junction tree fits: sizes are computed before anything is made."""

from __future__ import annotations

from treebound import _core
from treebound.inference._errors import InferenceError
from treebound.structure import spelled_bytes

BYTES_PER_CELL = 8


def message_bytes(tree: _core.CliqueTree) -> float:
    """Two messages for each separator."""
    return BYTES_PER_CELL * 2 * tree.all_separators


def bytes_of(tree: _core.CliqueTree, num_table_cells: int) -> float:
    """What a calibrated tree keeps: the tables, and all messages."""
    return BYTES_PER_CELL * num_table_cells + message_bytes(tree)


def check_tree(tree: _core.CliqueTree, needed: float, max_bytes: int) -> None:
    """Raise unless all messages fit."""
    if needed > max_bytes:
        raise InferenceError(
            f"The junction tree has width {tree.width} and {tree.all_cliques:.3g} cells, and its messages "
            f"need {spelled_bytes(needed)}, more than max_bytes={max_bytes} ({spelled_bytes(max_bytes)}). "
            "Learn a network of smaller treewidth, give it a better elimination_order, or raise max_bytes."
        )


def check_tables(cells: float, what: str, max_bytes: int) -> None:
    """Raise unless the tables that a single query makes fit."""
    needed = BYTES_PER_CELL * cells
    if needed > max_bytes:
        raise InferenceError(
            f"{what} needs tables of {spelled_bytes(needed)}, more than max_bytes={max_bytes} "
            f"({spelled_bytes(max_bytes)}). Query fewer variables, add evidence, or raise max_bytes."
        )

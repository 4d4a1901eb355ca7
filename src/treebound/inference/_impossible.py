"""The one rule about rows whose observed cells have probability zero: reject them, or return NaN."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treebound.inference._errors import ImpossibleEvidence

Impossible = Literal["raise", "nan"]
_MAX_LISTED = 5


def check_impossible(impossible: Impossible) -> None:
    """Reject another word than the two."""
    if impossible not in get_args(Impossible):
        raise ValueError(f"impossible must be 'raise' or 'nan', got {impossible!r}.")


def check_rows_possible(is_possible: NDArray[Any]) -> None:
    """Reject rows that are impossible, and name the first ones, counted from one."""
    wrong = tuple(np.flatnonzero(~is_possible.astype(np.bool_)).tolist())
    if wrong:
        listed = ", ".join(str(row + 1) for row in wrong[:_MAX_LISTED])
        more = f" and {len(wrong) - _MAX_LISTED} more" if len(wrong) > _MAX_LISTED else ""
        where = f"{'row' if len(wrong) == 1 else 'rows'} {listed}{more}"
        raise ImpossibleEvidence(
            f"{where}: the observed values have probability 0 under this network. "
            "Pass impossible='nan' to get NaN or missing values, or fit the network with a prior.",
            rows=wrong,
        )

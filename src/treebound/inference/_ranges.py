"""Evidence about a number that lies in a range, as likelihoods of the bins."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from treebound.data import Variable
from treebound.inference._errors import InferenceError

_NUMBERS = (int, float, np.integer, np.floating)


def is_range(finding: Any, variable: Variable) -> TypeGuard[tuple[Any, Any]]:
    """Whether a finding is a pair (low, high) about a binned variable; None is an open end."""
    if variable.edges is None or not isinstance(finding, tuple) or len(finding) != 2:
        return False
    return not any(isinstance(end, str) for end in finding)


def likelihoods_of_range(finding: tuple[Any, Any], variable: Variable) -> NDArray[np.float64]:
    """The share of the numbers of each bin that lie in a range, both ends included.

    A range that holds no remembered number counts like a number: the bins that it touches are possible.
    """
    low, high = (_end(end, infinite) for end, infinite in zip(finding, (-math.inf, math.inf), strict=True))
    if not low <= high:
        raise InferenceError(
            f"A range of {variable.name!r} must be a pair (low, high) of ascending numbers, None for an open "
            f"end, got {finding!r}."
        )
    shares = np.array([kept.share_between(low, high) for kept in variable.bin_values])
    if not shares.any():
        first, last = variable.bin([low, high]).tolist()
        shares[first : last + 1] = 1
    return np.append(shares, 0.0) if variable.has_missing_state else shares


def _end(end: Any, infinite: float) -> float:
    """The number at an end, NaN if it is none."""
    if end is None:
        return infinite
    return float(end) if isinstance(end, _NUMBERS) and not isinstance(end, bool) else math.nan

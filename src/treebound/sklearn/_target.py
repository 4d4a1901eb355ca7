"""The target as a variable, named as its column was: its states are classes, or bins of numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from treebound.data import Discretise, Variable, domain_of
from treebound.tables import Choices, frame_library, infer_schema, open_table, plain_value

DEFAULT_NAME = "target"


@dataclass(frozen=True, eq=False)
class Target:
    """The value of each state, ascending, the state of each row, and the variable.

    Of numbers ``inside`` is the share of the numbers in the same bin that are lower.
    """

    values: NDArray[Any]
    codes: NDArray[np.int32]
    variable: Variable
    inside: NDArray[np.float64] | None = None

    def take(self, order: NDArray[np.intp]) -> Target:
        """Some of the rows, in an order."""
        inside = None if self.inside is None else self.inside[order]
        return replace(self, codes=self.codes[order], inside=inside)


def labels_of(y: Any) -> NDArray[Any]:
    """The class of each row; an error if there are none, or numbers that are no classes."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    return labels


def target_of(name: str, labels: NDArray[Any]) -> Target:
    """The classes among the labels, and their variable."""
    classes, codes = np.unique(labels, return_inverse=True)
    domain = domain_of([plain_value(label) for label in classes.tolist()], is_text=False)  # type: ignore[misc]
    variable = Variable(name, domain.labels, domain.kind, ordered=domain.kind != "text")
    return Target(classes, codes.astype(np.int32), variable)


def name_of(y: Any, taken: Collection[str]) -> str:
    """The name of a series or of a frame of one column, or a default one; none that a feature has."""
    name = _column_name(y) if frame_library(y) is not None else getattr(y, "name", None)
    name = name if isinstance(name, str) and name else DEFAULT_NAME
    while name in taken:
        name += "_"
    return name


def _column_name(frame: Any) -> Any:
    import narwhals.stable.v2 as nw

    names = nw.from_native(frame, eager_only=True).columns
    return names[0] if len(names) == 1 else None


def numbers_of(y: Any) -> NDArray[np.float64]:
    """The number of each row; an error if there are none."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    numbers: NDArray[np.float64] = column_or_1d(y, warn=True, dtype=np.float64)
    assert_all_finite(numbers, input_name="y")
    return numbers


def binned_target_of(
    name: str, numbers: NDArray[np.float64], weights: NDArray[np.float64] | None, bins: int
) -> Target:
    """Numbers cut into bins of equal counts, with their means as the values of the states."""
    table = replace(open_table(numbers[:, None]), names=(name,))
    choices = Choices(discretise={name: Discretise("quantile", bins)}, only=(name,))
    (variable,) = infer_schema(table, choices)
    codes = variable.bin(numbers).astype(np.int32)
    totals, sizes = (
        np.bincount(codes, amounts, minlength=variable.cardinality)
        for amounts in ((numbers, None) if weights is None else (numbers * weights, weights))
    )
    return Target(totals / sizes, codes, variable, _shares_below(numbers, codes))


def _shares_below(numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """The share of the numbers of the same bin that are lower, equal ones by half."""
    found = np.zeros(len(numbers))
    for code in np.unique(codes):
        part = np.sort(numbers[codes == code])
        ends = [np.searchsorted(part, numbers[codes == code], side) for side in ("left", "right")]
        found[codes == code] = (ends[0] + ends[1]) / (2 * len(part))
    return found

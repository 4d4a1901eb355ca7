"""The target of a classifier as a variable: named as its column was, with its classes as states."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from treebound.data import Rows, Variable, domain_of, frame_library, plain_value

DEFAULT_NAME = "target"


@dataclass(frozen=True, eq=False)
class Target:
    """The classes, ascending, the position of that of each row among them, and the variable."""

    classes: NDArray[Any]
    codes: Rows
    variable: Variable


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

"""Evidence as users write it, and findings as the core reads them.

A finding is a label (the variable is in that state), several labels (it is in one of them: a set, or a list
of texts), a range of a binned variable (a pair of numbers), or likelihoods (how likely the observation is in
each state, up to a common factor: a list of numbers in the order of the states, or a mapping from labels).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from treebound._visible import one_line
from treebound.data import DataError, Schema, Variable
from treebound.inference._errors import InferenceError
from treebound.inference._ranges import is_range, likelihoods_of_range
from treebound.tables import ColumnError, plain_value

Finding: TypeAlias = (
    str
    | int
    | float
    | bool
    | AbstractSet[Any]
    | Sequence[str]
    | tuple[float | None, float | None]
    | Sequence[float]
    | NDArray[Any]
    | Mapping[Any, float]
)
Evidence: TypeAlias = Mapping[str, Finding]

_PLAIN = frozenset({str, int, bool})
_SHARE_OF_FINDERS = 8
_MOST_LISTED = 5


@dataclass(frozen=True, eq=False)
class Findings:
    """``codes`` holds the states of variables with hard findings, -1 elsewhere; ``soft`` likelihoods."""

    codes: NDArray[np.int32]
    soft: dict[int, NDArray[np.float64]]

    @property
    def variables(self) -> list[int]:
        """Indices of all variables with a finding."""
        return [*np.flatnonzero(self.codes >= 0).tolist(), *self.soft]

    def describe(self, schema: Schema) -> str:
        """The findings in a few words, in the order of the variables; of many only the first."""
        known = sorted(self.variables)
        findings = [self._describe(v, schema) for v in known[:_MOST_LISTED]]
        more = [f"{len(known) - _MOST_LISTED:,} more"] if len(known) > _MOST_LISTED else []
        return ", ".join([*findings, *more])

    def _describe(self, v: int, schema: Schema) -> str:
        name = one_line(schema.names[v])
        if v not in self.soft:
            return f"{name} = {one_line(schema[v].states[self.codes[v]])}"
        weights = self.soft[v] / self.soft[v].max()
        possible = np.flatnonzero(weights).tolist()
        are_equal = bool((weights[possible] == 1).all())
        if len(possible) > _MOST_LISTED:
            return f"{name} in {len(possible):,} states" if are_equal else f"likelihoods of {name}"
        states = [one_line(schema[v].states[code]) for code in possible]
        if not are_equal:
            states = [f"{state}:{weights[code]:.2g}" for state, code in zip(states, possible, strict=True)]
        return f"{name} = {' or '.join(states)}"

    def only(self, variables: Sequence[int]) -> Findings:
        """The findings about some variables alone."""
        codes = np.full_like(self.codes, -1)
        hard = [v for v in variables if v not in self.soft]
        codes[hard] = self.codes[hard]
        return Findings(codes, {v: self.soft[v] for v in variables if v in self.soft})

    def and_hard(self, variable: int, code: int) -> Findings:
        """These findings, and that a variable is in a state, whatever they say about it."""
        codes = self.codes.copy()
        codes[variable] = code
        return Findings(codes, {v: weights for v, weights in self.soft.items() if v != variable})

    def flat(self) -> tuple[NDArray[Any], ...]:
        """Codes, then soft findings end to end."""
        sizes = [0, *(len(weights) for weights in self.soft.values())]
        weights = np.concatenate([np.empty(0), *self.soft.values()])
        variables = np.array(list(self.soft), dtype=np.uint32)
        return self.codes, variables, np.cumsum(sizes, dtype=np.int64), weights


def findings_of(evidence: Evidence | None, schema: Schema) -> Findings:
    """Check evidence against the schema."""
    codes = np.full(len(schema), -1, dtype=np.int32)
    soft: dict[int, NDArray[np.float64]] = {}
    known = as_mapping(evidence)
    # Where most of a wide network is known, looking up states takes longer than the query.
    finders = schema.finders if len(known) * _SHARE_OF_FINDERS > len(schema) else None
    for name, finding in known.items():
        position = _position(name, schema)
        if finders is not None and type(finding) in _PLAIN:
            codes[position] = finders[position](cast("str | int", finding))
            if codes[position] >= 0:
                continue
        encoded = encode_finding(finding, schema[position])
        if isinstance(encoded, int):
            codes[position] = encoded
        else:
            soft[position] = encoded
    return Findings(codes, soft)


def encode_finding(finding: Finding, variable: Variable) -> int | NDArray[np.float64]:
    """Return the code of a state, or the likelihood of each state."""
    if isinstance(finding, Mapping):
        return _by_label(finding, variable)
    if is_range(finding, variable):
        return likelihoods_of_range(finding, variable)
    if _are_labels(finding):
        return _one_of(finding, variable)
    if isinstance(finding, np.ndarray | Sequence) and not isinstance(finding, str):
        return _checked(cast("Sequence[float]", finding), variable)
    return code_of(finding, variable)


def as_mapping(evidence: Any) -> Mapping[str, Finding]:
    """Evidence by name: None is none of it, and a pandas Series, such as a row of a frame, is a mapping."""
    if evidence is None:
        return {}
    is_series = getattr(evidence, "ndim", 0) == 1 and hasattr(evidence, "to_dict")
    if is_series and not isinstance(evidence, Mapping):
        # What to_dict() gives, in a tenth of the time.
        evidence = dict(zip(evidence.index.tolist(), evidence.tolist(), strict=True))
    if not isinstance(evidence, Mapping):
        raise InferenceError(
            "Evidence must map names of variables to states or likelihoods, as in {'rain': 'yes'}, "
            f"got {str(evidence)[:60]!r} of type {type(evidence).__name__}."
        )
    return evidence


def names_of(variables: str | Iterable[str]) -> tuple[str, ...]:
    """The variables requested, one or several."""
    if not isinstance(variables, str | Iterable):
        raise InferenceError(f"Expected variables by name, got {variables!r}.")
    return (variables,) if isinstance(variables, str) else tuple(variables)


def positions_of(names: Sequence[str], schema: Schema) -> list[int]:
    """Indices of variables requested, which must differ."""
    positions = [_position(name, schema) for name in names]
    if not positions or len(set(positions)) < len(positions):
        raise InferenceError(f"Expected one or more different variables, got {list(names)}.")
    return positions


def _position(name: str, schema: Schema) -> int:
    try:
        return schema.position(name)
    except DataError as unknown:
        raise InferenceError(_sentence(unknown)) from None


def code_of(label: Any, variable: Variable) -> int:
    """The code of a state, given as a cell of a table may hold it: text, a number, a date, an interval."""
    try:
        value = plain_value(label)
    except ColumnError:
        value = label
    try:
        return variable.code(label if value is None and not variable.has_missing_state else value)
    except DataError as unseen:
        raise InferenceError(_sentence(unseen)) from None


def by_code(entries: Mapping[Any, Any], variable: Variable) -> dict[int, Any]:
    """Entries by label as entries by code; an error for labels such as ``1`` and ``"1"`` of one state."""
    labels: dict[int, Any] = {}
    for label in entries:
        code = code_of(label, variable)
        if code in labels:
            raise InferenceError(
                f"{labels[code]!r} and {label!r} are the same state {variable.states[code]!r} of "
                f"{variable.name!r}. Give it once."
            )
        labels[code] = label
    return {code: entries[label] for code, label in labels.items()}


def _sentence(error: DataError) -> str:
    """What is wrong, without the place: the caller knows a network, not its schema."""
    message = "; ".join(map(str, error.problems))
    message = message[0].upper() + message[1:]
    return message if message.endswith("?") else f"{message}."


def _by_label(finding: Mapping[Any, float], variable: Variable) -> NDArray[np.float64]:
    weights: list[Any] = [0.0] * variable.cardinality
    for code, weight in by_code(finding, variable).items():
        weights[code] = weight
    return _checked(weights, variable)


def _are_labels(finding: Any) -> TypeGuard[Collection[Any]]:
    """Whether a finding lists states: a set, or a sequence with a text in it; numbers are likelihoods."""
    if isinstance(finding, AbstractSet):
        return True
    is_list = isinstance(finding, list | tuple | np.ndarray)
    return is_list and any(isinstance(label, str) for label in finding)


def _one_of(labels: Collection[Any], variable: Variable) -> NDArray[np.float64]:
    if len(labels) == 0:
        raise InferenceError(f"The states of {variable.name!r} must be one or more, got none.")
    weights = np.zeros(variable.cardinality)
    weights[[code_of(label, variable) for label in labels]] = 1
    return weights


def _checked(likelihoods: Sequence[float] | NDArray[Any], variable: Variable) -> NDArray[np.float64]:
    try:
        weights = np.asarray(likelihoods, dtype=np.float64)
    except (TypeError, ValueError):
        raise InferenceError(
            f"The likelihoods of {variable.name!r} must be {variable.cardinality} numbers, one for each of "
            f"its states, got {likelihoods!r}."
        ) from None
    if weights.shape != (variable.cardinality,):
        is_numeric = variable.kind in ("integer", "float", "binned")
        hint = "; write a set to name states, as in {1, 2}" if is_numeric else ""
        raise InferenceError(
            f"The likelihoods of {variable.name!r} must be {variable.cardinality} numbers, one for each of "
            f"its states, got an array of shape {weights.shape}{hint}."
        )
    if not (np.all(weights >= 0) and np.all(np.isfinite(weights)) and np.any(weights > 0)):
        raise InferenceError(
            f"The likelihoods of {variable.name!r} must be finite, not negative and not all "
            f"zero, got {weights.tolist()}."
        )
    return weights

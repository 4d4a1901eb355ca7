"""Results as small records: numbers next to the names and labels they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from math import exp
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treebound._description import MOST_ROWS, Bar, Cell, Described, Description, Histogram, Table
from treebound._visible import one_line
from treebound.data import Schema, Variable, nearest
from treebound.inference._errors import InferenceError, UnknownLabel
from treebound.inference._evidence import code_of
from treebound.inference._frames import Backend, frame_of, long_frame, values_of

_SMALLEST_LOG = -690.0  # exp() of less has fewer digits, and soon none


class Intervention(Protocol):
    """What was set from outside, in words, and what results for some variables depend on."""

    def notes(self, targets: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return sentences on arcs whose direction is not known."""


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Described, Mapping[Any, float]):
    """A distribution of one variable, or a joint one: a mapping from states to probabilities.

    A state is given as evidence is: ``p["old"]``, ``p[0]``, ``p[True]``, a number for a binned variable, a
    date; a joint one as a tuple, in the order of ``variables``. ``array`` holds the probabilities with one
    axis for each variable, and numpy takes the posterior itself for it. ``print`` draws bars. ``given`` is
    the evidence in a few words, ``intervention`` what ``do`` has set.
    """

    variables: tuple[Variable, ...]
    array: NDArray[np.float64]
    given: str = ""
    intervention: Intervention | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(variable.name for variable in self.variables)

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The labels of the states of each variable."""
        return tuple(variable.states for variable in self.variables)

    def __getitem__(self, state: Any) -> float:
        """The probability of a state, or of one for each variable."""
        states = (state,) if len(self.variables) == 1 and not isinstance(state, tuple) else state
        if not isinstance(states, tuple) or len(states) != len(self.variables):
            raise InferenceError(f"Expected one label for each of {self.names}, got {state!r}.")
        try:
            codes = tuple(map(code_of, states, self.variables))
        except InferenceError as unknown:
            raise UnknownLabel(str(unknown)) from None
        return float(self.array[codes])

    def __iter__(self) -> Iterator[Any]:
        if len(self.variables) == 1:
            return iter(values_of(self.variables[0]))
        return product(*map(values_of, self.variables))

    def __len__(self) -> int:
        return self.array.size

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype=dtype, copy=copy)

    def to_dict(self) -> dict[Any, float]:
        """Probabilities by state, those of joint states by tuples."""
        return dict(zip(self, self.array.ravel().tolist(), strict=True))

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """A frame with a row for each joint state: a column for each variable, and ``probability``."""
        return long_frame(self.variables, self.array, backend)

    def to_series(self) -> Any:
        """A pandas Series with the states for its index, with a level for each variable of a joint one."""
        import pandas  # type: ignore[import-untyped]

        levels = [values_of(variable) for variable in self.variables]
        if len(levels) == 1:
            index = pandas.Index(levels[0], name=self.names[0])
        else:
            index = pandas.MultiIndex.from_product(levels, names=self.names)
        return pandas.Series(self.array.ravel(), index=index, name="probability")

    def __repr__(self) -> str:
        return str(self)

    def describe(self, most: int | None = MOST_ROWS) -> Description:
        """Return a chart of the first ``most`` probabilities."""
        labels = islice(product(*self.labels), most)
        shares = self.array.ravel()[:most].tolist()
        rows: list[list[Cell]] = [
            [*states, f"{share:.4f}", Bar(share)] for states, share in zip(labels, shares, strict=True)
        ]
        headings = [*self.names, "probability", ""]
        chart = Table(headings, rows, len(self) - len(rows), right=range(len(self.variables)))
        notes, data = _notes(self.intervention, self.names), {}
        if len(self.variables) == 1:
            data = dict(zip(self.labels[0], self.array.tolist(), strict=True))
        return Description(self._title(), tables=[chart], notes=notes, data=data)

    def _title(self) -> str:
        conditions = _conditions(self.given, self.intervention)
        given = f" | {conditions}" if conditions else ""
        return f"P({', '.join(map(one_line, self.names))}{given})"


@dataclass(frozen=True, eq=False, repr=False)
class Marginals(Described, Mapping[str, Posterior]):
    """The posterior of every variable, by name. ``flat`` holds them end to end, from ``starts[v]`` on.

    ``given`` is the evidence in a few words, ``intervention`` what ``do`` has set.
    """

    schema: Schema
    starts: tuple[int, ...]
    flat: NDArray[np.float64]
    given: str = ""
    intervention: Intervention | None = None

    def __getitem__(self, name: str) -> Posterior:
        if name not in self.schema:
            raise UnknownLabel(f"There is no variable {name!r}.")
        v = self.schema.position(name)
        variable = self.schema[v]
        first = self.starts[v]
        return Posterior(
            (variable,), self.flat[first : first + variable.cardinality], self.given, self.intervention
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.schema.names)

    def __len__(self) -> int:
        return len(self.schema)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """A frame with a row for each state of each variable: ``variable``, ``state`` and ``probability``.

        States are there by their labels, since one column holds those of variables of all kinds.
        """
        columns: dict[str, list[Any]] = {
            "variable": [variable.name for variable in self.schema for _ in variable.states],
            "state": [label for variable in self.schema for label in variable.states],
            "probability": self.flat.tolist(),
        }
        return frame_of(columns, backend)

    def __repr__(self) -> str:
        return str(self)

    def describe(self) -> Description:
        """Return the most probable state of each variable."""
        shown = [self[name] for name in self.schema.names[:MOST_ROWS]]
        rows: list[list[Cell]] = [
            [
                one_line(one.names[0]),
                one_line(one.labels[0][int(one.array.argmax())]),
                f"{one.array.max():.4f}",
                Histogram(one.array.tolist()),
            ]
            for one in shown
        ]
        headings = ["variable", "most probable", "probability", "all states"]
        title = f"Marginals{_given(self.given, self.intervention)}"
        table = Table(headings, rows, max(0, len(self) - MOST_ROWS))
        return Description(title, tables=[table], notes=_notes(self.intervention))


@dataclass(frozen=True, repr=False)
class MostProbable(Described, Mapping[str, str]):
    """One label for each variable requested: a mapping from names to labels, as ``assignment`` is.

    ``log_joint`` is the logarithm of the probability of these labels together with the evidence,
    ``log_probability`` that of the labels given the evidence, which is ``given`` in a few words.
    ``intervention`` is what ``do`` has set. ``is_exact`` is false for a mixture, in which another state may
    be more probable.
    """

    assignment: dict[str, str]
    log_joint: float
    log_probability: float
    given: str = ""
    intervention: Intervention | None = None
    is_exact: bool = True

    def __getitem__(self, name: str) -> str:
        if name not in self.assignment:
            raise UnknownLabel(f"There is no variable {name!r}{nearest(str(name), self) or '.'}")
        return self.assignment[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.assignment)

    def __len__(self) -> int:
        return len(self.assignment)

    def __repr__(self) -> str:
        return str(self)

    def describe(self, most: int | None = MOST_ROWS) -> Description:
        """Return the states of the first ``most`` variables."""
        shown = islice(self.assignment.items(), most)
        rows = [[one_line(name), one_line(label)] for name, label in shown]
        table = Table(["variable", "state"], rows, len(self) - len(rows))
        given = _given(self.given, self.intervention)
        title = f"Most probable together{given}: {_probability(self.log_probability)}"
        inexact = "approximate, as the model is a mixture; another state may be more probable"
        notes = [*_notes(self.intervention), *([] if self.is_exact else [inexact])]
        data = {
            "most_probable": self.assignment,
            "most_probable_log_probability": self.log_probability,
            "most_probable_is_exact": self.is_exact,
        }
        return Description(title, tables=[table], notes=notes, data=data)


def _given(evidence: str, intervention: Intervention | None) -> str:
    conditions = _conditions(evidence, intervention)
    return f" given {conditions}" if conditions else ""


def _conditions(evidence: str, intervention: Intervention | None) -> str:
    """What was set, then what is known."""
    return ", ".join(part for part in (str(intervention or ""), evidence) if part)


def _notes(intervention: Intervention | None, targets: Iterable[str] | None = None) -> list[str]:
    return [] if intervention is None else list(intervention.notes(targets))


def _probability(log: float) -> str:
    """Return the probability behind a logarithm, or the logarithm where it is too small for a number."""
    return f"probability {exp(log):.4g}" if log > _SMALLEST_LOG else f"log-probability {log:.4f}"


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """How much one finding moves the posterior of a target: ``evidence`` names the state of ``finding``.

    ``without`` is the posterior when only this finding is dropped, ``alone`` when it is the only one.
    ``shift_without`` and ``shift_alone`` are the total variation distances from the posterior given all
    findings, and from the one given none.
    """

    finding: str
    evidence: str
    without: NDArray[np.float64]
    alone: NDArray[np.float64]
    shift_without: float
    shift_alone: float

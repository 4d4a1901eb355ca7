"""A made-up clinic with speaking names: the truth behind the table of ``treebound demo``.

Its numbers are invented. Each column has states from harmless to severe; each parent shifts the odds towards
the severe end by a number per state, and the shifts of all parents add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from treebound.network import BayesianNetwork


@dataclass(frozen=True)
class Column:
    """Log-odds of the states without any shift, and the shifts by the states of each parent."""

    states: tuple[str, ...]
    base: tuple[float, ...]
    shifts: dict[str, tuple[float, ...]]


def _level(states: str, *base: float, **shifts: tuple[float, ...]) -> Column:
    by_name = {name.replace("_", " "): shift for name, shift in shifts.items()}
    return Column(tuple(states.split("/")), base, by_name)


def _finding(base: float, **shifts: tuple[float, ...]) -> Column:
    return _level("no/yes", 0.0, base, **shifts)


_COLUMNS = {
    "age": _level("under 40/40 to 59/60 and over", 0.1, 0.2, 0.0),
    "sex": _level("female/male", 0.0, 0.0),
    "education": _level("school/college/university", 0.2, 0.3, 0.0, age=(0.3, 0.0, -0.4)),
    "smoker": _level("never/former/daily", 0.6, 0.0, -0.2, education=(0.5, 0.0, -0.6)),
    "alcohol": _level("none/some/much", 0.0, 0.8, -0.6, sex=(-0.3, 0.4)),
    "exercise": _level("daily/weekly/never", -0.4, 0.2, 0.0, education=(0.5, 0.0, -0.5)),
    "diet": _level("good/mixed/poor", -0.2, 0.4, -0.2, education=(0.4, 0.0, -0.5)),
    "weight": _level(
        "normal/overweight/obese", 0.3, 0.1, -0.9, exercise=(-0.7, 0.0, 0.7), diet=(-0.6, 0.0, 0.6)
    ),
    "stress": _level("low/medium/high", 0.1, 0.3, 0.0),
    "sleep": _level("good/fair/poor", 0.3, 0.0, -0.5, stress=(-0.9, 0.0, 0.9)),
    "mood": _level("good/fair/low", 0.3, 0.0, -0.7, stress=(-0.5, 0.0, 0.6), sleep=(-0.5, 0.1, 0.7)),
    "blood pressure": _level(
        "normal/raised/high", 0.4, 0.0, -0.8, age=(-0.9, 0.0, 0.9), weight=(-0.6, 0.0, 0.8)
    ),
    "cholesterol": _level("normal/raised/high", 0.4, 0.0, -0.7, diet=(-0.8, 0.0, 0.8), age=(-0.5, 0.0, 0.4)),
    "blood sugar": _level("normal/raised/high", 0.7, -0.2, -1.4, weight=(-0.6, 0.0, 0.9)),
    "diabetes": _finding(-2.4, blood_sugar=(-2.5, 0.3, 3.4)),
    "thirst": _finding(-2.2, diabetes=(0.0, 2.8)),
    "vision problems": _finding(-2.0, diabetes=(0.0, 1.6), age=(-0.9, 0.0, 1.1)),
    "kidney damage": _finding(-3.0, diabetes=(0.0, 1.7), blood_pressure=(-0.6, 0.0, 1.3)),
    "heart disease": _finding(
        -2.6, blood_pressure=(-1.0, 0.0, 1.2), cholesterol=(-0.8, 0.0, 1.0), smoker=(-0.6, 0.2, 1.1)
    ),
    "chest pain": _finding(-2.5, heart_disease=(0.0, 2.9), stress=(-0.4, 0.0, 0.6)),
    "ECG": _level("normal/abnormal", 1.0, -1.2, heart_disease=(0.0, 3.2)),
    "troponin": _level("normal/raised", 1.2, -1.5, heart_disease=(0.0, 3.6)),
    "lung disease": _finding(-2.4, smoker=(-1.3, 0.4, 1.5)),
    "spirometry": _level("normal/reduced", 1.1, -1.3, lung_disease=(0.0, 3.4)),
    "infection": _finding(-1.6),
    "fever": _finding(-3.2, infection=(0.0, 3.4)),
    "cough": _finding(-2.0, lung_disease=(0.0, 2.3), infection=(0.0, 2.2)),
    "breathlessness": _finding(-2.8, lung_disease=(0.0, 2.4), heart_disease=(0.0, 1.9)),
    "fatigue": _finding(-1.3, sleep=(-0.9, 0.0, 1.2), infection=(0.0, 1.6)),
    "headache": _finding(-1.4, stress=(-0.8, 0.0, 1.0), blood_pressure=(-0.3, 0.0, 0.6)),
    "statin": _finding(-2.6, cholesterol=(-1.2, 0.4, 2.2), heart_disease=(0.0, 1.9)),
    "insulin": _finding(-5.0, diabetes=(0.0, 5.2)),
    "beta blocker": _finding(-3.0, blood_pressure=(-1.0, 0.2, 1.6), heart_disease=(0.0, 1.8)),
    "hospital": _finding(-2.9, heart_disease=(0.0, 1.7), infection=(0.0, 1.2), lung_disease=(0.0, 1.3)),
}


def clinic() -> BayesianNetwork:
    """Return the network that the patients are sampled from."""
    return BayesianNetwork.from_tables(
        {name: _table(column) for name, column in _COLUMNS.items()},
        parents={name: list(column.shifts) for name, column in _COLUMNS.items()},
        states={name: list(column.states) for name, column in _COLUMNS.items()},
    )


def _table(column: Column) -> NDArray[np.float64]:
    """Return the probabilities of the states, the last axis, for each joint state of the parents."""
    severity = np.arange(len(column.states))
    shape = tuple(len(by) for by in column.shifts.values())
    odds = np.empty((*shape, len(column.states)))
    for place in product(*map(range, shape)):
        shift = sum(by[i] for by, i in zip(column.shifts.values(), place, strict=True))
        odds[place] = np.exp(np.array(column.base) + shift * severity)
    probabilities: NDArray[np.float64] = odds / odds.sum(axis=-1, keepdims=True)
    return probabilities

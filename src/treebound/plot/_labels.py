"""Names next to their nodes: for each name the one of a few places where it hides least.

Lengths are in typographic points. The widths of texts are estimated from their numbers of letters, which is
close enough to avoid collisions and needs no renderer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treebound._visible import visible

_LONGEST = 24  # letters
_LETTER_WIDTH, _LINE_HEIGHT = 0.6, 1.25  # of the font size
# Where a label may stand, best first: which point of the node's box touches which of the label's.
_SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)], dtype=float)
_CLEAR = 2.5  # room between a text and a line or its arrowhead
_LABEL_COST, _NODE_COST, _LINE_COST, _OUTSIDE_COST = 50.0, 8.0, 1.0, 100.0


def shortened(name: str) -> str:
    """Return a name that fits on one short line."""
    flat = visible(" ".join(name.split())) or "·"
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"


def text_halves(texts: Sequence[str], size: float) -> NDArray[np.float64]:
    """Return half the estimated width and height of each text, whose lines may be several."""
    letters = [[len(line) for line in text.split("\n")] for text in texts]
    halves = [(_LETTER_WIDTH * max(line) / 2, _LINE_HEIGHT * len(line) / 2) for line in letters]
    return size * np.array(halves).reshape(-1, 2)


def place(
    texts: Sequence[str],
    at: NDArray[np.float64],
    gaps: NDArray[np.float64],
    *,
    size: float,
    nodes: NDArray[np.float64],
    lines: NDArray[np.float64],
    frame: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the centres of texts about points, each ``gaps`` away from its own.

    ``nodes`` and ``lines`` are points better left visible; ``frame`` is the lower left and the upper right
    corner of the paper. Texts choose in the order given.
    """
    centres = np.empty((len(texts), 2))
    halves = text_halves(texts, size)
    for i in range(len(texts)):
        diagonal = np.abs(_SIDES).sum(axis=1) == 2
        reach = np.where(diagonal, 0.7 * gaps[i], gaps[i])[:, None] + halves[i]
        choices = at[i] + _SIDES * reach
        cost = 0.1 * np.arange(len(choices))
        cost += _NODE_COST * _inside(nodes, choices, halves[i])
        cost += _LINE_COST * _inside(lines, choices, halves[i] + _CLEAR)
        cost += _LABEL_COST * _overlap(choices, halves[i], centres[:i], halves[:i])
        outside = (choices - halves[i] < frame[0]) | (choices + halves[i] > frame[1])
        cost += _OUTSIDE_COST * outside.any(axis=1)
        centres[i] = choices[cost.argmin()]
    return centres


def _inside(
    points: NDArray[np.float64], centres: NDArray[np.float64], half: NDArray[np.float64]
) -> NDArray[np.float64]:
    apart = np.abs(points[None, :, :] - centres[:, None, :])
    return np.asarray((apart < half).all(axis=2).sum(axis=1).astype(float))


def _overlap(
    centres: NDArray[np.float64],
    half: NDArray[np.float64],
    others: NDArray[np.float64],
    halves: NDArray[np.float64],
) -> NDArray[np.float64]:
    shared = half + halves[None, :, :] - np.abs(centres[:, None, :] - others[None, :, :])
    return np.asarray((np.maximum(shared, 0).prod(axis=2) / (4 * half.prod())).sum(axis=1))

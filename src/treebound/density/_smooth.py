"""The smooth mixture: a decoder turns points of a small latent space into tables of networks.

All networks share one structure. Each step draws new points, so the decoder is trained for the whole latent
space and not for a fixed set of components (continuous mixtures, Correia et al. 2023, over trees; here over
any network of bounded treewidth). At the end a fixed set of points makes a plain finite mixture. The last
steps are taken at these points: a few hundred of them are then as good as thousands of others.
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._run import new_run
from treebound.data import Dataset
from treebound.density._points import latent_points
from treebound.density._pooled import pooled_logits
from treebound.inference import offsets, table_sizes
from treebound.network import SharedMixture
from treebound.structure import Structure

_FLOOR = 1e-9
# Components of the finite mixture: the larger number where the tables of one component have few cells.
_MANY_POINTS, _FEW_POINTS = 1024, 512
_FEW_CELLS = 2048


@dataclass(frozen=True)
class SmoothOptions:
    """Shape of the decoder and of a training step; the defaults are those of small tables."""

    num_dimensions: int = 8
    num_layers: int = 3
    num_units: int = 128
    num_points: int = 512
    batch_rows: int = 256
    rate: float = 2e-3
    decay: float = 0.0


# From so many rows on, a step sees more of them: its decoder costs the same, and its slopes are less noisy.
_MANY_ROWS, _MOST_ROWS = 8_000, 100_000
# The weights of the decoder's last layer decay by this number divided by that of the rows: a prior counts for
# less the more rows there are.
_DECAY_ROWS, _MOST_DECAY = 16_000, 10.0


def options_for(num_rows: int) -> SmoothOptions:
    """Return the options for a table; the rate rises with the root of the rows of a step."""
    times = 4 if num_rows >= _MOST_ROWS else 2 if num_rows >= _MANY_ROWS else 1
    usual = SmoothOptions()
    return replace(
        usual,
        batch_rows=times * usual.batch_rows,
        rate=math.sqrt(times) * usual.rate,
        decay=min(_DECAY_ROWS / num_rows, _MOST_DECAY),
    )


class SmoothMixture:
    """A smooth mixture in training.

    ``scale`` is the size of the last layer at the start: with a small one the decoder starts near a single
    network and may never use the latent space, with a large one near noise.
    """

    def __init__(
        self,
        structure: Structure,
        rows: Dataset,
        weights: NDArray[np.float64],
        *,
        scale: float,
        seed: int,
        threads: int,
        options: SmoothOptions | None = None,
    ) -> None:
        self.structure, self._options = structure, options or options_for(rows.num_rows)
        self._families = _families_of(structure)
        self._rows = self.encode(rows)
        self._weights = (weights / weights.mean()).astype(np.float32)
        self._bias = pooled_logits(structure, rows, weights)
        self.use_threads(threads)
        self._start(scale, seed)

    def restarted(self, scale: float, seed: int) -> SmoothMixture:
        """Return a new one over the same structure and rows."""
        other = copy(self)
        other._start(scale, seed)
        return other

    def _start(self, scale: float, seed: int) -> None:
        options = self._options
        self._rng, self._is_settled = np.random.default_rng(seed), False
        hidden = [options.num_units] * options.num_layers
        sizes = [options.num_dimensions, *hidden, len(self._bias)]
        start = _initial(sizes, self._bias, scale, self._rng)
        self._core = _core.SmoothMixture(self._families, sizes, start)
        self._order = np.empty(0, dtype=np.uint32)

    def use_threads(self, threads: int) -> None:
        """Use so many threads from now on."""
        self._run = new_run(None, threads)

    def settle(self) -> None:
        """Take all further steps at the final points."""
        self._is_settled = True

    def release(self) -> None:
        """Give back the memory of the last step, which the next one takes again."""
        self._core.release()

    def encode(self, rows: Dataset) -> _core.TrainingRows:
        """Return rows as the core reads them."""
        return _core.TrainingRows(self._families, np.ascontiguousarray(rows.codes, dtype=np.int32))

    @property
    def parameters(self) -> NDArray[np.float32]:
        """Weights and biases of the decoder, to be kept and put back."""
        return self._core.parameters()

    @parameters.setter
    def parameters(self, values: NDArray[np.float32]) -> None:
        self._core.set_parameters(values)

    def step(self, rate: float, sharpness: float = 1.0) -> None:
        """Take one step of Adam on the next rows, at new points or the final ones.

        Rows are shared out among components by this power of their probabilities.
        """
        batch, options = self._next_batch(), self._options
        if self._is_settled:
            points = self.final_points
        else:
            points = latent_points(options.num_points, options.num_dimensions, self._rng)
        weights = self._weights[batch]
        self._core.step(
            self._rows,
            batch,
            weights / max(weights.sum(), _FLOOR),
            points,
            _equal_logs(points.shape[1]),
            rate * options.rate,
            options.decay,
            sharpness,
            self._run,
        )

    @property
    def num_cells(self) -> int:
        """Number of table entries of one component."""
        schema = self.structure.schema
        assert schema is not None
        return sum(table_sizes(self.structure.parent_indices, schema.cardinalities))

    @property
    def steps_per_epoch(self) -> int:
        """Number of steps that see all rows once."""
        return -(-self._rows.num_rows // self._options.batch_rows)

    def log_likelihoods(self, rows: _core.TrainingRows, points: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the log-likelihood of rows in the mixture of these points, all with the same weight."""
        places = np.arange(rows.num_rows, dtype=np.uint32)
        found: NDArray[np.float64] = np.full(rows.num_rows, -np.inf)
        size = self._options.num_points
        for first in range(0, points.shape[1], size):
            chunk = np.ascontiguousarray(points[:, first : first + size])
            zeros = np.zeros(chunk.shape[1], dtype=np.float32)
            part = self._core.log_likelihoods(rows, places, chunk, zeros, self._run)
            found = np.logaddexp(found, part)
        found -= np.log(points.shape[1])
        return found

    @cached_property
    def final_points(self) -> NDArray[np.float32]:
        """The points of the finite mixture."""
        return self.points(_MANY_POINTS if self.num_cells <= _FEW_CELLS else _FEW_POINTS)

    def points(self, num_points: int) -> NDArray[np.float32]:
        """Return points for a finite mixture, the same ones each time."""
        return latent_points(num_points, self._options.num_dimensions, np.random.default_rng(0))

    def mixture(self, points: NDArray[np.float32]) -> SharedMixture:
        """Return the finite mixture of these points."""
        cells = self._core.tables(points, self._run).reshape(-1, points.shape[1])
        schema = self.structure.schema
        assert schema is not None
        ends = offsets(table_sizes(self.structure.parent_indices, schema.cardinalities))
        tables = [
            _normalised(part.T.astype(np.float64), states)
            for part, states in zip(np.split(cells, ends[1:-1]), schema.cardinalities, strict=True)
        ]
        return SharedMixture(self.structure, np.full(points.shape[1], 1 / points.shape[1]), tuple(tables))

    def _next_batch(self) -> NDArray[np.uint32]:
        size = min(self._options.batch_rows, self._rows.num_rows)
        if len(self._order) < size:
            self._order = self._rng.permutation(self._rows.num_rows).astype(np.uint32)
        batch, self._order = self._order[:size], self._order[size:]
        return np.ascontiguousarray(batch)


def _families_of(structure: Structure) -> _core.Families:
    schema, parents = structure.schema, structure.parent_indices
    assert schema is not None
    return _core.Families(
        np.array(schema.cardinalities, dtype=np.uint32),
        offsets([len(family) for family in parents]),
        np.array([parent for family in parents for parent in family], dtype=np.uint32),
        offsets(table_sizes(parents, schema.cardinalities)),
        np.array(structure.witness.elimination_order, dtype=np.uint32),
    )


def _initial(
    sizes: list[int], bias: NDArray[np.float32], scale: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return random weights and no biases, except that the last layer starts at the pooled tables."""
    parts: list[NDArray[np.float64]] = []
    for inputs, outputs in pairwise(sizes):
        is_last = len(parts) == 2 * (len(sizes) - 2)
        parts.append(rng.normal(0, (scale if is_last else 1) / np.sqrt(inputs), outputs * inputs))
        parts.append(bias.astype(np.float64) if is_last else np.zeros(outputs))
    return np.concatenate(parts).astype(np.float32)


def _equal_logs(num_points: int) -> NDArray[np.float32]:
    return np.full(num_points, -np.log(num_points), dtype=np.float32)


def _normalised(tables: NDArray[np.float64], num_states: int) -> NDArray[np.float64]:
    """Return tables whose rows sum to one in double precision: (components, cells)."""
    rows = tables.reshape(len(tables), -1, num_states)
    scaled: NDArray[np.float64] = rows / rows.sum(axis=2, keepdims=True)
    return scaled.reshape(len(tables), -1)

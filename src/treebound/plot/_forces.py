"""Forces that relax a drawing: edges pull (distance squared), all nodes push (one over distance squared).

The scheme is that of Fruchterman and Reingold (1991), with an ideal edge length of one and a temperature that
falls. Their push, one over distance, was tried and dropped: over hundreds of nodes it adds up, stretches the
middle and crowds the leaves.

All pairs push, yet a step takes time linear in the nodes: they are spread on a square mesh, the push of the
whole mesh is one convolution by fast Fourier transform, and each node reads the force where it stands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_STEPS = 120
# A weak pull to the middle keeps unconnected parts together; divided by the radius that many nodes fill.
_GRAVITY = 1.2
_MESH = (64, 256)  # fewest and most cells on a side
_MARGIN = 1e-9


def relax(start: Points, edges: NDArray[np.int64], weights: NDArray[np.float64] | None = None) -> Points:
    """Return the positions after a fixed number of steps from a start in which no two nodes coincide.

    ``weights`` say how strongly each node is drawn to the middle; usually 1.
    """
    num_nodes = len(start)
    if num_nodes < 2:
        return start.copy()
    points = start - start.mean(axis=0)
    # About the size that the forces want, so steps are spent on the shape.
    points *= 0.6 * np.sqrt(num_nodes) / max(np.sqrt((points**2).sum(axis=1).mean()), _MARGIN)
    mesh = _Mesh(num_nodes)
    gravity = _GRAVITY / np.sqrt(num_nodes) * (np.ones(num_nodes) if weights is None else weights)[:, None]
    # Hotter, small parts swing so hard that they wander off.
    hottest = 0.03 * np.sqrt(num_nodes) + 0.3
    for step in range(_STEPS):
        force = mesh.push(points) + _pull(points, edges) - gravity * points
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), _MARGIN)
        heat = hottest * (1 - step / _STEPS) ** 2
        points = points + force * (np.minimum(length, heat) / length)[:, None]
    return np.asarray(points)


def _pull(points: Points, edges: NDArray[np.int64]) -> Points:
    tails, heads = edges[:, 0], edges[:, 1]
    delta = points[heads] - points[tails]
    delta *= np.hypot(delta[:, 0], delta[:, 1])[:, None]
    return np.column_stack(
        [
            np.bincount(tails, delta[:, axis], len(points)) - np.bincount(heads, delta[:, axis], len(points))
            for axis in (0, 1)
        ]
    )


class _Mesh:
    """The push of every node on every other, by convolution on a square mesh around them."""

    def __init__(self, num_nodes: int) -> None:
        fewest, most = _MESH
        self.side = int(np.clip(2 ** np.ceil(np.log2(4 * np.sqrt(num_nodes))), fewest, most))
        # Twice the side, so the transform's wrap-around never reaches a node.
        offset = np.fft.fftfreq(2 * self.side, 1 / (2 * self.side))
        x, y = np.meshgrid(offset, offset, indexing="ij")
        # Softened within a cell, where the mesh cannot resolve directions.
        cubed = (x**2 + y**2 + 0.25) ** 1.5
        self.kernels = [np.fft.rfft2(x / cubed), np.fft.rfft2(y / cubed)]

    def push(self, points: Points) -> Points:
        low = points.min(axis=0)
        cell = max(float(np.ptp(points, axis=0).max()), _MARGIN) / (self.side - 2)
        place = (points - low) / cell
        corner = np.floor(place).astype(np.int64)
        part = place - corner
        size = 2 * self.side
        # A node is shared by the four corners of its cell, more by the nearer, and reads back with them.
        shares = [
            (
                (corner[:, 0] + i) * size + corner[:, 1] + j,
                np.abs(1 - i - part[:, 0]) * np.abs(1 - j - part[:, 1]),
            )
            for i in (0, 1)
            for j in (0, 1)
        ]
        mass = sum(np.bincount(index, share, size * size) for index, share in shares)
        spectrum = np.fft.rfft2(np.reshape(mass, (size, size)))
        fields = [np.fft.irfft2(spectrum * kernel, (size, size)).ravel() for kernel in self.kernels]
        force = np.column_stack([sum(field[index] * share for index, share in shares) for field in fields])
        return force / cell**2

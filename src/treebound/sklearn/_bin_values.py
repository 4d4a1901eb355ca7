"""How numbers are distributed inside the bins that they were cut into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Quantiles that are kept of each bin, from its least to its greatest number.
_KEPT = np.linspace(0, 1, 65)


@dataclass(frozen=True, eq=False)
class BinValues:
    """Evenly spaced quantiles of the numbers in each bin, one row for each; linear between them."""

    quantiles: NDArray[np.float64]

    @classmethod
    def of(cls, numbers: NDArray[np.float64], bins: NDArray[np.integer], num_bins: int) -> BinValues:
        """The quantiles of numbers, each with its bin; a bin without numbers takes those of all."""
        parts = [numbers[bins == place] for place in range(num_bins)]
        return cls(np.array([np.quantile(part if len(part) else numbers, _KEPT) for part in parts]))

    def quantile(self, probabilities: NDArray[np.float64], level: float) -> NDArray[np.float64]:
        """A quantile of each distribution over the bins, which are ascending."""
        above = np.cumsum(probabilities, axis=1)
        level_of_rows = level * above[:, -1]
        bins = np.minimum((above < level_of_rows[:, None]).sum(axis=1), probabilities.shape[1] - 1)
        rows = np.arange(len(bins))
        inside = probabilities[rows, bins]
        start = above[rows, bins] - inside
        share = np.clip((level_of_rows - start) / np.where(inside > 0, inside, 1.0), 0.0, 1.0)
        place = share * (len(_KEPT) - 1)
        low = np.minimum(place.astype(np.intp), len(_KEPT) - 2)
        first, second = self.quantiles[bins, low], self.quantiles[bins, low + 1]
        found: NDArray[np.float64] = first + (place - low) * (second - first)
        return found

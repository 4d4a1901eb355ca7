"""What the server keeps: one network, ready to answer, and what the page draws of it.

A model never changes after it is made, except for a few networks after interventions that it keeps for the
next question. What a tab shows is known to the tab alone, hence tabs do not disturb each other.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from treebound.explorer._communities import communities
from treebound.explorer._rows import RowTable
from treebound.explorer._strength import arc_strengths
from treebound.network import BayesianNetwork
from treebound.plot import decomposition_layout, layout

_MOST_KEPT = 4  # networks after interventions


class Model:
    """A network with everything that is computed once for it."""

    def __init__(
        self,
        network: BayesianNetwork,
        name: str,
        rows: RowTable | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        report = progress or (lambda _: None)
        self.network, self.name, self.rows = network, name, rows
        report("building the junction tree")
        self.prior: NDArray[np.float64] = network.marginals().flat
        report("measuring the arcs")
        self.arcs = np.array(network.arc_indices, dtype=np.int64).reshape(-1, 2)
        self.strengths = arc_strengths(network)
        self.communities = communities(network.num_variables, self.arcs, self.strengths)
        report("placing the variables")
        self.points = layout(network.structure)
        self.bag_points, self.bag_links = decomposition_layout(network.structure.witness)
        self._after: OrderedDict[tuple[tuple[str, str], ...], BayesianNetwork] = OrderedDict()
        self._lock = threading.Lock()

    def after(self, settings: Mapping[str, str]) -> BayesianNetwork:
        """The network after an intervention; those of the last few interventions are kept."""
        if not settings:
            return self.network
        key = tuple(sorted(settings.items()))
        with self._lock:
            network = self._after.pop(key, None) or self.network.do(settings)
            self._after[key] = network
            if len(self._after) > _MOST_KEPT:
                self._after.popitem(last=False)
        return network

"""Missing cells filled in by the network, given the rest of the row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_seed
from treebound.data import Fill, Unseen, Variable, encode_opened, filled, open_rows
from treebound.inference import Impossible

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork

ImputeStrategy = Literal["most_probable", "draw"]


def impute(
    network: BayesianNetwork,
    table: Any,
    *,
    strategy: ImputeStrategy,
    seed: int,
    unseen: Unseen,
    impossible: Impossible,
    threads: int | None = None,
) -> Any:
    """A copy of the table with its missing cells filled in."""
    if strategy not in get_args(ImputeStrategy):
        raise ValueError(f"strategy must be 'most_probable' or 'draw', got {strategy!r}.")
    seed = check_seed(seed)
    opened = open_rows(table, network.schema)
    rows = encode_opened(opened, network.schema, unseen=unseen)
    tree = network.junction_tree
    if strategy == "most_probable":
        complete = tree.most_probable_rows(rows, impossible=impossible, threads=threads)
    else:
        complete = tree.sample_rows_given(rows, seed, impossible=impossible, threads=threads)
    rng = np.random.default_rng(seed) if strategy == "draw" else None
    fills = {}
    for column, name in enumerate(opened.names):
        if name not in network.schema:
            continue
        index = network.schema.position(name)
        places = np.flatnonzero(rows[index] < 0)
        if len(places) and unseen == "missing":
            places = opened.read(column).missing_rows()
        places = places[complete[index, places] >= 0]  # impossible rows keep their gaps
        if len(places):
            fills[name] = _fill(network.schema[index], places, complete[index, places], rng)
    return filled(table, opened, fills)


def _fill(
    variable: Variable, rows: NDArray[np.intp], codes: NDArray[np.integer], rng: np.random.Generator | None
) -> Fill:
    if variable.edges is None:
        return Fill(variable, rows, codes, variable.decode(codes))
    numbers = variable.middle(codes) if rng is None else variable.draw_inside(codes, rng)
    return Fill(variable, rows, codes, numbers.astype(np.int64) if variable.is_whole else numbers)

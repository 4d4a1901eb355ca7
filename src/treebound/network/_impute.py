"""Missing cells filled in by the network, given the rest of the row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_seed
from treebound.data import Codes, Dataset, Variable
from treebound.inference import Impossible
from treebound.tables import Fill, Fills, Table, Unseen

if TYPE_CHECKING:
    from treebound.network._model import Model

#: How missing cells are filled in. "multiple" makes several tables, each of them drawn.
ImputeStrategy = Literal["most_probable", "draw", "multiple"]


def check_strategy(strategy: object) -> None:
    """Reject anything but the three strategies."""
    if strategy not in get_args(ImputeStrategy):
        raise ValueError(f"strategy must be 'most_probable', 'draw' or 'multiple', got {strategy!r}.")


def fills_of(
    model: Model,
    opened: Table,
    rows: Dataset,
    *,
    strategy: ImputeStrategy,
    seed: int,
    unseen: Unseen,
    impossible: Impossible,
    threads: int | None = None,
) -> Fills:
    """What goes into the missing cells of a table, by column; ``rows`` are those that it holds, encoded."""
    check_strategy(strategy)
    seed = check_seed(seed)
    if strategy == "most_probable":
        complete = model.most_probable_rows(rows, impossible=impossible, threads=threads)
    else:
        complete = model.sample_rows_given(rows, seed, impossible=impossible, threads=threads)
    rng = None if strategy == "most_probable" else np.random.default_rng(seed)
    fills = {}
    for column, name in enumerate(opened.names):
        if name in model.schema:
            index = model.schema.position(name)
            places = _places(opened, column, rows.codes[index], complete.codes[index], unseen)
            if len(places):
                new = complete.codes[index, places]
                fills[name] = _fill(model.schema[index], places, new, rng, opened.decimal)
    return fills


def _places(opened: Table, column: int, known: Codes, complete: Codes, unseen: Unseen) -> NDArray[np.intp]:
    """The rows whose cell in a column is filled in: not those of unseen values, nor of impossible rows."""
    places = np.flatnonzero(known < 0)
    if len(places) and unseen == "missing":  # else each of them is a missing cell
        missing = opened.read(column).missing_rows()
        places = missing[known[missing] < 0]
    return places[complete[places] >= 0]


def _fill(
    variable: Variable,
    rows: NDArray[np.intp],
    codes: NDArray[np.integer],
    rng: np.random.Generator | None,
    decimal: str,
) -> Fill:
    if variable.edges is None:
        return Fill(variable, rows, codes, variable.decode(codes), decimal)
    numbers = variable.median(codes) if rng is None else variable.draw_inside(codes, rng)
    return Fill(variable, rows, codes, numbers.astype(np.int64) if variable.is_whole else numbers, decimal)

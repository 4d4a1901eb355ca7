"""Questions to a network about Dask frames: answered lazily, partition by partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound._arguments import check_integer, check_seed, check_type, shown
from treebound.distributed._client import require_dask
from treebound.inference import Impossible
from treebound.network import BayesianNetwork
from treebound.tables import OnAbsent, Unseen, check_absent

_ROWS_PER_PARTITION = 1 << 20


def score_samples(
    network: BayesianNetwork, frame: Any, *, unseen: Unseen = "error", on_absent: OnAbsent = "warn"
) -> Any:
    """Compute the log-likelihood of each row of a Dask frame.

    Parameters
    ----------
    network : BayesianNetwork
        The network to apply.
    frame : dask.dataframe.DataFrame
        Rows; columns are found by name.
    unseen : {"error", "missing"}
        What to do with values that the network does not know.
    on_absent : {"warn", "error", "ignore"}
        What to do if the frame has no column for some variables.

    Returns
    -------
    dask.dataframe.Series
        Nats, computed when they are needed.
    """
    _check(network, frame, on_absent)
    meta = _series(np.zeros(0), "log_likelihood", frame)
    return frame.map_partitions(_score_part, network, unseen, meta=meta)


def predict(
    network: BayesianNetwork,
    frame: Any,
    target: str,
    *,
    unseen: Unseen = "error",
    impossible: Impossible = "raise",
    on_absent: OnAbsent = "warn",
) -> Any:
    """Predict one variable in each row of a Dask frame.

    Parameters
    ----------
    network : BayesianNetwork
        The network to apply.
    frame : dask.dataframe.DataFrame
        Rows; columns are found by name.
    target : str
        The variable to predict.
    unseen : {"error", "missing"}
        What to do with values that the network does not know.
    impossible : {"raise", "nan"}
        What to do with rows of probability zero.
    on_absent : {"warn", "error", "ignore"}
        What to do if the frame has no column for some variables.

    Returns
    -------
    dask.dataframe.Series
        The most probable values, computed when they are needed.
    """
    _check(network, frame, on_absent, target)
    values = network.schema[target].decode(np.zeros(0, dtype=np.intp))
    if impossible == "nan":
        values = values.astype(np.float64 if values.dtype.kind in "iuf" else object)
    meta = _series(values, target, frame)
    return frame.map_partitions(_predict_part, network, target, unseen, impossible, meta.dtype, meta=meta)


def impute(
    network: BayesianNetwork,
    frame: Any,
    *,
    strategy: str = "most_probable",
    seed: int = 0,
    unseen: Unseen = "error",
    impossible: Impossible = "raise",
    on_absent: OnAbsent = "warn",
) -> Any:
    """Fill in the missing cells of a Dask frame.

    Parameters
    ----------
    network : BayesianNetwork
        The network to apply.
    frame : dask.dataframe.DataFrame
        Rows; columns are found by name.
    strategy : str
        As in ``BayesianNetwork.impute``. With ``"draw"``, each partition has a seed of its own.
    seed : int
        Random seed.
    unseen : {"error", "missing"}
        What to do with values that the network does not know.
    impossible : {"raise", "nan"}
        What to do with rows of probability zero.
    on_absent : {"warn", "error", "ignore"}
        What to do if the frame has no column for some variables.

    Returns
    -------
    dask.dataframe.DataFrame
        The frame, computed when it is needed.
    """
    _check(network, frame, on_absent)
    seed = check_seed(seed)
    parts = [
        require_dask("dask").delayed(_impute_part)(
            part, network, strategy, part_seed(seed, number), unseen, impossible, frame._meta
        )
        for number, part in enumerate(frame.to_delayed())
    ]
    return _from_parts(parts, frame._meta, frame.divisions)


def anomaly_scores(
    network: BayesianNetwork, frame: Any, *, unseen: Unseen = "error", on_absent: OnAbsent = "warn"
) -> Any:
    """Compute how surprising each row of a Dask frame is.

    Parameters
    ----------
    network : BayesianNetwork
        The network to apply.
    frame : dask.dataframe.DataFrame
        Rows; columns are found by name.
    unseen : {"error", "missing"}
        What to do with values that the network does not know.
    on_absent : {"warn", "error", "ignore"}
        What to do if the frame has no column for some variables.

    Returns
    -------
    dask.dataframe.DataFrame
        The column ``score`` and one for each variable, computed when they are needed.
    """
    _check(network, frame, on_absent)
    names = ["score", *network.schema.names]
    if "score" in network.schema:
        raise ValueError("A variable is called 'score', as the column of the scores; rename it.")
    meta = _pandas().DataFrame({name: np.zeros(0) for name in names}, index=frame._meta.index[:0])
    return frame.map_partitions(_anomalies_of_part, network, unseen, meta=meta)


def sample(
    network: BayesianNetwork, num_rows: int, seed: int = 0, *, rows_per_partition: int = _ROWS_PER_PARTITION
) -> Any:
    """Sample rows into a Dask frame.

    Parameters
    ----------
    network : BayesianNetwork
        The network to sample from.
    num_rows : int
        Number of rows.
    seed : int
        Random seed; each partition has a seed of its own, made of it.
    rows_per_partition : int
        Size of the partitions.

    Returns
    -------
    dask.dataframe.DataFrame
        Rows, drawn when they are needed.
    """
    check_type("network", network, BayesianNetwork, "a BayesianNetwork")
    num_rows, seed = check_integer("num_rows", num_rows, 1), check_seed(seed)
    rows_per_partition = check_integer("rows_per_partition", rows_per_partition, 1)
    delayed = require_dask("dask").delayed
    sizes = [min(rows_per_partition, num_rows - i) for i in range(0, num_rows, rows_per_partition)]
    parts = [
        delayed(_sample_part)(network, size, part_seed(seed, number), number * rows_per_partition)
        for number, size in enumerate(sizes)
    ]
    return _from_parts(parts, _sample_part(network, 1, 0, 0).iloc[:0], None)


def part_seed(seed: int, number: int) -> int:
    """The seed of a partition."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])


def _score_part(frame: Any, network: BayesianNetwork, unseen: Unseen) -> Any:
    scores = network.score_samples(frame, unseen=unseen, on_absent="ignore") if len(frame) else np.zeros(0)
    return _pandas().Series(scores, index=frame.index, name="log_likelihood")


def _predict_part(
    frame: Any, network: BayesianNetwork, target: str, unseen: Unseen, impossible: Impossible, dtype: Any
) -> Any:
    values: Any = []
    if len(frame):
        values = network.predict(frame, target, unseen=unseen, impossible=impossible, on_absent="ignore")
    return _pandas().Series(values, index=frame.index, name=target).astype(dtype)


def _impute_part(
    frame: Any,
    network: BayesianNetwork,
    strategy: Any,
    seed: int,
    unseen: Unseen,
    impossible: Impossible,
    meta: Any,
) -> Any:
    if len(frame) == 0:
        return frame
    how: Any = {"strategy": strategy, "seed": seed, "unseen": unseen, "impossible": impossible}
    filled = network.impute(frame, **how, on_absent="ignore")
    return filled.astype(meta.dtypes.to_dict())


def _anomalies_of_part(frame: Any, network: BayesianNetwork, unseen: Unseen) -> Any:
    pandas = _pandas()
    names = ["score", *network.schema.names]
    if len(frame) == 0:
        return pandas.DataFrame({name: np.zeros(0) for name in names}, index=frame.index)
    found = network.anomaly_scores(frame, unseen=unseen, on_absent="ignore")
    result = pandas.DataFrame({"score": found.scores}, index=frame.index)
    for name in network.schema.names:
        result[name] = np.asarray(found.contributions[name])
    return result


def _sample_part(network: BayesianNetwork, num_rows: int, seed: int, first: int) -> Any:
    frame = network.sample(num_rows, seed, threads=1).to_frame("pandas")
    frame.index = _pandas().RangeIndex(first, first + num_rows)
    return frame


def _from_parts(parts: list[Any], meta: Any, divisions: Any) -> Any:
    return require_dask("dask.dataframe").from_delayed(
        parts, meta=meta, divisions=divisions, verify_meta=False
    )


def _series(values: Any, name: str, frame: Any) -> Any:
    return _pandas().Series(values, index=frame._meta.index[:0], name=name)


def _pandas() -> Any:
    return require_dask("pandas")


def _check(network: Any, frame: Any, on_absent: OnAbsent, target: str | None = None) -> None:
    """Check the arguments of a query once; the partitions have the columns of the frame."""
    check_type("network", network, BayesianNetwork, "a BayesianNetwork")
    if not isinstance(frame, require_dask("dask.dataframe").DataFrame):
        raise TypeError(f"frame must be a Dask DataFrame, got {shown(frame)}.")
    check_absent(tuple(map(str, frame.columns)), network.schema, on_absent, target, "the frame")

"""Work on a Dask cluster instead of the threads of this process: ``--workers`` and ``--scheduler``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from treebound._learn import LearnResult
    from treebound.data import Dataset, LoadingOptions
    from treebound.distributed import PartitionedTable
    from treebound.network import BayesianNetwork
    from treebound.scoring import ScoringResult

WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        help="Work on N processes of this machine, started for this run.",
    ),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Work on the Dask cluster at ADDRESS, such as tcp://host:8786."
    ),
]


def asked_cluster(workers: int | None, scheduler: str | None, **others: object) -> dict[str, Any]:
    """The cluster as arguments of ``treebound.distributed``; nothing if none is asked for.

    ``others`` are options for the threads of one process, by name, which are refused beside it.
    """
    if workers is not None and scheduler is not None:
        raise ValueError("--workers starts a cluster and --scheduler names one; give one of them.")
    if workers is None and scheduler is None:
        return {}
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"--{name} is for one process, and the work is done on a cluster; leave it out.")
    return {"cluster": workers} if scheduler is None else {"client": scheduler}


def is_folder(source: Path, cluster: dict[str, Any]) -> bool:
    """Whether the source is a folder of Parquet files, which only a cluster takes."""
    if source.is_dir() and not cluster:
        raise ValueError(f"{source} is a folder of Parquet files, which needs --workers or --scheduler.")
    return source.is_dir()


@contextmanager
def opened_folder(
    folder: Path, cluster: dict[str, Any], loading: dict[str, Any]
) -> Iterator[tuple[PartitionedTable, dict[str, Any]]]:
    """The rows of a folder on the workers, and the cluster that has them, open for all that is done."""
    from treebound.distributed import PartitionedTable, connected

    with connected(cluster.get("client"), cluster.get("cluster")) as client:
        options: LoadingOptions = {**loading}  # type: ignore[typeddict-item]
        yield PartitionedTable.of(client, folder, options), {"client": client}


def scorer(cluster: dict[str, Any]) -> Callable[..., ScoringResult]:
    """``score`` of this process or of the cluster."""
    if not cluster:
        from treebound.scoring import score

        return score
    from treebound.distributed import score as score_there

    def on_cluster(table: Any, *, threads: None, memory_mb: None, **options: Any) -> ScoringResult:
        return score_there(table, **cluster, **options)

    return on_cluster


@contextmanager
def executing(cluster: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Where the runs of a comparison are done, as an argument of ``compare``."""
    if not cluster:
        yield {}
        return
    from treebound.distributed import connected, executor

    with connected(cluster.get("client"), cluster.get("cluster")) as client:
        yield {"execute": executor(client)}


def learner(cluster: dict[str, Any]) -> Callable[..., LearnResult]:
    """``learn`` of this process or of the cluster."""
    if not cluster:
        from treebound._learn import learn

        return learn
    from treebound.distributed import learn as learn_there

    def on_cluster(
        source: Any, max_treewidth: int | None, *, threads: None, memory_mb: None, **options: Any
    ) -> LearnResult:
        return learn_there(source, max_treewidth, **cluster, **options)

    return on_cluster


def fitter(
    rows: Dataset | PartitionedTable, cluster: dict[str, Any], threads: int | None
) -> Callable[[LearnResult], BayesianNetwork]:
    """``fit`` to rows that are here, or in parts on the cluster."""
    from treebound.data import Dataset

    if isinstance(rows, Dataset):
        from treebound.network import fit

        return lambda result: fit(result, rows, threads=threads)
    from treebound.distributed import fit as fit_there

    return lambda result: fit_there(result, rows, **cluster)

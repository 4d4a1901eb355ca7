"""Work on a Dask cluster instead of the threads of this process: ``--workers`` and ``--scheduler``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from treebound._learn import LearnResult
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


def check_source(source: Path, cluster: dict[str, Any], *, takes_folder: bool) -> bool:
    """Whether the source is a folder of Parquet files, which only scoring on a cluster takes."""
    if not source.is_dir():
        return False
    if not takes_folder:
        raise ValueError(
            f"{source} is a folder: score it first, with `treebound score {source} -o CACHE --workers N`, "
            "and give the cache here."
        )
    if not cluster:
        raise ValueError(f"{source} is a folder of Parquet files, which needs --workers or --scheduler.")
    return True


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

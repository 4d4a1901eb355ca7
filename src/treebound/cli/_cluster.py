"""Work on a Dask cluster instead of the threads of this process: ``--workers`` and ``--scheduler``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treebound._where import Local

if TYPE_CHECKING:
    from treebound.distributed import Cluster

WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        help="Use N worker processes on this machine.",
    ),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Use the Dask cluster at ADDRESS, such as tcp://host:8786."
    ),
]


def requested_cluster(workers: int | None, scheduler: str | None, **others: object) -> Cluster | None:
    """Return the requested cluster, if any; ``others`` are options, by name, that it excludes."""
    if workers is not None and scheduler is not None:
        raise ValueError("--workers starts a cluster and --scheduler connects to one; pass only one of them.")
    if workers is None and scheduler is None:
        return None
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"--{name} applies only without a cluster; drop it.")
    from treebound.distributed import Cluster

    return Cluster(scheduler if workers is None else workers)


def requested_place(
    workers: int | None, scheduler: str | None, threads: int | None, memory: int | None
) -> Local | Cluster:
    """Return where to work: on the requested cluster, or in this process."""
    cluster = requested_cluster(workers, scheduler, threads=threads, memory=memory)
    return Local(threads, memory) if cluster is None else cluster


@contextmanager
def executing(cluster: Cluster | None) -> Iterator[dict[str, Any]]:
    """Where the runs of a comparison are done, as an argument of ``compare``."""
    if cluster is None:
        yield {}
        return
    from treebound.distributed import executor

    with cluster:
        yield {"execute": executor(cluster.client)}

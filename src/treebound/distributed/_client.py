"""The cluster that does the work: the user's own, by a client or an address, or one that is started here.

A worker takes part only if it runs the same version of treebound; all others are named and rejected.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import version
from numbers import Integral
from typing import TYPE_CHECKING, Any

from treebound._arguments import check_integer, shown
from treebound._budget import MAX_THREADS

if TYPE_CHECKING:
    from distributed import Client

INSTALL = "pip install 'dask[dataframe]' distributed"
# Of a cluster that is started here.
_SETTINGS = {
    # A worker that is not heard of for so long is given up; what it was doing is done by others.
    "distributed.scheduler.worker-ttl": "60s",
    # It ends with the call, and the samples that Dask takes of it are not used: 3 % of the time of two cores.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
}
# Workers of a cluster that was just started may yet be on their way.
_FIRST_WORKER_SECONDS = 10


class ClusterError(OSError):
    """The cluster cannot do the work; the message says why and what to do."""


def require_dask(module: str = "distributed") -> Any:
    """Dask or a part of it, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"work on a cluster needs Dask; install it with: {INSTALL}") from error


@contextmanager
def connected(cluster: Client | str | int) -> Iterator[Client]:
    """A client whose workers are checked; what was started or opened here is closed again."""
    distributed = require_dask()
    if isinstance(cluster, str):
        opening: AbstractContextManager[Client] = _at(cluster)
    elif isinstance(cluster, distributed.Client):
        if cluster.asynchronous:
            raise TypeError("cluster must be a synchronous Client, got an asynchronous one.")
        opening = nullcontext(cluster)
    elif isinstance(cluster, Integral):
        opening = _local(check_integer("cluster", cluster, 1, MAX_THREADS))
    else:
        raise TypeError(
            "cluster must be a number of processes, a distributed.Client or the address of a scheduler, "
            f"got {shown(cluster)}."
        )
    with opening as client, _checked(client):
        yield client


@contextmanager
def _checked(client: Client) -> Iterator[None]:
    """Check the workers, and make the client the one for what Dask offers without naming any."""
    check_workers(client)
    with client.as_current():
        yield


@contextmanager
def _local(num_workers: int) -> Iterator[Client]:
    """A cluster of single-thread processes on this machine."""
    import dask
    import distributed

    with (
        dask.config.set(_SETTINGS),
        distributed.LocalCluster(
            n_workers=num_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs="CRITICAL",
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _at(address: str) -> Iterator[Client]:
    import distributed

    try:
        opened = distributed.Client(address, set_as_default=False, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"There is no Dask scheduler at {address}: {error}") from error
    with opened as client:
        yield client


def check_workers(client: Client) -> None:
    """Reject a cluster without workers, or with some that run another version of treebound."""
    try:
        client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
    except TimeoutError as error:
        raise ClusterError("The cluster has no workers; start some, or wait until they are there.") from error
    found = client.run(version_here, on_error="return")
    for address, result in found.items():
        if isinstance(result, ImportError):
            raise ClusterError(
                f"The worker {address} cannot import treebound ({result}); install version {version_here()} "
                "on all workers."
            )
    # A worker that dies meanwhile does not answer; one that takes its place is checked with its first task.
    wrong = {a: other for a, other in found.items() if isinstance(other, str) and other != version_here()}
    if wrong:
        listed = ", ".join(f"{other} on {address}" for address, other in list(wrong.items())[:5])
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise ClusterError(f"All workers need treebound {version_here()}, as here; got {listed}{more}.")


def version_here() -> str:
    """The version of treebound in this process."""
    return version("treebound")


def check_version(wanted: str) -> None:
    """Reject a task of another version: its worker came after the others had been checked."""
    if wanted != version_here():
        place = f"{os.uname().nodename}, process {os.getpid()}"
        raise ClusterError(f"All workers need treebound {wanted}, got {version_here()} on {place}.")


def num_threads(client: Client) -> int:
    """Threads of all workers."""
    return max(1, sum(map(int, client.nthreads().values())))


def in_background(call: Callable[[], object]) -> None:
    """Call something that may wait for a worker that hangs, without waiting for it."""
    threading.Thread(target=_quietly, args=(call,), daemon=True).start()


def _quietly(call: Callable[[], object]) -> None:
    try:
        call()
    except Exception:
        return  # the cluster is closed, and there is no one to report to

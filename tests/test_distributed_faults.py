"""What goes wrong on a cluster: workers that die or are of another version, a scheduler that is gone."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time

import dask
import distributed
import pandas as pd
import pytest

from clusters import assert_same_cache, chained, cluster_of, in_parts
from strategies_scoring import make_dataset
from treebound import Bic, Budget, Exhaustive, Independence, score
from treebound.distributed import Cluster, _client
from treebound.distributed._shards import Method, Shard, score_shard
from treebound.distributed._tasks import ClusterLost

DATA = make_dataset(chained(40, 3000), [3] * 40)


@pytest.fixture
def processes():
    """Two worker processes; a scheduler that gives up on one that hangs soon, but not on a busy one."""
    with (
        dask.config.set(
            {"distributed.scheduler.worker-ttl": "8s", "distributed.scheduler.allowed-failures": 20}
        ),
        cluster_of(2, processes=True) as client,
    ):
        yield client


class Kill:
    """A progress callback that sends a signal to a worker once, after so many calls."""

    def __init__(self, client, after, sent):
        self.client, self.left, self.sent, self.victims = client, after, sent, []

    def __call__(self, progress):
        self.left -= 1
        if self.left == 0:
            pids = self.client.run(os.getpid)
            self.victims.append(next(iter(pids.values())))
            os.kill(self.victims[0], self.sent)

    def bury(self):
        """End a worker that only hangs, so that another takes its place."""
        assert self.victims
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.victims[0], signal.SIGKILL)


@pytest.mark.parametrize(
    ("method", "sent"),
    [
        (Exhaustive(3), signal.SIGKILL),
        (Independence(4), signal.SIGKILL),
        (Independence(4), signal.SIGSTOP),
    ],
    ids=["exhaustive", "independence", "hung"],
)
def test_a_worker_that_is_lost_costs_its_shard(processes, method, sent):
    budget = Budget(steps=60_000) if isinstance(method, Independence) else None
    kill = Kill(processes, 2, sent)
    together = score(DATA, where=Cluster(processes), parent_sets=method, budget=budget, progress=kill)
    kill.bury()
    assert_same_cache(score(DATA, parent_sets=method, budget=budget).cache, together.cache)


def test_a_worker_that_dies_loses_no_rows(processes):
    table = pd.DataFrame({f"v{v}": column for v, column in enumerate(DATA.codes[:25])})
    kill = Kill(processes, 1, signal.SIGKILL)
    options = {"parent_sets": Exhaustive(2), "budget": None}
    parts = in_parts(table, [900, 2000])
    together = score(parts, where=Cluster(processes), progress=kill, **options)
    assert kill.victims
    assert_same_cache(score(table, **options).cache, together.cache)


def test_a_lost_scheduler_leaves_what_was_scored():
    kept = []
    with cluster_of(2, processes=True) as client:
        closed = threading.Event()

        def close(progress):
            if progress.finished >= 3 and not closed.is_set():
                closed.set()
                client.cluster.close(timeout=5)

        with pytest.raises(ClusterLost, match=r"scheduler of the cluster is lost.*kept"):
            score(
                DATA,
                where=Cluster(client),
                parent_sets=Exhaustive(3),
                budget=None,
                progress=close,
                checkpoint=kept.append,
            )
    cache = kept[-1]
    assert 0 < cache.complete.sum() < 40
    assert cache.variables_without_empty_set == ()


def test_a_worker_of_another_version_is_refused(monkeypatch):
    with cluster_of(1) as client:
        monkeypatch.setattr(client, "run", lambda function, **_: {"tcp://far:1": "0.0.9"})
        with pytest.raises(_client.ClusterError, match=r"need treebound .*; got 0.0.9 on tcp://far:1"):
            score(DATA, where=Cluster(client))
        monkeypatch.setattr(client, "run", lambda function, **_: {"tcp://far:1": ImportError("no treebound")})
        with pytest.raises(
            _client.ClusterError, match=r"tcp://far:1 cannot import treebound \(no treebound\)"
        ):
            score(DATA, where=Cluster(client))
        method = Method("job", "0.0.9", Exhaustive(1), Bic(), (), (), None)
        task = client.submit(score_shard, None, None, method, Shard(0, None))
        with pytest.raises(_client.ClusterError, match=r"need treebound 0.0.9, got"):
            task.result()


def test_a_cluster_without_workers_is_refused(monkeypatch):
    monkeypatch.setattr(_client, "_FIRST_WORKER_SECONDS", 0.1)
    with (
        cluster_of(0) as client,
        pytest.raises(_client.ClusterError, match="has no workers"),
    ):
        score(DATA, where=Cluster(client))


def test_an_address_without_a_scheduler_is_named(monkeypatch):
    def refuse(*_, **__):
        raise OSError("Timed out")

    monkeypatch.setattr(distributed, "Client", refuse)
    with pytest.raises(_client.ClusterError, match="no Dask scheduler at tcp://nobody:1: Timed out"):
        score(DATA, where=Cluster("tcp://nobody:1"))


def test_without_dask_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'dask\[dataframe\]' distributed"):
        score(DATA, where=Cluster(2))


@pytest.mark.parametrize("given", [None, 1.5, [4]])
def test_a_cluster_is_a_number_a_client_or_an_address(given):
    words = "cluster must be a number of processes, a distributed.Client or the address of a scheduler"
    with pytest.raises(TypeError, match=words):
        score(DATA, where=Cluster(given))
    with pytest.raises(ValueError, match="cluster must be at least 1"):
        score(DATA, where=Cluster(0))
    with pytest.raises(TypeError, match=r"where must be Local\(\) or a treebound.distributed.Cluster, got 4"):
        score(DATA, where=4)


def test_a_table_that_does_not_fit_into_a_worker_is_refused():
    # The worker has more than that from the start; Dask would pause it before it can answer.
    with (
        dask.config.set({"distributed.worker.memory.pause": False}),
        cluster_of(1, memory_limit=100_000) as client,
        pytest.raises(_client.ClusterError, match=r"may take .*and the table of 40 columns and 3,000 rows"),
    ):
        score(DATA, where=Cluster(client), budget=Budget(steps=100))


def test_workers_stop_soon_after_ctrl_c(processes):

    def interrupt(progress):
        if progress.steps > 0:
            raise KeyboardInterrupt

    result = score(
        DATA,
        where=Cluster(processes),
        parent_sets=Independence(8),
        budget=Budget(seconds=600),
        progress=interrupt,
    )
    assert result.report.stopped == "interrupted"
    assert result.report.sets_scored > 0
    for _ in range(100):
        if not any(processes.processing().values()):
            break
        time.sleep(0.1)
    assert not any(processes.processing().values())

"""Dask clusters for tests: workers that are threads of this process, started once and quick to talk to."""

from __future__ import annotations

import gc
import logging
import warnings
from contextlib import contextmanager
from itertools import pairwise

import dask.dataframe
import distributed
import numpy as np


@contextmanager
def cluster_of(num_workers, **options):
    """A client of a cluster of single-thread workers in this process."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with _without_resource_warnings():
        with (
            distributed.LocalCluster(
                n_workers=num_workers,
                threads_per_worker=1,
                dashboard_address=":0",
                silence_logs=False,
                **({"processes": False} | options),
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
        del cluster, client


@contextmanager
def _without_resource_warnings():
    """Dask leaves sockets to the collector, which is sent for them while nobody minds."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def assert_same_cache(one, other):
    """Byte for byte: all that a file of the cache holds."""
    for name in ("set_offsets", "scores", "parent_offsets", "parents", "complete"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.dtype == theirs.dtype
        assert ours.tobytes() == theirs.tobytes(), name
    for name in ("names", "schema", "score", "fingerprint", "coverage"):
        assert getattr(one, name) == getattr(other, name), name


def chained(num_variables=12, num_rows=600, num_states=3, seed=0):
    """Codes of a table in which each column depends on the two before."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, num_states, (num_variables, num_rows))
    for v in range(2, num_variables):
        copied = rng.random(num_rows) < 0.6
        codes[v, copied] = ((codes[v - 1] + codes[v - 2]) % num_states)[copied]
    return codes


def in_parts(table, cuts):
    """A Dask frame with partitions that end at the cuts; some may be empty."""
    edges = [0, *sorted(cuts), len(table)]
    parts = [table.iloc[a:b] for a, b in pairwise(edges)]
    return dask.dataframe.from_map(itself, parts, meta=table.iloc[:0])


def itself(part):
    return part

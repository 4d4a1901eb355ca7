"""A model of scoring by variable on many workers, fitted to what few workers were measured to take."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace

import numpy as np

# Half of ten gigabits: an assumption about other machines, nothing of it is measured.
ASSUMED_NETWORK_BYTES_PER_S = 1.25e9 / 2


@dataclass(frozen=True)
class Measured:
    """One run.

    ``cpu_s`` are processor seconds of all workers, ``sending_s`` the seconds of sending the packed table to
    all of them, ``fetching_s`` those of getting a cache of the same size back from them, and ``waiting_s``
    those from the end of the last shard of the first worker that had no more to do to that of the last.
    """

    workers: int
    wall_s: float
    cpu_s: float
    sending_s: float
    fetching_s: float
    waiting_s: float


@dataclass(frozen=True)
class Model:
    """Seconds of scoring by variable on W workers. It is a model: nothing beyond four workers is measured.

    - compute: every worker does ``again_s`` by itself and 1/W of ``divided_s``.
    - traffic: the packed table goes to each worker, which took ``sending_s`` for each of them here, and the
      cache comes back, which took ``fetching_s``, both through the client. Beyond one machine the bytes take
      longer by the rate that is assumed of a network.
    - stragglers: 1 - 1/W of ``straggling_s`` are waited for the last shard.
    - the rest of the wall time: ``client_s`` once, and ``each_s`` for each worker.
    """

    again_s: float
    divided_s: float
    client_s: float
    each_s: float
    straggling_s: float
    sending_s: float
    fetching_s: float
    table_bytes: int
    cache_bytes: int
    assumed_network_bytes_per_s: float = ASSUMED_NETWORK_BYTES_PER_S

    @classmethod
    def of(cls, measured: list[Measured], table_bytes: int, cache_bytes: int) -> Model:
        """Fitted to runs here, where workers share the cores."""
        count = np.array([one.workers for one in measured], dtype=np.float64)
        ones = np.ones(len(count))
        again, divided = nonnegative(np.column_stack([count, ones]), seconds_of(measured, "cpu_s"))
        (straggling,) = nonnegative((1 - 1 / count)[:, None], seconds_of(measured, "waiting_s"))
        (sending,) = nonnegative(count[:, None], seconds_of(measured, "sending_s"))
        fetching = float(seconds_of(measured, "fetching_s").mean())
        without = cls(again, divided, 0.0, 0.0, straggling, sending, fetching, table_bytes, cache_bytes)
        known = np.array([without.seconds(one.workers, cores()) for one in measured])
        client, each = nonnegative(np.column_stack([ones, count]), seconds_of(measured, "wall_s") - known)
        return replace(without, client_s=client, each_s=each)

    def seconds(self, count: int, cores_here: int | None = None) -> float:
        """With so many workers: on machines with a core for each, or on the cores of this one."""
        at_once = count if cores_here is None else min(count, cores_here)
        computing = (self.again_s * count + self.divided_s) / at_once
        traffic = self.sending_s * count + self.fetching_s
        if cores_here is None:
            traffic += (self.table_bytes * count + self.cache_bytes) / self.assumed_network_bytes_per_s
        straggling = self.straggling_s * (1 - 1 / count)
        return computing + traffic + straggling + self.client_s + self.each_s * count


def seconds_of(measured: list[Measured], name: str) -> np.ndarray:
    """One of the measures, of all runs."""
    return np.array([getattr(one, name) for one in measured], dtype=np.float64)


def cores() -> int:
    """Cores that the workers here share."""
    return len(os.sched_getaffinity(0))


def nonnegative(columns: np.ndarray, values: np.ndarray) -> list[float]:
    """Least squares with no negative coefficient: the best over all choices of columns."""
    best, found = math.inf, np.zeros(columns.shape[1])
    for mask in range(1 << columns.shape[1]):
        used = [i for i in range(columns.shape[1]) if mask >> i & 1]
        part = np.linalg.lstsq(columns[:, used], values, rcond=None)[0] if used else np.zeros(0)
        whole = np.zeros(columns.shape[1])
        whole[used] = part
        loss = float(((columns @ whole - values) ** 2).sum())
        if (part >= 0).all() and loss < best:
            best, found = loss, whole
    return [float(value) for value in found]

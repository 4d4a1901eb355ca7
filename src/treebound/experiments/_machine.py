"""What the machine has, so that runs at the same time do not take from each other."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from treebound._arguments import check_integer
from treebound._budget import resolve_threads

_CONTAINER = Path("/sys/fs/cgroup/memory.max")


def num_cores() -> int:
    """Cores that this process may use."""
    return resolve_threads(None)


def resolve_jobs(jobs: int | None, threads: int) -> int:
    """How many runs at once; by default as many as the cores carry."""
    cores = num_cores()
    threads = check_integer("threads", threads, 1)
    if jobs is None:
        jobs = max(1, cores // threads)
    jobs = check_integer("jobs", jobs, 1)
    if jobs * threads > cores:
        raise ValueError(
            f"threads times jobs must be at most the number of cores, {cores}, or runs would slow each other "
            f"down; got {threads} times {jobs}."
        )
    return jobs


def memory_mb() -> int:
    """Memory of the machine, or of the container that this process runs in."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # no container, or one without a limit
        whole = min(whole, int(_CONTAINER.read_text()))
    return whole >> 20

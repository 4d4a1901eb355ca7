"""The cores that the machine has, so runs at the same time do not take from each other."""

from __future__ import annotations

from treebound._arguments import check_integer
from treebound._budget import resolve_threads


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

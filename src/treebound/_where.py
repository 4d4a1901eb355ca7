"""Where work is done: in this process, unless a cluster is given."""

from __future__ import annotations

from dataclasses import dataclass

from treebound._arguments import check_integer
from treebound._budget import resolve_threads


@dataclass(frozen=True)
class Local:
    """Work in this process: ``where=Local(threads=4, memory_mb=4000)``.

    Parameters
    ----------
    threads
        Number of threads; None means all cores that this process may use.
    memory_mb
        Megabytes that the process may take in all; None means all free memory. Scoring remembers no more
        than this leaves room for.

    Examples
    --------
    >>> from treebound import Local
    >>> Local(threads=4)
    Local(threads=4, memory_mb=None)
    """

    threads: int | None = None
    memory_mb: int | None = None

    def __post_init__(self) -> None:
        if self.memory_mb is not None:
            object.__setattr__(self, "memory_mb", check_integer("memory_mb", self.memory_mb, 1))
        if self.threads is not None:
            object.__setattr__(self, "threads", resolve_threads(self.threads))

    @property
    def num_threads(self) -> int:
        """The number of threads to use."""
        return resolve_threads(self.threads)


HERE = Local()

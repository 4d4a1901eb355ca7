"""The progress of all workers as one: their reports, added up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from treebound._budget import Budget
from treebound._progress import Progress, ProgressCallback
from treebound.distributed._worker import TOPIC

if TYPE_CHECKING:
    from distributed import Client


class Watch:
    """Collects the reports of a job's workers; whoever gets finished parts reports them."""

    def __init__(
        self, job: str, phase: str, total: int, budget: Budget | None, callback: ProgressCallback | None
    ) -> None:
        self._job, self._phase, self._total = job, phase, total
        self._budget, self._callback = budget, callback
        self._began = time.monotonic()
        self._under_way: dict[int, dict[str, Any]] = {}
        self._steps, self._finished = 0, 0
        self.memory_mb: dict[str, float] = {}

    @contextmanager
    def listening(self, client: Client) -> Iterator[None]:
        """Listen to the workers meanwhile."""
        client.subscribe_topic(TOPIC, self._hear)
        try:
            yield
        finally:
            if client.status == "running":
                client.unsubscribe_topic(TOPIC)

    def _hear(self, event: Any) -> None:
        _, message = event
        if message["job"] == self._job:
            self._under_way[message["part"]] = message
            self.remember(message["worker"], message["memory_mb"])

    def remember(self, worker: str, memory_mb: float) -> None:
        """The largest memory of a worker so far."""
        self.memory_mb[worker] = max(memory_mb, self.memory_mb.get(worker, 0.0))

    def done(self, part: int, steps: int, finished: int) -> None:
        """A part has come back, with so many steps, and variables that are finished now."""
        self._under_way.pop(part, None)
        self._steps += steps
        self._finished += finished

    def tick(self) -> None:
        """Report the progress to the callback."""
        if self._callback is None:
            return
        reports = list(self._under_way.values())
        self._callback(
            Progress(
                self._phase,
                time.monotonic() - self._began,
                self._steps + sum(report["steps"] for report in reports),
                float("-inf"),
                min(self._total, self._finished + sum(report["finished"] for report in reports)),
                self._total,
                self._budget,
            )
        )

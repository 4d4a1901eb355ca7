"""The runs of a comparison on a cluster: each is a task, and its record comes back to the folder here."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from treebound._progress import RUNS, Progress, ProgressCallback
from treebound.distributed._client import check_version, num_threads, version_here
from treebound.distributed._packed import PackedDataset
from treebound.distributed._tasks import Shared, Tasks
from treebound.experiments import (
    Executor,
    RunRecord,
    RunSpec,
    RunStatus,
    Store,
    keep_structure,
    searched,
    stored_cache,
    stored_rows,
    uses_rows,
)
from treebound.scoring import ParentSetCache
from treebound.structure import Structure

if TYPE_CHECKING:
    from distributed import Client, Future


def run_there(
    cache: ParentSetCache, rows: PackedDataset | None, spec: RunSpec, version: str
) -> tuple[RunRecord, Structure | None]:
    """One run, on a worker; whatever happens to it is its record."""
    check_version(version)
    try:
        return searched(spec, cache, None if rows is None else rows.dataset())
    except MemoryError as error:
        return RunRecord(spec, RunStatus.MEMORY, str(error) or "There is not enough memory."), None
    except Exception as error:
        return RunRecord(spec, RunStatus.FAILED, f"{type(error).__name__}: {error}"), None


def executor(client: Client) -> Executor:
    """Return an executor that does the runs of ``experiments.compare`` on a cluster.

    Pass it as ``compare(..., execute=executor(client))``.

    Each run takes a thread of a worker. The memory of a run is that of its worker.
    """

    def execute(
        specs: Sequence[RunSpec],
        store: Store,
        *,
        jobs: int,
        memory_mb: int,
        progress: ProgressCallback | None = None,
    ) -> bool:
        return _Runs(client, store).execute(specs, progress)

    return execute


class _Runs:
    """The runs of one comparison."""

    def __init__(self, client: Client, store: Store) -> None:
        self.client, self.store = client, store
        self.caches: dict[str, Shared] = {}
        self.rows: dict[str, Shared] = {}
        self.tasks: Tasks[RunSpec] = Tasks(client, self._submit, self._shared)

    def execute(self, specs: Sequence[RunSpec], progress: ProgressCallback | None) -> bool:
        """Do all, twice as many at once as there are threads, so none waits."""
        began, num_done, waiting = time.monotonic(), 0, list(specs)[::-1]

        def tick() -> None:
            if progress is not None:
                elapsed = time.monotonic() - began
                progress(Progress(RUNS, elapsed, 0, -math.inf, num_done, len(specs), None))

        try:
            while waiting or len(self.tasks):
                while waiting and len(self.tasks) < 2 * num_threads(self.client):
                    self.tasks.add(waiting.pop())
                spec, (record, structure) = self.tasks.next(tick)
                if structure is not None:
                    keep_structure(self.store, spec, structure)
                self.store.keep(record)
                num_done += 1
        except KeyboardInterrupt:
            return False
        finally:
            self.tasks.give_up()
        return True

    def _shared(self) -> list[Shared]:
        return [*self.caches.values(), *self.rows.values()]

    def _submit(self, spec: RunSpec) -> Future:
        if spec.source not in self.caches:
            self.caches[spec.source] = Shared(self.client, stored_cache(self.store, spec.source))
        rows = None
        if uses_rows(spec):
            if spec.source not in self.rows:
                self.rows[spec.source] = Shared(self.client, self._packed(spec.source))
            rows = self.rows[spec.source].future
        cache = self.caches[spec.source].future
        return self.client.submit(run_there, cache, rows, spec, version_here(), pure=False)

    def _packed(self, source: str) -> PackedDataset | None:
        data = stored_rows(self.store, source, stored_cache(self.store, source))
        return None if data is None else PackedDataset.of(data)

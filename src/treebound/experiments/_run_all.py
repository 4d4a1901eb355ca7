"""Any list of runs, done as far as they are not done yet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from treebound._arguments import check_integer
from treebound._memory import whole_memory
from treebound._progress import ProgressOption, watched
from treebound.experiments._execute import Executor, execute_runs
from treebound.experiments._machine import num_cores, resolve_jobs
from treebound.experiments._records import RunRecord, RunStatus
from treebound.experiments._runs import RunSpec
from treebound.experiments._sources import Source, prepare
from treebound.experiments._store import ChangedSettings, Store


def run_all(
    specs: Sequence[RunSpec],
    sources: Iterable[Source],
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    memory_mb: int | None = None,
    retry: bool = False,
    progress: ProgressOption = None,
    execute: Executor = execute_runs,
) -> list[RunRecord]:
    """Do the runs that have no record in the folder, and return the records of all, as far as they are there.

    All options are as in ``compare``. The specifications may differ in everything; their sources must be
    among those given. ``execute`` does the runs, in processes here or somewhere else. Ctrl-C ends early,
    which leaves runs without a record.
    """
    jobs = resolve_jobs(jobs, max((spec.threads for spec in specs), default=1))
    memory_mb = (
        (whole_memory() >> 20) // jobs if memory_mb is None else check_integer("memory_mb", memory_mb, 1)
    )
    store, by_name = Store(folder), {source.name: source for source in sources}
    _check(specs, by_name)
    with store.locked(), watched(progress) as callback:
        missing = [spec for spec in specs if _is_missing(spec, store, retry)]
        try:
            faults = {
                name: _fault_of(by_name[name], store, callback)
                for name in dict.fromkeys(spec.source for spec in specs)
            }
        except KeyboardInterrupt:
            missing, faults = [], {}
        for spec in missing:
            if (fault := faults[spec.source]) is not None:
                store.keep(RunRecord(spec, RunStatus.FAILED, fault))
        ready = [spec for spec in missing if faults[spec.source] is None]
        execute(ready, store, jobs=jobs, memory_mb=memory_mb, progress=callback)
        records = [store.record_of(spec) for spec in specs]
    return [record for record in records if record is not None]


def _check(specs: Sequence[RunSpec], sources: Mapping[str, Source]) -> None:
    names = set()
    for spec in specs:
        if spec.source not in sources:
            raise ValueError(
                f"the run {spec.name} needs a source {spec.source!r}, which is not among those given."
            )
        if spec.name in names:
            raise ValueError(f"the run {spec.name} must be listed once, got it twice.")
        names.add(spec.name)


def _fault_of(source: Source, store: Store, progress: ProgressOption) -> str | None:
    """Why a source cannot be used; None if it can, and then its cache is in the folder."""
    try:
        prepare(source, store, threads=num_cores(), progress=progress)
    except ChangedSettings:
        raise
    except (ValueError, OSError, ImportError, MemoryError) as error:
        return f"the source cannot be used: {str(error) or 'there is not enough memory.'}"
    return None


def _is_missing(spec: RunSpec, store: Store, retry: bool) -> bool:
    record = store.record_of(spec)
    if record is None:
        return True
    if record.is_ok or not retry:
        return False
    store.record_path(spec).unlink()
    return True

"""One run in a process of its own, so its memory is its own and a crash ends nothing else.

``python -m treebound.experiments._worker FOLDER RUN MEMORY_MB``, where RUN is a specification as JSON. The
process leaves its record in the folder. It ends at once when its standard input does, that is with the
process that started it, however that came to its end.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
import threading
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

if sys.platform != "win32":
    import resource

from treebound import _core
from treebound._phases import peak_memory_mb
from treebound.data import Dataset
from treebound.experiments._machine import num_cores
from treebound.experiments._records import RunRecord, RunStatus
from treebound.experiments._runs import RunSpec
from treebound.experiments._sources import stored_cache, stored_rows
from treebound.experiments._store import Store
from treebound.formats.structure_files import save_structure
from treebound.scoring import ParentSetCache
from treebound.solvers import Needs, StopReason, Takes, entry_of, search
from treebound.structure import Structure, check

COMMIT_VARIABLE = "TREEBOUND_COMMIT"


def main(folder: str, run: str, memory_mb: str) -> None:
    """Do the run and leave its record."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    _limit_memory(int(memory_mb) << 20)
    store, spec = Store(folder), RunSpec.from_json(json.loads(run))
    try:
        record = run_here(spec, store)
    except Exception as error:
        is_full = _is_full()
        _lift_limit()
        if is_full or _is_for_lack_of_memory(error):
            record = RunRecord(spec, RunStatus.MEMORY, str(error) or "There is not enough memory.")
        else:
            record = RunRecord(spec, RunStatus.FAILED, f"{type(error).__name__}: {error}", made_by=_made_by())
    store.keep(record)


def _is_for_lack_of_memory(error: BaseException | None) -> bool:
    """Whether it is one of memory, or was raised because of one: readers name their file."""
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    return error is not None and (isinstance(error, MemoryError) or _is_for_lack_of_memory(error.__cause__))


def _is_full() -> bool:
    """Whether this process holds more than it may already, so anything can fail, in any way."""
    if sys.platform == "win32":
        return False
    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[5])
        return soft != resource.RLIM_INFINITY and pages * resource.getpagesize() >= soft
    return False


def run_here(spec: RunSpec, store: Store) -> RunRecord:
    """Search, check what was found, and keep it."""
    cache = stored_cache(store, spec.source)
    data = stored_rows(store, spec.source, cache) if uses_rows(spec) else None
    record, structure = searched(spec, cache, data)
    if structure is not None:
        keep_structure(store, spec, structure)
    return record


def uses_rows(spec: RunSpec) -> bool:
    """Whether the solver of a run makes use of the table."""
    entry = entry_of(spec.solver)
    return Needs.ROWS in entry.needs or Takes.ROWS in entry.takes


def keep_structure(store: Store, spec: RunSpec, structure: Structure) -> None:
    """Write what a run has found."""
    path = store.structure_path(spec)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_structure(structure, path)


def searched(
    spec: RunSpec, cache: ParentSetCache, data: Dataset | None
) -> tuple[RunRecord, Structure | None]:
    """The record of a run, and the structure that it found if that holds."""
    found = search(
        cache,
        spec.max_treewidth,
        data=data,
        solver=spec.solver,
        budget=spec.budget,
        seed=spec.seed,
        threads=spec.threads,
    )
    peak = peak_memory_mb()
    if found.stopped is StopReason.INTERRUPTED:
        return RunRecord(spec, RunStatus.FAILED, "interrupted", made_by=_made_by()), None
    verdict = check(found.structure, cache, spec.max_treewidth, data=data)
    if not verdict:
        refused = RunRecord(
            spec, RunStatus.REFUSED, f"rejected by the checker: {verdict}", made_by=_made_by()
        )
        return refused, None
    record = RunRecord(
        spec,
        RunStatus.OK,
        score=found.score,
        treewidth=found.structure.treewidth,
        num_arcs=found.structure.num_arcs,
        steps=found.steps,
        seconds=found.seconds,
        stopped=str(found.stopped),
        bound=found.bound,
        bound_source=found.bound_source,
        gap=found.gap,
        is_optimal=found.is_optimal,
        peak_memory_mb=peak,
        statistics=found.statistics,
        trace=found.trace,
        made_by=_made_by(),
    )
    return record, found.structure


def _made_by() -> dict[str, str | int]:
    """By what and where; the commit is known to those who run from a working tree, and handed down."""
    made_by: dict[str, str | int] = {
        "treebound": version("treebound"),
        "python": platform.python_version(),
        "cores": num_cores(),
        "simd": str(_core.simd()),
    }
    if commit := os.environ.get(COMMIT_VARIABLE):
        made_by["commit"] = commit
    return made_by


def _limit_memory(most: int) -> None:
    """Let allocations fail beyond the limit, which ends a search with the best structure so far."""
    if sys.platform == "win32":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _lift_limit() -> None:
    """The record needs a little memory too."""
    if sys.platform == "win32":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def end_with_parent() -> None:
    """End this process at once when its standard input does."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])

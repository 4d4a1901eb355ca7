"""What the search benchmarks share: caches in a folder, a run measured in processor time, a dated record."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import pathlib
import platform
from typing import Any

from treebound import Budget, ParentSetCache, check, load_cache
from treebound.search import SearchResult, Solver, search


def parser(question: str, *, names: str, bounds: str, seconds: float) -> argparse.ArgumentParser:
    """Return the arguments that all search benchmarks know."""
    result = argparse.ArgumentParser(description=question)
    result.add_argument("folder", type=pathlib.Path, help="folder with <name>*.jkl or .jkl.gz")
    result.add_argument("--names", default=names, help="caches, by the beginning of their file names")
    result.add_argument("--bounds", default=bounds, help="treewidth bounds")
    result.add_argument("--seconds", type=float, default=seconds, help="per run")
    result.add_argument("--record", type=pathlib.Path, help="JSON file to write the rows to")
    return result


def problems(arguments: argparse.Namespace) -> list[tuple[str, ParentSetCache, int]]:
    """All pairs of cache and bound that were asked for."""
    found = []
    for name in arguments.names.split(","):
        path = min(arguments.folder.glob(f"{name}-*.jkl*"), key=lambda p: len(p.name))
        cache = load_cache(path)
        found += [(name, cache, int(bound)) for bound in arguments.bounds.split(",")]
    return found


def measure(
    cache: ParentSetCache, bound: int, solver: Solver, seconds: float, seed: int = 1
) -> tuple[SearchResult, dict[str, Any]]:
    """Search with one thread; a structure that the judge convicts is an error."""
    before = os.times()
    result = search(cache, bound, solver=solver, budget=Budget(seconds=seconds), seed=seed, threads=1)
    after = os.times()
    verdict = check(result.structure, cache, bound)
    if not verdict:
        raise SystemExit(f"{solver} with bound {bound}: {verdict}")
    busy = after.user - before.user + after.system - before.system
    row = {
        "bound": bound,
        "solver": repr(solver),
        "score": result.score,
        "steps": result.steps,
        "steps_per_second": result.steps / result.seconds,
        "steps_per_processor_second": result.steps / busy,
        "judge": str(verdict),
    }
    return result, row


def record(path: pathlib.Path | None, rows: list[dict[str, Any]]) -> None:
    """Write the rows with date and machine."""
    if path is not None:
        header = {
            "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
        }
        path.write_text(json.dumps({**header, "rows": rows}, indent=1) + "\n")

"""What the benchmarks of the search share: caches, checked runs, and the solvers of the Java reference."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from _common import Row, Skip, clocked, run_reference
from treebound import Budget, ParentSetCache, check, load_cache
from treebound.solvers import SearchResult, Solver, search

BOUNDS = (2, 5, 8)
NAMES = (
    *("survey", "sachs", "child", "water", "mildew", "alarm", "barley", "hepar2"),
    *("munin1", "diabetes", "pigs", "munin"),
)
# Our method: the command of the reference.
METHODS = {"k-G": "solver.kg", "k-MAX": "solver.kmax"}
UNBOUNDED = {"WINASOBS": "solver.winasobs"}


def cache_path(name: str) -> pathlib.Path | Skip:
    """The file of a cache of the folder TREEBOUND_DATA by its name, such as "munin"."""
    folder = os.environ.get("TREEBOUND_DATA")
    if folder is None:
        return Skip(f"{name}: TREEBOUND_DATA is not set.")
    path = pathlib.Path(folder) / "jkl" / f"{name}-5000.jkl.gz"
    return path if path.exists() else Skip(f"{name}: not in TREEBOUND_DATA.")


def named_cache(name: str) -> ParentSetCache | Skip:
    """A cache of the folder TREEBOUND_DATA."""
    path = cache_path(name)
    return path if isinstance(path, Skip) else load_cache(path)


def for_each_cache(
    names: Iterable[str], rows_of: Callable[[str, ParentSetCache], Iterable[Row | Skip]]
) -> Iterator[Row | Skip]:
    """The rows of every cache in turn, or that it is not there."""
    for name in names:
        cache = named_cache(name)
        yield from [cache] if isinstance(cache, Skip) else rows_of(name, cache)


def for_each_bound(
    names: Iterable[str],
    rows_of: Callable[[ParentSetCache, int], Iterable[Row]],
    bounds: Iterable[int] = BOUNDS,
) -> Iterator[Row | Skip]:
    """The same for every cache and bound, which the rows begin with."""

    def rows_of_cache(name: str, cache: ParentSetCache) -> Iterator[Row]:
        for bound in bounds:
            for row in rows_of(cache, bound):
                yield {"cache": name, "k": bound, **row}

    return for_each_cache(names, rows_of_cache)


def checked(
    cache: ParentSetCache, bound: int | None, solver: Solver, budget: Budget, seed: int = 1, threads: int = 1
) -> tuple[SearchResult, float]:
    """The result and its processor seconds; a structure that the checker refuses is an error."""
    result, _, cpu = clocked(
        lambda: search(cache, bound, solver=solver, budget=budget, seed=seed, threads=threads)
    )
    verdict = check(result.structure, cache, bound)
    if not verdict:
        raise SystemExit(f"{solver} with bound {bound}: {verdict}")
    return result, cpu


@dataclass(frozen=True)
class ReferenceRun:
    """What the reference says of a run: how many structures it built, and their scores.

    It prints each improvement, of which the first is the first construction, and mean and variance of all.
    What it calls their median is the score in the middle of the list as it grew: one more construction.
    """

    constructions: int
    cpu_s: float
    best: float
    mean: float
    variance: float
    samples: tuple[float, ...]


def reference_search(
    name: str, method: str, bound: int | None, seconds: float, seed: int = 1
) -> ReferenceRun | None:
    """Run a solver of the reference with one thread; None if it had no structure in time.

    Those without a bound take none.
    """
    packed = cache_path(name)
    assert isinstance(packed, pathlib.Path)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cache.jkl"
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        flags = f"-t {seconds} -b 1 -seed {seed} -v 1".split()
        if bound is not None:
            flags += ["-w", str(bound)]
        files = ["-j", str(path), "-r", str(path.with_suffix(".res"))]
        cpu, printed = run_reference({**METHODS, **UNBOUNDED}[method], *files, *flags)
    improvements = [float(score) for score in re.findall(r"New improvement! *(-?[\d.]+)", printed)]
    if not improvements:
        return None
    count, median, mean, variance = (
        float(re.findall(rf"{label}: *(-?[\d.]+)", printed)[-1])
        for label in ("Num Iterations total", "Median", "Mean", "Variance")
    )
    samples = (improvements[0], median) if count > 1 else (improvements[0],)
    return ReferenceRun(int(count), cpu, improvements[-1], mean, variance, samples)


def reference_results() -> dict[tuple[str, int, str], float | None]:
    """Scores from the file, by cache, bound and command."""
    path = os.environ.get("TREEBOUND_REFERENCE_RESULTS")
    lines = pathlib.Path(path).read_text().splitlines() if path else []
    rows = [json.loads(line) for line in lines]
    return {(row["cache"], row["k"], f"solver.{row['solver']}"): row["score"] for row in rows}

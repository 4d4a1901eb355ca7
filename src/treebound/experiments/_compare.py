"""All solvers on all sources with all bounds: the same cache, the same budget, every structure checked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from treebound._arguments import check_integer, check_number, check_seed, check_type, shown
from treebound._budget import Budget
from treebound._progress import ProgressOption
from treebound.experiments._execute import Executor, execute_runs
from treebound.experiments._result import ComparisonResult
from treebound.experiments._run_all import run_all
from treebound.experiments._runs import plan_runs
from treebound.experiments._sources import DEFAULT_SCORING, Scoring, Source
from treebound.experiments._store import Store
from treebound.solvers import SOLVERS, Needs, Solver, entry_of

DEFAULT_BUDGET = Budget(seconds=60, patience=None)  # the same time for all


def compare(
    sources: Mapping[str, Any] | Sequence[Any] | os.PathLike[str],
    max_treewidths: int | Sequence[int] = (),
    *,
    solvers: Mapping[str, Solver] | Sequence[str | Solver],
    budget: Budget = DEFAULT_BUDGET,
    runs: int = 1,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    scoring: Scoring = DEFAULT_SCORING,
    unbounded_scores: Mapping[str, float] | None = None,
    threads: int = 1,
    jobs: int | None = None,
    memory_mb: int | None = None,
    retry: bool = False,
    progress: ProgressOption = None,
    execute: Executor = execute_runs,
) -> ComparisonResult:
    """Run every solver on every source with every treewidth limit, and compare what they find.

    Each run is a process of its own, and one that fails is recorded with its message. Ctrl-C ends the runs
    under way and returns those that are finished.

    Parameters
    ----------
    sources : mapping, sequence or path-like
        Paths of tables or caches, or any tables and caches by name. A table is scored once, and all solvers
        search that cache; those that can also get the rows.
    max_treewidths : int or sequence of int
        The limits.
    solvers : mapping of str to Solver, or sequence of str or Solver
        Names, or solvers by label. Those that keep no limit run once per source, and their best score is the
        unbounded score of the W-score.
    budget : Budget
        The budget of each run.
    runs : int
        Number of seeds.
    seed : int
        The first seed.
    folder : path-like, optional
        Where to keep what is finished: the same call does only what is missing, more sources, limits, solvers
        or runs add to it, and other settings are rejected with ``ChangedSettings``.
    scoring : Scoring
        How tables are scored.
    unbounded_scores : mapping of str to float, optional
        Unbounded scores of the W-score, by source.
    threads : int
        Threads of each run.
    jobs : int, optional
        Number of runs at once; by default as many as there are cores for.
    memory_mb : int, optional
        Memory of each run; by default its share of the machine.
    retry : bool
        Whether to repeat the runs that failed.
    progress : bool or callable, optional
        True draws a bar.
    execute : callable
        Does the runs elsewhere: ``treebound.distributed.executor(client)``.

    Returns
    -------
    ComparisonResult
    """
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=60)")
    check_type("scoring", scoring, Scoring, "a Scoring, such as Scoring(score=Bdeu())")
    seeds = range(check_seed(seed), check_seed(seed + check_integer("runs", runs, 1) - 1) + 1)
    opened, chosen = _sources(sources, scoring.with_budget_for(budget)), _solvers(solvers)
    given = _unbounded(unbounded_scores or {}, opened)
    plan = plan_runs(
        {source.name: source.has_rows for source in opened},
        chosen,
        _bounds(max_treewidths, chosen),
        seeds=seeds,
        budget=budget,
        threads=threads,
    )
    options: dict[str, Any] = {"jobs": jobs, "memory_mb": memory_mb, "retry": retry, "progress": progress}
    options["execute"] = execute
    if folder is None:
        with tempfile.TemporaryDirectory() as passing:
            done, notes = run_all(plan.runs, opened, passing, **options), plan.skipped
    else:
        done = run_all(plan.runs, opened, folder, **options)
        notes = plan.skipped + _others(Store(folder), len(done))
    return ComparisonResult(tuple(done), given, notes, was_interrupted=len(done) < len(plan.runs))


def _others(store: Store, num_requested: int) -> tuple[str, ...]:
    """Report runs in the folder that other arguments have left there."""
    count = store.num_records() - num_requested
    return (f"{store.folder} holds {count:,} more runs, not requested now: skipped.",) if count else ()


def _sources(given: Mapping[str, Any] | Sequence[Any] | os.PathLike[str], scoring: Scoring) -> list[Source]:
    if isinstance(given, str | os.PathLike):
        given = [given]
    check_type("sources", given, Mapping | Sequence, "paths of tables or caches, or {name: source}")
    pairs = given.items() if isinstance(given, Mapping) else [(None, source) for source in given]
    opened = [Source.of(source, name, scoring=scoring) for name, source in pairs]
    if not opened:
        raise ValueError("sources must name at least one table or cache, got none.")
    _reject_twins("sources", [source.name for source in opened])
    return opened


def _solvers(given: Mapping[str, Solver] | Sequence[str | Solver]) -> dict[str, Solver]:
    check_type("solvers", given, Mapping | Sequence, "names or records of solvers, or {label: solver}")
    if isinstance(given, Mapping):
        chosen = [(label, _solver(solver)) for label, solver in given.items()]
    else:
        records = [_solver(one) for one in ([given] if isinstance(given, str) else given)]
        chosen = [(solver.name, solver) for solver in records]
    if not chosen:
        raise ValueError("solvers must name at least one, got none.")
    _reject_twins("solvers", [label for label, _ in chosen])
    return dict(chosen)


def _solver(given: str | Solver) -> Solver:
    if not isinstance(given, str):
        entry_of(given)
        return given
    if given not in SOLVERS:
        raise ValueError(f"a solver must be one of {', '.join(SOLVERS)}, got {given!r}.")
    return SOLVERS[given].solver


def _bounds(given: int | Sequence[int], solvers: Mapping[str, Solver]) -> tuple[int, ...]:
    listed = [given] if isinstance(given, int) else given
    check_type("max_treewidths", listed, Sequence, "a whole number or several")
    bounds = tuple(dict.fromkeys(check_integer("max_treewidth", bound, 0) for bound in listed))
    needy = [label for label, solver in solvers.items() if Needs.BOUND in entry_of(solver).needs]
    if needy and not bounds:
        raise ValueError(f"max_treewidths must hold at least one bound for {', '.join(needy)}, got none.")
    return bounds


def _unbounded(given: Mapping[str, float], sources: Sequence[Source]) -> dict[str, float]:
    check_type("unbounded_scores", given, Mapping, "scores by the name of their source")
    names = [source.name for source in sources]
    for name, score in given.items():
        if name not in names:
            raise ValueError(f"unbounded_scores are for {', '.join(names)}, got one for {shown(name)}.")
        check_number(f"the size of the unbounded score of {name}", abs(score), positive=True)
    return {name: float(score) for name, score in given.items()}


def _reject_twins(what: str, names: Sequence[str]) -> None:
    twins = [name for name in dict.fromkeys(names) if list(names).count(name) > 1]
    if twins:
        raise ValueError(
            f"{what} must have different names, got {twins[0]!r} twice: give them as {{name: ...}}."
        )

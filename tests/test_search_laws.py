"""What holds for every solver of the registry, also for those that are yet to come."""

from __future__ import annotations

import os
import pathlib
import signal
import threading
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from reference import bounds
from reference import search as reference
from strategies_search import as_cache, faults_of, random_cache, searchable_sets, seeds
from treebound import Budget, Constraints, Dataset, Local, Schema, Variable, check, learn, score
from treebound.cli._app import build_app
from treebound.solvers import (
    SOLVERS,
    Gives,
    IgnoredBound,
    Needs,
    Regrow,
    StopReason,
    Takes,
    entry_of,
    search,
    solve_order,
)

pytestmark = pytest.mark.core
GUIDE = pathlib.Path(__file__).parents[1] / "docs" / "concepts" / "solvers.md"
# Regrow twice: where the optimum is soon found, it makes no moves unless it is told to.
MOVES = replace(SOLVERS["regrow"], solver=Regrow(exact=False))
ENTRIES = pytest.mark.parametrize("entry", [*SOLVERS.values(), MOVES], ids=[*SOLVERS, "regrow by moves"])


def small_table():
    rows = [[v * r % 3 % 2 for r in range(40)] for v in range(1, 7)]
    names = [f"x{v}" for v in range(6)]
    schema = Schema(tuple(Variable(name, ("a", "b")) for name in names))
    return Dataset(schema, rows)


def large_cache(entry):
    """Return a cache in which a search takes longer than any test, of a size that the solver takes."""
    return random_cache(9 if entry.is_for_few else 25, 30, seed=4)


def run(entry, cache, k, **options):
    """Search with what the solver needs; a solver that needs rows gets a cache and rows that agree."""
    if not entry.is_bounded:
        k = None
    if Needs.ROWS in entry.needs:
        data = small_table()
        return search(score(data, budget=None).cache, k, data=data, solver=entry.solver, **options)
    return search(cache, k, solver=entry.solver, **options)


@ENTRIES
@settings(max_examples=25)
@given(sets=searchable_sets(), k=st.integers(0, 5), seed=seeds)
def test_the_bound_is_kept_and_the_checker_content(entry, sets, k, seed):
    cache = as_cache(sets)
    result = run(entry, cache, k, seed=seed, budget=Budget(steps=5), threads=1)
    if Needs.ROWS not in entry.needs:
        assert faults_of(cache, result, k if entry.is_bounded else None) == ()
    if entry.is_bounded:
        assert reference.treewidth(result.structure.parent_indices) <= k


@ENTRIES
@settings(max_examples=25)
@given(sets=searchable_sets(max_variables=5, max_sets=4), k=st.integers(0, 4), seed=seeds)
def test_the_optimum_is_never_beaten(entry, sets, k, seed):
    if Needs.ROWS in entry.needs:
        return
    result = run(entry, as_cache(sets), k, seed=seed, budget=Budget(steps=20), threads=1)
    best = reference.best_score(sets, k if entry.is_bounded else len(sets))
    assert result.score <= best + 1e-9
    assert (
        best - 1e-9 <= result.bound <= bounds.sum_of_best(sets, k if entry.is_bounded else len(sets)) + 1e-9
    )
    assert not result.is_optimal or result.score >= best - 1e-8
    assert result.is_optimal or result.stopped is not StopReason.OPTIMAL


@ENTRIES
def test_same_seed_and_steps_same_answer_for_any_threads(entry):
    cache = large_cache(entry)
    results = [
        run(entry, cache, 3, seed=5, budget=Budget(steps=40), threads=threads) for threads in (1, 2, 3)
    ]
    first = results[0].structure
    for result in results[1:]:
        assert (result.structure.parent_indices, result.structure.witness) == (
            first.parent_indices,
            first.witness,
        )
        assert result.score == first.score


@ENTRIES
@pytest.mark.parametrize("steps", [1, 7])
def test_steps_are_counted_and_kept_to(entry, steps):
    result = run(entry, random_cache(12, 9), 2, budget=Budget(steps=steps), threads=2)
    if result.stopped is StopReason.STEPS:
        assert result.steps == steps
    else:
        assert result.stopped in (StopReason.FINISHED, StopReason.OPTIMAL)
        assert 1 <= result.steps <= steps


@ENTRIES
def test_no_time_at_all_still_gives_an_answer(entry):
    cache = random_cache(12, 9)
    result = run(entry, cache, 2, budget=Budget(seconds=0), threads=2)
    assert result.stopped in (StopReason.SECONDS, StopReason.FINISHED, StopReason.OPTIMAL)
    assert result.steps <= 2  # one per thread
    assert check(result.structure, max_treewidth=2 if entry.is_bounded else None)


def interrupt_by_callback():
    def progress(_):
        raise KeyboardInterrupt

    return progress


def interrupt_by_signal():
    # The handler of Python runs in the main thread as soon as the callback has been left or goes on.
    return lambda _: os.kill(os.getpid(), signal.SIGINT)


@ENTRIES
@pytest.mark.parametrize("interrupt", [interrupt_by_callback, interrupt_by_signal])
def test_an_interrupt_ends_a_search_without_end_and_keeps_the_best(entry, interrupt):
    assert threading.current_thread() is threading.main_thread()
    cache = large_cache(entry)
    # Without the interrupt this budget lasts longer than any test.
    result = run(entry, cache, 3, budget=Budget(steps=2**62), threads=2, progress=interrupt())
    assert result.stopped in (StopReason.INTERRUPTED, StopReason.FINISHED, StopReason.OPTIMAL)
    assert check(result.structure, max_treewidth=3 if entry.is_bounded else None)


@ENTRIES
def test_an_exception_of_the_callback_is_raised(entry):
    called, raised = [], []

    def progress(_):
        called.append(LookupError("no such bar"))
        raise called[-1]

    cache = large_cache(entry)
    try:
        run(entry, cache, 3, budget=Budget(steps=2**62), threads=2, progress=progress)
    except LookupError as error:
        raised.append(error)
    assert raised == called  # once, unless the solver had ended before


@ENTRIES
@settings(max_examples=20)
@given(sets=searchable_sets(), k=st.integers(0, 4), seed=seeds)
def test_a_start_is_never_made_worse(entry, sets, k, seed):
    if Needs.ROWS in entry.needs:
        return
    cache = as_cache(sets)
    start = search(cache, k, budget=Budget(steps=3), seed=seed, threads=1).structure
    result = run(entry, cache, k, seed=seed, budget=Budget(steps=3), threads=1, start=start)
    assert result.score >= start.score
    assert check(result.structure, cache, k if entry.is_bounded else None)


@ENTRIES
def test_what_a_solver_gives_is_there(entry):
    result = run(entry, random_cache(12, 9), 2, budget=Budget(steps=3), threads=1)
    assert (result.ktree is not None) == (Gives.KTREE in entry.gives)
    assert ("is_optimal_for_order" in result.statistics) == (Gives.PROOF in entry.gives)
    guide = GUIDE.read_text("utf-8")
    assert all(f"`{name}`" in guide for name in result.statistics)
    assert result.score <= result.bound
    assert result.bound_source == ("rows" if Needs.ROWS in entry.needs else "cache")


@ENTRIES
def test_what_a_solver_does_not_take_is_refused(entry):
    cache, bound = random_cache(6, 4), 2 if entry.is_bounded else None
    if Takes.ORDER not in entry.takes:
        with pytest.raises(ValueError, match=f"got {entry.solver.name}"):
            solve_order(cache, 2, range(6), solver=entry.solver)
    if Takes.ROWS not in entry.takes:
        with pytest.raises(ValueError, match=f"got {entry.solver.name}"):
            search(cache, bound, data=small_table(), solver=entry.solver)
    if Takes.CELLS not in entry.takes:
        with pytest.raises(ValueError, match=f"got {entry.solver.name}"):
            search(cache, bound, constraints=Constraints(max_cells=9), solver=entry.solver)
    if Needs.BOUND in entry.needs:
        with pytest.raises(ValueError, match="A bound is needed"):
            search(cache, solver=entry.solver)
    if not entry.is_bounded:
        with pytest.warns(IgnoredBound, match="max_treewidth=2 is ignored"):
            search(cache, 2, solver=entry.solver, budget=Budget(steps=1))


@ENTRIES
def test_nothing_is_scored_for_solvers_that_do_not_look_at_it(entry):
    data, k = small_table(), 2 if entry.is_bounded else None
    learned = learn(data, k, solver=entry.solver, budget=Budget(steps=20), where=Local(threads=1))
    assert learned.verdict
    assert (learned.scoring.sets_scored == data.num_variables) == (entry.max_parents_scored == 0)
    if entry.max_parents_scored == 0:
        rows = data if Takes.ROWS in entry.takes else None
        cache = score(data, budget=None).cache
        found = search(cache, k, data=rows, solver=entry.solver, budget=Budget(steps=20), threads=1)
        assert learned.score == pytest.approx(found.score)


@pytest.mark.parametrize("entry", SOLVERS.values(), ids=SOLVERS)
def test_every_solver_has_a_name_a_meaning_and_an_option_record(entry):
    assert SOLVERS[entry.solver.name] is entry
    assert entry_of(type(entry.solver)()) is entry
    assert entry.meaning
    with pytest.raises(TypeError, match="solver must be"):
        entry_of(type(entry.solver))


@ENTRIES
def test_every_solver_stands_in_the_guide_and_in_the_help(entry):
    record = type(entry.solver).__name__
    rows = [
        line
        for line in GUIDE.read_text("utf-8").splitlines()
        if line.startswith(f"| `{entry.solver.name}` |")
    ]
    assert len(rows) == 1
    assert f"`{record}(" in rows[0]
    shown = CliRunner().invoke(build_app(["learn"]), ["learn", "--help"], env={"COLUMNS": "200"}).output
    assert f"{entry.solver.name}: " in shown

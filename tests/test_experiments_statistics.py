"""W-score, sign test and victories against their definitions, and against what the paper prints."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import experiments as reference
from treebound import Budget
from treebound.cli._comparing import w_table
from treebound.experiments import (
    ComparisonResult,
    RunRecord,
    RunSpec,
    RunStatus,
    load_comparison,
    save_comparison,
    sign_test,
    w_score,
)
from treebound.solvers import SOLVERS, Improvement

SOURCES, LABELS, BOUNDS = ("a", "b", "c"), ("kg", "ka", "kmax"), (2, 5)
STEPS = Budget(steps=1)
# Whole numbers are exact as doubles, and half of them are too.
scores = st.integers(-9, -1).map(float)


def record(source, label, bound, seed, score):
    spec = RunSpec(source, label, SOLVERS["empty" if bound is None else label].solver, bound, seed, STEPS)
    if score is None:
        return RunRecord(spec, RunStatus.FAILED, "it broke")
    return RunRecord(spec, RunStatus.OK, score=score, treewidth=1, steps=1, seconds=0.5)


@st.composite
def comparisons(draw):
    """Some runs of three solvers, one of which may keep no bound; some failed."""
    free = draw(st.booleans())
    runs = []
    for source in SOURCES[: draw(st.integers(1, 3))]:
        for label in LABELS:
            for bound in [None] if free and label == "kmax" else BOUNDS:
                for seed in range(draw(st.integers(1, 3))):
                    runs.append((source, label, bound, seed, draw(st.none() | scores)))
    return runs


@given(st.lists(st.tuples(scores, scores), max_size=40))
def test_the_sign_test_is_the_tail_of_fair_tosses(pairs):
    ours, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    found = sign_test(ours, theirs)
    wins = sum(a > b for a, b in pairs)
    losses = sum(a < b for a, b in pairs)
    assert found[:3] == (wins, losses, len(pairs) - wins - losses)
    assert found.p_value == pytest.approx(float(reference.tail(wins, wins + losses)), rel=1e-12)
    back = sign_test(theirs, ours)
    assert back[:3] == (losses, wins, found.ties)
    assert found.p_value + back.p_value >= 1


def test_the_significance_of_victories_is_that_of_the_paper():
    """Its table of large data sets; 20 of 30 is bold there, which no two-sided test says."""
    bold = [29, 20, 24, 30, 27, 21]
    plain = [12, 13]
    for wins in bold + plain:
        test = sign_test([1.0] * wins + [0.0] * (30 - wins), [0.5] * 30)
        assert test.is_significant == (wins in bold)
    assert 2 * sign_test([1.0] * 20 + [0.0] * 10, [0.5] * 30).p_value > 0.05


def test_many_experiments_overflow_nothing():
    assert sign_test([1.0] * 3000, [0.0] * 3000).p_value == 0.5**3000 == 0.0
    assert sign_test([1.0, 0.0] * 1500, [0.0, 1.0] * 1500).p_value == pytest.approx(0.507, abs=1e-3)
    assert sign_test([], []).p_value == 1.0


def test_scores_that_differ_by_rounding_are_tied():
    total = sum([0.1] * 10)
    assert total != 1.0
    assert sign_test([-1e6 * total], [-1e6])[:3] == (0, 0, 1)
    assert sign_test([-1e6], [-1e6 - 0.01])[:3] == (1, 0, 0)


@given(scores, scores)
def test_the_w_score_is_the_share_by_which_the_bound_worsens(score, unbounded):
    found = w_score(score, unbounded)
    assert found == pytest.approx(float(reference.w_score(score, unbounded)), rel=1e-12)
    assert (found > 0) == (score < unbounded)


def test_the_w_score_of_the_paper_is_a_loss():
    assert w_score(-82633, -77555) == pytest.approx(0.0655, abs=1e-4)  # k-G on community, table 1
    assert w_score(-72159, -72159) == 0
    with pytest.raises(ValueError, match="must not be 0"):
        w_score(-1.0, 0.0)


@settings(max_examples=60)
@given(comparisons())
def test_victories_are_those_of_brute_loops(runs):
    result = ComparisonResult(tuple(record(*run) for run in runs))
    plain = [(source, label, bound, score) for source, label, bound, _, score in runs]
    rows = result.victories()
    assert len(rows) == len(BOUNDS) * len(LABELS) * (len(LABELS) - 1)
    for row in rows:
        assert (row.wins, row.losses, row.ties) == reference.victories(
            plain, row.solver, row.baseline, row.max_treewidth
        )
        assert result.sign_test(row.solver, row.baseline)[row.max_treewidth] == row[3:]


@settings(max_examples=60)
@given(comparisons(), st.booleans())
def test_the_table_and_the_w_scores_follow_from_the_runs(runs, is_given):
    given_scores = {"a": -0.5} if is_given else {}
    result = ComparisonResult(tuple(record(*run) for run in runs), given_scores)
    best = {}
    for source in SOURCES:
        found = [s for at, _, bound, _, s in runs if at == source and bound is None and s is not None]
        if found:
            best[source] = max(found)
    best.update(given_scores)
    assert result.unbounded_scores == best
    assert len(result.table()) == len({run[:3] for run in runs})
    for row in result.table():
        same = [s for *place, _, s in runs if tuple(place) == (row.source, row.solver, row.max_treewidth)]
        known = [score for score in same if score is not None]
        assert (row.num_runs, row.num_failed) == (len(same), len(same) - len(known))
        assert row.score == (reference.median(known) if known else None)
        assert (row.lowest, row.highest) == ((min(known), max(known)) if known else (None, None))
        has_w = bool(known) and row.max_treewidth is not None and row.source in best
        assert row.w_score == (w_score(row.score, best[row.source]) if has_w else None)
    wanted = [run for run in runs if run[2] is not None and run[4] is not None and run[0] in best]
    assert [(r.source, r.solver, r.max_treewidth, r.seed, r.score) for r in result.w_scores()] == wanted
    assert all(r.w_score == w_score(r.score, best[r.source]) for r in result.w_scores())
    assert len(result.failures) == sum(run[4] is None for run in runs)


def test_an_unknown_solver_is_named():
    result = ComparisonResult((record("a", "kg", 2, 0, -1.0),))
    with pytest.raises(ValueError, match=r"^solver must be one of kg, got 's2'\.$"):
        result.sign_test("kg", "s2")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_runs_become_a_frame(backend):
    runs = (record("a", "kg", 2, 0, -1.0), record("a", "ka", 2, 0, None))
    frame = ComparisonResult(runs).to_frame(backend)
    assert frame.shape[0] == 2
    columns = frame.column_names if backend == "pyarrow" else list(frame.columns)
    for name in ("source", "solver", "max_treewidth", "seed", "status", "message", "score", "seconds"):
        assert name in columns


def test_a_comparison_is_written_drawn_and_read(tmp_path):
    runs = [
        record("a", label, k, seed, -9.0 - k - seed)
        for label in LABELS[:2]
        for k in (1, 2, 5, 8)
        for seed in (0, 1)
    ]
    runs[0] = record("a", "kg", 1, 0, None)
    traced = [replace(run, trace=(Improvement(0.1, 1, run.score),) if run.is_ok else ()) for run in runs]
    result = ComparisonResult(tuple(traced), {"a": -9.0}, ("a word",), was_interrupted=True)
    paths = save_comparison(result, tmp_path / "new")
    pictures = ["curves-a.png", "victories.png", "w_scores.png"]
    assert [path.name for path in paths if path.suffix == ".png"] == pictures
    again = load_comparison(tmp_path / "new")
    assert again.runs == result.runs
    assert (again.notes, again.was_interrupted, again.w_scores()) == (("a word",), True, result.w_scores())
    written = (tmp_path / "new" / "victories.csv").read_text().splitlines()
    assert len(written) == 1 + len(result.victories())
    (tmp_path / "new" / "comparison.json").write_text("{}")
    with pytest.raises(ValueError, match="expected a comparison as `treebound compare` writes it"):
        load_comparison(tmp_path / "new")


def test_a_record_survives_its_file():
    trace = (Improvement(0.1, 1, -3.0), Improvement(0.2, 2, -1.0))
    statistics = {"upper_bound": -0.5, "nodes": 3, "gap": math.inf}
    run = RunRecord(
        record("a", "ka", 2, 0, None).spec, RunStatus.OK, score=-1.0, statistics=statistics, trace=trace
    )
    again = RunRecord.from_json(run.to_json())
    assert again.spec == run.spec
    assert (again.trace, again.score, again.status) == (trace, -1.0, RunStatus.OK)
    assert again.statistics == {"upper_bound": -0.5, "nodes": 3, "gap": None}


def test_scores_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="unbounded_score must be finite"):
        w_score(-1.0, 10**400)
    with pytest.raises(TypeError, match="score must be a number, got 'low'"):
        w_score("low", -1.0)


def test_a_mean_over_fewer_sources_says_so():
    scores = {("a", "kg"): -11.0, ("b", "kg"): -12.0, ("a", "ka"): -11.0}
    runs = tuple(record(source, label, 2, 0, score) for (source, label), score in scores.items())
    table = w_table(ComparisonResult(runs, {"a": -10.0, "b": -10.0}))
    assert [list(row) for row in table.rows] == [["kg", "15.000"], ["ka", "10.000 (1 of 2 sources)"]]

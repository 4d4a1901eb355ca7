"""Choosing the bound: held-out rows, paired differences, and the verb ``tune``."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import resampling as reference
from treebound import Budget
from treebound.cli import main
from treebound.cli.tune import parse_bounds
from treebound.resampling import CrossValidation, Split, TreewidthChoice, Trial, choose_treewidth

pytestmark = pytest.mark.core

TRUTH = treebound.random_network(8, max_treewidth=2, max_states=2, min_parents=1, max_parents=2, seed=5)
TABLE = TRUTH.sample(200, seed=1)
OPTIONS = {"budget": Budget(steps=5), "threads": 1}

numbers = st.integers(-40, 0).map(lambda x: x / 4)


def trial(bound, logs):
    return Trial(bound, bound, np.array(logs, dtype=float), -1.0, 2**bound, 3, 0.0, 0.0)


@given(data=st.data(), rows=st.integers(1, 6), count=st.integers(1, 4))
def test_the_recommendation_follows_the_rule_of_one_standard_error(data, rows, count):
    logs = {k: data.draw(st.lists(numbers, min_size=rows, max_size=rows)) for k in range(1, count + 1)}
    choice = TreewidthChoice(tuple(trial(k, values) for k, values in logs.items()))
    assert choice.recommended == reference.recommended_bound(logs)
    means = {k: sum(values) / rows for k, values in logs.items()}
    assert means[choice.best] == pytest.approx(max(means.values()))
    for row in choice.table:
        assert row.log_likelihood == pytest.approx(means[row.max_treewidth])
        assert row.behind == pytest.approx(max(means.values()) - row.log_likelihood)
    assert choice.reason.startswith(f"Treewidth limit {choice.recommended} ")


def test_a_tiny_loss_is_level_however_certain_it_is():
    behind = [-1.0] * 50, [-0.9995] * 49 + [-0.9996]
    choice = TreewidthChoice((trial(1, [-2.0] * 50), trial(2, behind[0]), trial(3, behind[1])))
    assert choice.table[1].behind > 100 * choice.table[1].behind_error
    assert (choice.best, choice.recommended) == (3, 2)
    assert choice.reason.startswith("Treewidth limit 2 is level with 3")


def test_bins_are_options_of_the_choice():
    rows = np.random.default_rng(1).normal(size=(60, 3))
    table = {f"x{i}": rows[:, i] for i in range(3)}
    choice = choose_treewidth(table, [1], validation=Split(0.5), discretise="median", **OPTIONS)
    assert choice.table[0].largest_cells <= 4
    assert choose_treewidth(table, [1], validation=Split(0.5), auto=True, **OPTIONS).recommended == 1
    with pytest.raises(ValueError, match="auto applies only to tables, got a Dataset"):
        choose_treewidth(TABLE, [1], auto=True, **OPTIONS)


def test_rows_of_probability_zero_do_not_spoil_the_table():
    choice = TreewidthChoice((trial(1, [-np.inf, -1.0]), trial(2, [-1.0, -2.0]), trial(3, [-1.0, -2.0])))
    assert choice.best == choice.recommended == 2
    assert choice.table[0].behind == np.inf
    both = TreewidthChoice((trial(1, [-np.inf, -2.0]), trial(2, [-np.inf, -1.0])))
    assert both.table[1].behind == 0


def test_bounds_that_differ_in_rounding_alone_are_equal():
    """Once bound 6 was the best by the last digit of a sum, and bound 3 was 0.0000 behind it."""
    choice = TreewidthChoice((trial(1, [-3.0, -2.0]), trial(2, [-1.0, -1.5]), trial(3, [-1.0, -1.5 + 1e-15])))
    assert choice.best == choice.recommended == 2
    near = TreewidthChoice(
        (trial(1, [-1.0, -1.5]), trial(2, [-1.0, -1.50001]), trial(3, [-1.00001, -1.4999]))
    )
    assert near.recommended == 1
    assert near.reason.startswith("Treewidth limit 1 is level with 3, which has the best held-out")


def test_the_largest_bound_of_all_is_told_to_be_so():
    rising = TreewidthChoice((trial(1, [-3.0, -3.0]), trial(2, [-1.0, -1.0])))
    assert rising.reason.endswith("No larger one was tried, and one may be better still.")
    falling = TreewidthChoice((trial(1, [-1.0, -1.0]), trial(2, [-3.0, -3.0])))
    assert "larger" not in falling.reason


@given(num_rows=st.integers(2, 40), folds=st.integers(2, 6), seed=st.integers(0, 9))
def test_every_row_is_held_out_once(num_rows, folds, seed):
    parts = CrossValidation(folds).parts(num_rows, seed)
    assert sorted(np.concatenate(parts).tolist()) == list(range(num_rows))
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    (held,) = Split(0.3).parts(num_rows, seed)
    assert len(set(held.tolist())) == len(held) == max(1, round(0.3 * num_rows))


@pytest.mark.parametrize("validation", [CrossValidation(3), Split(0.4)])
def test_log_likelihoods_are_those_of_networks_that_did_not_see_the_rows(validation):
    choice = choose_treewidth(TABLE, [2, 1], validation=validation, seed=7, **OPTIONS)
    assert [row.max_treewidth for row in choice.table] == [1, 2]
    codes = TABLE.codes
    for tried in choice.trials:
        logs = []
        for held in validation.parts(TABLE.num_rows, 7):
            rest = np.setdiff1d(np.arange(TABLE.num_rows), held)
            train = treebound.Dataset(TABLE.schema, codes[:, rest])
            result = treebound.learn(train, tried.max_treewidth, seed=7, budget=Budget(steps=5))
            network = treebound.fit(result, train)
            logs.append(network.score_samples(treebound.Dataset(TABLE.schema, codes[:, held])))
        np.testing.assert_allclose(tried.log_likelihoods, np.concatenate(logs))
        whole = treebound.learn(TABLE, tried.max_treewidth, seed=7, budget=Budget(steps=5))
        assert tried.score == whole.score
        assert tried.largest_cells <= 2 ** (tried.max_treewidth + 1)
        assert tried.query_seconds > 0
    again = choose_treewidth(TABLE, [1, 2], validation=validation, seed=7, budget=Budget(steps=5), threads=2)
    timeless = [row._replace(query_seconds=0, seconds=0) for row in choice.table]
    assert [row._replace(query_seconds=0, seconds=0) for row in again.table] == timeless
    assert list(choice.to_frame()["max_treewidth"]) == [1, 2]
    assert repr(choice).startswith(
        f"<TreewidthChoice: {choice.recommended} of the limits 1, 2. Treewidth limit "
    )


def test_progress_and_interrupts():
    seen = []
    choose_treewidth(TABLE, [1, 2], validation=Split(), progress=seen.append, **OPTIONS)
    assert [(one.finished, one.total) for one in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]

    def interrupt(now):
        if now.finished == 3:
            raise KeyboardInterrupt

    choice = choose_treewidth(TABLE, [1, 2], validation=Split(), progress=interrupt, **OPTIONS)
    assert choice.was_interrupted
    assert choice.reason.endswith("Interrupted: no other limit was tried.")
    assert [row.max_treewidth for row in choice.table] == [1]


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match=r"validation must be CrossValidation\(\) or Split\(\), got 5"):
        choose_treewidth(TABLE, validation=5)
    with pytest.raises(ValueError, match="max_treewidths must hold at least one bound"):
        choose_treewidth(TABLE, [])
    with pytest.raises(ValueError, match="max_treewidth must be at least 1, got 0"):
        choose_treewidth(TABLE, [0])
    with pytest.raises(ValueError, match="needs at least 6 rows, got 3"):
        choose_treewidth(TRUTH.sample(3))
    with pytest.raises(ValueError, match=r"share must be less than 1, got 1\.0"):
        Split(1)


def test_bounds_are_read_as_lists_and_ranges():
    assert parse_bounds("1..3,8") == [1, 2, 3, 8]
    assert parse_bounds(" 2 , 4") == [2, 4]
    for wrong in ("", "3..1", "0..2", "a", "1..x", "1..1000", "-1"):
        with pytest.raises(ValueError, match="--max-treewidth takes"):
            parse_bounds(wrong)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main(["tune", *map(str, words)])
        out, err = capsys.readouterr()
        return left.value.code or 0, out, err

    return run


def test_the_command_recommends_a_bound(run, tmp_path):
    TABLE.to_frame().to_csv("table.csv", index=False)
    words = ("table.csv", "-k", "1..2", "--split", "0.3", "--steps", "5", "--threads", "1")
    code, out, _ = run(*words, "--json")
    told = json.loads(out)
    assert code == 0
    assert [row["max_treewidth"] for row in told["table"]] == [1, 2]
    assert told["recommended"] in (1, 2)
    code, out, _ = run(*words, "--plot", "curve.svg")
    assert code == 0
    assert told["reason"] in out
    plan = "4 networks of up to 0.1 s will be learned: 0.0067 minutes at most."
    assert run(*words[:5], "--time", 0.1)[1].startswith(plan)
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")
    assert run(*words, "--quiet")[1] == ""


def test_the_command_refuses_what_it_cannot_do(run):
    TABLE.to_frame().to_csv("table.csv", index=False)
    assert run("table.csv", "--folds", 3, "--split", 0.2)[0] == 2
    assert run("table.csv", "-k", "x")[0] == 2
    assert run("table.csv", "--plot", "curve.bmp")[0] == 2
    assert run("nothing.csv")[0] == 1


def test_the_plot_marks_the_recommended_bound():
    pytest.importorskip("matplotlib")
    choice = TreewidthChoice((trial(1, [-2.0, -3.0]), trial(2, [-1.0, -1.5]), trial(3, [-1.0, -1.4])))
    ax = treebound.plot.plot_treewidths(choice.table, recommended=choice.recommended)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1\n2", "2\n4", "3\n8"]
    marked = next(line for line in ax.lines if line.get_label() == "recommended")
    assert marked.get_xdata() == [choice.recommended]
    assert marked.get_ydata() == [choice.table[choice.recommended - 1].log_likelihood]
    with pytest.raises(TypeError, match="each of rows must be a row"):
        treebound.plot.plot_treewidths([1, 2])

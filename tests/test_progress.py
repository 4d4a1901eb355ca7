"""How far work has come, as told and as drawn."""

from __future__ import annotations

import math

import pytest

from strategies_search import random_cache
from treebound import Budget, Progress, learn, random_network
from treebound._progress import describe, watched
from treebound.solvers import search


def told(**changed):
    plain = Progress("scoring", 2.0, 600, -1234.5, 3, 8, Budget(seconds=10))
    return plain._replace(**changed)


@pytest.mark.parametrize(
    ("now", "share"),
    [
        (told(), 3 / 8),
        (told(seconds=5.0), 0.5),
        (told(seconds=11.0), 1.0),
        (told(total=0, finished=0, budget=Budget(steps=1200)), 0.5),
        (told(total=0, finished=0, budget=None), None),
        (told(budget=Budget(seconds=0)), 1.0),
    ],
)
def test_the_share_is_that_of_what_ends_first(now, share):
    assert now.share == share


def test_the_figures_in_words():
    assert describe(told()) == "2/10 s  3/8 variables  best -1,234.50  300 sets/s"
    later = told(phase="search", score=-math.inf, total=0, budget=Budget(steps=9))
    assert describe(later) == "2 s  300 steps/s"
    assert "gap 1.000%" in describe(told(score=-100.0, bound=-99.0))
    assert "gap" not in describe(told(score=-100.0, bound=-89.0))


def test_a_callback_is_told_and_silence_is_kept():
    seen = []
    with watched(seen.append) as callback:
        callback(told())
    assert seen == [told()]
    for silent in (None, False):
        with watched(silent) as callback:
            assert callback is None


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch, capsys):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with watched(True) as callback:
        assert callback is None
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with watched(True) as callback:
        callback(told())
        callback(told(phase="search"))
    drawn = capsys.readouterr()
    assert drawn.out == ""
    assert "search" in drawn.err
    assert "best -1,234.50" in drawn.err


@pytest.mark.core
@pytest.mark.parametrize("progress", [None, False, True])
def test_without_a_terminal_nothing_is_written(progress, capsys):
    table = random_network(6, seed=1).sample(50, 1)
    learn(table, 2, budget=Budget(steps=3), progress=progress)
    search(random_cache(6, 4), 2, budget=Budget(steps=3), progress=progress)
    assert capsys.readouterr() == ("", "")


@pytest.mark.core
def test_learning_tells_its_phases_in_turn():
    # More sets than are scored between two looks.
    table = random_network(60, seed=3).sample(2000, 3)
    phases = []
    learn(table, 5, budget=Budget(seconds=2), progress=lambda now: phases.append(now.phase))
    assert list(dict.fromkeys(phases)) == ["scoring", "search"]

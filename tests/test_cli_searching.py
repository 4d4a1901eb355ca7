"""The table of a learned network: a gap is printed where it says something."""

from __future__ import annotations

from dataclasses import replace

import pytest

import treebound as tb
from treebound._run import StopReason
from treebound.cli._show import show

pytestmark = pytest.mark.core

RESULT = tb.learn({"a": list("xyxyx"), "b": list("uvuvv")}, 1, budget=tb.Budget(steps=2))


def printed(capsys, monkeypatch, **changes):
    monkeypatch.setenv("COLUMNS", "200")
    show(replace(RESULT, search=replace(RESULT.search, **changes)).describe())
    return capsys.readouterr().out


@pytest.mark.parametrize(("share", "is_shown"), [(0.05, True), (0.0999, True), (0.11, False), (3.0, False)])
def test_a_wide_gap_is_not_printed(capsys, monkeypatch, share, is_shown):
    bound = RESULT.score + share * abs(RESULT.score)
    text = printed(capsys, monkeypatch, bound=bound, bound_source="any structure")
    assert ("gap" in text) == is_shown
    assert ("upper bound" in text) == is_shown
    assert "too weak" not in text


def test_the_end_of_a_search_is_printed(capsys, monkeypatch):
    optimal = printed(capsys, monkeypatch, bound=RESULT.score, bound_source="any structure")
    assert "none: optimal" in optimal
    assert f"{RESULT.structure.treewidth} (limit 1)" in optimal
    assert "stalled: no improvement" in printed(capsys, monkeypatch, bound=None, stopped=StopReason.STALLED)

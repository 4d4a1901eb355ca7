"""The bar of notebooks: one output, replaced while the work goes on, and gone at its end."""

from __future__ import annotations

import sys
import types

import treebound._notebook_bar as notebook
from treebound import Budget, Progress
from treebound._progress import describe, watched


class Shown:
    def __init__(self, first):
        self.states = [first]

    def update(self, state):
        self.states.append(state)


def test_a_bar_is_one_output_that_is_replaced(monkeypatch):
    shown = []

    def display(state, *, display_id):
        assert display_id
        shown.append(Shown(state))
        return shown[-1]

    kernel = types.SimpleNamespace(kernel=object())
    fake = types.ModuleType("IPython")
    fake.get_ipython = lambda: kernel
    fake.display = types.SimpleNamespace(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    with watched(True) as update:
        for seconds in (1.0, 2.0, 4.0):
            update(Progress("search", seconds, 10, -5.0, 0, 0, Budget(seconds=4)))
    (one,) = shown
    assert [state.count("rect") for state in one.states] == [2, 2, 2, 0]
    assert "25%" in one.states[0]
    assert "100%" in one.states[2]
    assert one.states[-1] == ""


def test_a_terminal_is_no_notebook(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not notebook.in_notebook()
    fake = types.ModuleType("IPython")
    fake.get_ipython = lambda: types.SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", fake)
    assert not notebook.in_notebook()
    assert "<svg" not in notebook.bar_html("a & b", None, "<1 s")


def test_no_count_of_variables_before_one_is_finished():
    events = [Progress("scoring", 1.0, 10, -5.0, done, 100, Budget(seconds=4)) for done in (0, 3, 100)]
    told = [describe(event) for event in events]
    assert "  100 variables  " in told[0]
    assert "0/100" not in told[0]
    assert "  3/100 variables  " in told[1]
    assert events[-1].share == 1.0

"""Text that came from data is printed as text: what cannot be seen is escaped, in messages and in results."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from treebound._visible import counted, one_line, visible, visible_lines

HOSTILE = "a\x1b[2Jb\u202ec"
SHOWN = "a\\x1b[2Jb\\u202ec"
TABLE = {HOSTILE: ["x\x07", "y", "x\x07", "y"], "b": ["u", "u", "v", "v"]}

pytestmark = pytest.mark.core


@given(text=st.text())
def test_only_printable_characters_are_left_and_those_stay(text):
    assert visible(text).isprintable()
    assert visible(text) == "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    assert visible_lines(text).split("\n") == [visible(line) for line in text.split("\n")]


def test_names_are_cut_and_never_empty():
    assert one_line("") == "''"
    assert one_line("x" * 50) == "x" * 37 + "..."
    assert visible("\udfff") == "\\udfff"


def results():
    network = tb.fit({HOSTILE: [], "b": [HOSTILE]}, TABLE)
    known = {HOSTILE: "x\x07"}
    return [
        network.posterior(HOSTILE),
        network.posterior(["b", HOSTILE], {"b": "u"}),
        network.posterior("b", known),
        network.marginals(),
        network.most_probable(),
        network.explain("b", known),
        network.do(known).posterior("b"),
        network.structure.guarantee,
        network.parameter_sensitivity("b", "u", known)[0],
        network.anomaly_scores(TABLE),
        tb.structure.diff(network, tb.Structure.from_parents({HOSTILE: ["b"], "b": []})),
        tb.inspect(TABLE),
        tb.load(TABLE, drop=[HOSTILE]).schema.preparation,
        tb.score(TABLE).cache[HOSTILE],
        tb.check(tb.Structure.from_parents({HOSTILE: ["b"], "b": [HOSTILE]})),
    ]


@pytest.mark.parametrize("result", results(), ids=lambda result: type(result).__name__)
def test_results_print_names_as_text(result):
    assert SHOWN in str(result)
    for shown in (str(result), repr(result)):
        assert all(line.isprintable() for line in shown.split("\n"))


def test_errors_about_tables_are_printable():
    with pytest.raises(tb.DataError) as caught:
        tb.load({HOSTILE: [0.5, None], "b": [1, 2]})
    assert SHOWN in str(caught.value)
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


@pytest.mark.parametrize("read", [tb.load, tb.load_network, tb.load_structure, tb.load_cache])
def test_errors_about_files_are_printable(tmp_path, read):
    ending = {"load": "csv", "load_cache": "jkl"}.get(read.__name__, "json")
    path = tmp_path / f"{HOSTILE}.{ending}"
    with pytest.raises(FileNotFoundError) as absent:
        read(path)
    path.write_text(f'"{HOSTILE}')
    with pytest.raises(ValueError, match=re.escape(SHOWN)) as damaged:
        read(path)
    for caught in (absent, damaged):
        assert SHOWN in str(caught.value)
        assert all(line.isprintable() for line in str(caught.value).split("\n"))


def test_rows_are_named_by_the_index_of_the_table():
    frame = pd.DataFrame({"a": list("xxxxxxxy"), "b": list("uuuuuuuv")})
    network = tb.fit({"a": [], "b": ["a"]}, frame)
    found = network.anomaly_scores(frame.set_axis([f"p{row}\x1b" for row in range(8)]))
    assert str(found).split("\n")[2].startswith("p7\\x1b ")
    assert "<td" in found._repr_html_()
    assert "p7\\x1b" in found._repr_html_()
    assert str(network.anomaly_scores(frame)).split("\n")[2].startswith("7 ")
    assert str(network.anomaly_scores(frame.to_dict("list"))).split("\n")[2].startswith("7 ")


def test_errors_name_rows_by_the_index_too():
    frame = pd.DataFrame({"a": ["x", None, "y"], "b": [1, 2, 3]})
    for index, place in (([7, 8, 9], "row 2 (index 8)"), (["p", "q\x1b", "r"], "row 2 (index q\\x1b)")):
        with pytest.raises(tb.DataError) as caught:
            tb.load(frame.set_axis(index))
        assert f"first in {place}" in str(caught.value)
    with pytest.raises(tb.DataError, match=r"first in row 2\n"):
        tb.load(frame)


def test_a_probability_too_small_for_a_number_is_shown_by_its_logarithm():
    names = [f"v{v}" for v in range(1200)]
    network = tb.fit({name: [] for name in names}, {name: ["x", "y"] for name in names})
    found = network.most_probable()
    assert np.exp(found.log_probability) == 0
    for shown in (str(found), found._repr_html_()):
        assert f"log-probability {1200 * np.log(0.5):.4f}" in shown
    assert "together: probability 0.5\n" in str(tb.fit({"a": []}, {"a": ["x", "y"]}).most_probable())


def test_results_of_interventions_name_what_was_set_and_what_they_depend_on():
    rows = {"a": list("xxyyx"), "b": list("uuvvv"), "c": list("ppqqq")}
    network = tb.fit({"a": [], "b": ["a"], "c": ["b"]}, rows)
    done = network.do({"b": "u"})
    for found in (
        done.posterior("a"),
        done.posterior("a", {"c": "p"}),
        done.marginals(),
        done.most_probable(),
    ):
        for shown in (str(found), found._repr_html_()):
            assert "do(b = u)" in shown
    note = "note: the arc a -> b could point the other way with the same score"
    assert str(done.posterior("a", {"c": "p"})).startswith("P(a | do(b = u), c = p)\n")
    assert note in str(done.posterior("a"))
    assert note in str(done.marginals()["a"])
    assert note not in str(done.posterior("c"))
    assert note.replace(">", "&gt;") in done.posterior("a")._repr_html_()
    assert "do(" not in str(network.posterior("a"))
    twice = network.do({"b": "u"}).do({"c": "p"})
    assert str(twice.posterior("a")).startswith("P(a | do(b = u), do(c = p))\n")
    assert note in str(twice.posterior("a"))
    assert note in str(done.posterior("c", {"a": "x"}))  # evidence on a counts too


def test_numbers_agree_with_their_nouns():
    assert [counted(number, "step") for number in (0, 1, 2, 1000)] == [
        "0 steps",
        "1 step",
        "2 steps",
        "1,000 steps",
    ]

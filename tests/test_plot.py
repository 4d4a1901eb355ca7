"""Pictures: every format, every size, nothing global, nothing half-written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.image import imread

import treebound
from treebound import Budget, ParentSetCache, Schema, Structure, Variable
from treebound.plot._curves import band, shown_range
from treebound.plot._network import depths
from treebound.solvers import Improvement, search

TRACE = (Improvement(0.0, 1, -30.0), Improvement(0.5, 7, -20.0), Improvement(9.0, 90, -10.0))
SCHEMA = Schema(tuple(Variable(name, ("a", "b", "c")) for name in ("rain", "spray", "wet")))
WET = Structure.from_parents({"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]}, schema=SCHEMA)
STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def wide(n):
    return Structure.from_parents(treebound.random_network(n, max_treewidth=2, seed=3).parent_indices)


@pytest.mark.parametrize("ending", STARTS)
def test_every_format_is_written_and_the_same_each_time(tmp_path, ending):
    first, again = tmp_path / f"first{ending}", tmp_path / f"again{ending.upper()}"
    treebound.plot.save_figure(WET, first, trace=TRACE)
    treebound.plot.save_figure(WET, again, trace=TRACE)
    assert first.read_bytes().startswith(STARTS[ending])
    assert first.read_bytes() == again.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([first.name, again.name])


@pytest.mark.parametrize(
    "structure",
    [
        Structure.from_parents([()]),
        Structure.from_parents([(), ()]),
        Structure.from_parents([(), (0,)]),
        Structure.from_parents([()] * 60),
        wide(60),
        wide(2000),
    ],
    ids=["one", "two apart", "two", "no arcs", "sixty", "rasterised"],
)
def test_pictures_of_all_sizes_are_not_blank(tmp_path, structure):
    treebound.plot.save_figure(structure, tmp_path / "page.png")
    pixels = imread(tmp_path / "page.png")
    network = pixels[len(pixels) // 6 :, : pixels.shape[1] // 2]
    assert np.ptp(pixels) > 0.5
    assert np.ptp(network) > 0.5


def test_names_are_shown_as_they_are(tmp_path):
    odd = Structure.from_parents({"$x_1$": [], "a\nb": ["$x_1$"], "<&>": [], "": []})
    ax = treebound.plot.plot_structure(odd)
    assert {text.get_text() for text in ax.texts} == {"$x_1$", "a b", "<&>", "·"}
    treebound.plot.save_figure(odd, tmp_path / "page.svg")


def test_all_are_named_when_few_and_some_when_many():
    assert len(treebound.plot.plot_structure(wide(40)).texts) == 40
    assert 0 < len(treebound.plot.plot_structure(wide(41)).texts) < 41


def test_pictures_go_where_they_are_told(tmp_path):
    figure = Figure()
    axes = figure.subplots(1, 3)
    assert treebound.plot.plot_structure(WET, ax=axes[0]) is axes[0]
    assert treebound.plot.plot_tree_decomposition(WET, ax=axes[1]) is axes[1]
    assert treebound.plot.plot_trace(TRACE, ax=axes[2]) is axes[2]
    figure.savefig(tmp_path / "three.png")


def test_the_page_says_score_width_and_guarantee(tmp_path):
    scored = Structure.from_parents(
        WET.parent_indices, names=WET.names, schema=SCHEMA, local_scores=[-1, -2, -3]
    )
    page = treebound.plot._figure._page(scored, TRACE)
    words = " ".join(" ".join(text.get_text() for text in page.texts).split())
    assert "3 variables, 3 arcs, treewidth at most 2, score -6.0" in words
    assert str(scored.guarantee) in words


def test_a_bag_takes_area_by_its_table():
    names = [f"x{i}" for i in range(30)]
    states = [40 if i == 29 else 2 for i in range(30)]
    schema = Schema(tuple(Variable(n, tuple(map(str, range(s)))) for n, s in zip(names, states, strict=True)))
    chain = Structure.from_parents({n: names[max(i - 1, 0) : i] for i, n in enumerate(names)}, schema=schema)
    small, *_, large = sorted(bag_dots(treebound.plot.plot_tree_decomposition(chain))[0].get_sizes())
    assert small < large


def test_few_bags_are_boxes_that_name_their_variables():
    ax = treebound.plot.plot_tree_decomposition(WET)
    assert bag_dots(ax) == []
    shown = {frozenset(text.get_text().split("\n")) for text in ax.texts}
    assert shown == {frozenset(WET.names[v] for v in bag) for bag in WET.witness.bags}


def test_bags_without_room_for_names_are_dots():
    chain = Structure.from_parents({f"variable {i}": [f"variable {i - 1}"][: min(i, 1)] for i in range(20)})
    crowded = treebound.plot.plot_tree_decomposition(chain, ax=Figure(figsize=(1, 1)).subplots())
    assert len(bag_dots(crowded)) == 1
    assert not crowded.texts


def bag_dots(ax):
    return [collection for collection in ax.collections if hasattr(collection, "get_sizes")]


def test_the_trace_goes_on_to_the_end_of_the_search():
    cache = ParentSetCache.from_sets({"a": [((), -2.0)], "b": [((), -2.0), (("a",), -1.0)]})
    result = search(cache, 1, budget=Budget(steps=3))
    (line, _) = treebound.plot.plot_trace(result).lines
    assert line.get_drawstyle() == "steps-post"
    assert line.get_xdata()[-1] >= result.seconds
    assert line.get_ydata()[-1] == result.score


def test_results_and_networks_are_drawn_and_checked_as_their_structure(tmp_path):
    table = treebound.random_network(5, max_treewidth=1, seed=1).sample(50, 1)
    learned = treebound.learn(table, 1, budget=Budget(steps=3))
    network = treebound.fit(learned, table)
    assert network.structure.arcs == learned.structure.arcs
    for source in (learned, learned.search, network, learned.structure):
        assert treebound.check(source)
        assert len(treebound.plot.plot_structure(source, tables=False).texts) == 5
        treebound.plot.plot_tree_decomposition(source)
        treebound.plot.save_figure(source, tmp_path / "page.svg")
        has_trace = "Improvement over time" in (tmp_path / "page.svg").read_text()
        assert has_trace == (source in (learned, learned.search))
    (of_learn, _), (of_search, _) = (treebound.plot.plot_trace(r).lines for r in (learned, learned.search))
    assert of_learn.get_xydata().tolist() == of_search.get_xydata().tolist()
    with pytest.raises(TypeError, match=r"returned, or a trace, got an object of type BayesianNetwork\.$"):
        treebound.plot.plot_trace(network)
    with pytest.raises(TypeError, match=r"^structure must be a Structure, what learn\(\) .*, got 3\.$"):
        treebound.plot.plot_structure(3)


def test_time_is_logarithmic_only_over_a_long_time():
    assert treebound.plot.plot_trace(TRACE).get_xscale() == "log"
    assert treebound.plot.plot_trace(TRACE[1:]).get_xscale() == "linear"
    assert len(treebound.plot.plot_trace(()).lines) == 0


def test_depth_is_the_longest_way_from_a_root():
    assert depths(WET).tolist() == [0, 1, 2]
    assert depths(Structure.from_parents([(1,), (0,)])).tolist() == [0, 0]


def test_a_wrong_ending_or_folder_is_refused(tmp_path):
    with pytest.raises(
        ValueError, match=re.escape("expected a name that ends in .png, .svg, .pdf, got '.jpg'")
    ):
        treebound.plot.save_figure(WET, tmp_path / "page.jpg")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        treebound.plot.save_figure(WET, tmp_path / "none" / "page.png")
    assert list(tmp_path.iterdir()) == []


def test_matplotlib_loads_late_and_its_absence_is_explained():
    code = (
        "import sys, treebound; s = treebound.Structure.from_parents([(), (0,)])\n"
        "treebound.plot.plot_structure\n"
        "assert 'matplotlib' not in sys.modules; sys.modules['matplotlib'] = None\n"
        "try: treebound.plot.plot_structure(s)\n"
        "except ImportError as error: assert 'pip install matplotlib' in str(error), error\n"
        "else: raise SystemExit('drew without matplotlib')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pyplot_is_never_loaded(tmp_path):
    code = (
        "import sys, treebound; s = treebound.Structure.from_parents([(), (0,)]);"
        f"treebound.plot.save_figure(s, {str(tmp_path / 'p.png')!r});"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert Path(tmp_path / "p.png").stat().st_size > 1000


class Run(NamedTuple):
    trace: tuple[Improvement, ...]
    seconds: float | None = None


times = st.integers(1, 40).map(lambda tenth: tenth / 10)


@st.composite
def runs_of_one(draw):
    """Runs whose scores rise over time; one may have found nothing."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        moments = sorted(draw(st.lists(times, max_size=5, unique=True)))
        rising = sorted(draw(st.lists(st.integers(-99, -1), min_size=len(moments), max_size=len(moments))))
        trace = tuple(
            Improvement(t, i, float(s)) for i, (t, s) in enumerate(zip(moments, rising, strict=True))
        )
        found.append(Run(trace, max([0.0, *moments]) + draw(times)))
    return found


@given(runs_of_one())
def test_the_band_is_that_of_all_runs_at_every_moment(runs):
    drawn = band(runs)
    known = [run for run in runs if run.trace]
    if not known:
        assert drawn is None
        return
    for moment, low, middle, high in zip(*drawn, strict=True):
        at = [max(entry.score for entry in run.trace if entry.seconds <= moment) for run in known]
        assert (low, middle, high) == (min(at), np.median(at), max(at))
    assert drawn[0][0] == max(run.trace[0].seconds for run in known)
    assert drawn[0][-1] == max(run.seconds for run in known)


def test_curves_show_the_best_and_name_what_is_far_away():
    near = {name: [Run((Improvement(0.1, 1, low), Improvement(1.0, 2, low + 50)), 9.0)] for name, low in
            (("x", -1000.0), ("y", -1010.0))}  # fmt: skip
    far = {"z": [Run((Improvement(0.1, 1, -90_000.0),), 9.0)], "none": [Run(())]}
    ax = treebound.plot.plot_curves({**near, **far}, reference=-100.0)
    low, high = ax.get_ylim()
    assert -1100 < low < -960
    assert -950 < high < -900
    assert {text.get_text() for text in ax.texts} == {"below: z -90,000", "best without a bound: -100"}
    assert [line.get_label() for line in ax.lines if not line.get_label().startswith("_")] == ["x", "y", "z"]
    assert len(ax.collections) == 0  # one run has no band
    assert treebound.plot.plot_curves({"x": near["x"] * 2}, reference=-940.0).get_ylim()[1] > -940
    assert treebound.plot.plot_curves({"none": [Run(())]}).texts[0].get_text() == "no structure found"


def test_two_are_always_shown_and_ties_do_not_hide_the_rest():
    assert shown_range([-1.0, -1e9], 1.0) == (-1.0, -1e9)
    assert shown_range([-5.0], 1.0) == (-5.0, -5.0)
    assert shown_range([-9e9, -10.0, -10.0, -12.0], 1.0) == (-10.0, -12.0)


def test_victories_have_a_number_for_each_pair():
    ax = treebound.plot.plot_victories(
        "abc", [[0, 9, 1], [1, 0, 2], [7, 8, 0]], np.eye(3)[::-1] > 0, total=10
    )
    assert [text.get_text() for text in ax.texts] == ["9", "1", "1", "2", "7", "8"]
    assert [text.get_weight() for text in ax.texts] == [
        "normal",
        "bold",
        "normal",
        "normal",
        "bold",
        "normal",
    ]
    assert len(ax.lines) == 2


def test_w_scores_have_a_box_for_each_method_and_bound():
    ax = treebound.plot.plot_w_scores({"kg": {2: [0.01, 0.02], 5: [0.01]}, "$s_2$": {2: [0.5, 0.9], 5: []}})
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["2", "5", "2"]
    assert ax.get_yscale() == "log"
    assert treebound.plot.plot_w_scores({"kg": {2: [-0.01, 0.02]}}).get_yscale() == "linear"
    assert treebound.plot.plot_w_scores({}).texts[0].get_text() == "no W-scores"


def test_axes_of_a_plot_are_saved(tmp_path):
    drawn = treebound.plot.plot_structure(Structure.from_parents({"a": [], "b": ["a"]}))
    treebound.plot.save_figure(drawn, tmp_path / "plot.png")
    assert imread(tmp_path / "plot.png").size


def test_strengths_are_drawn_as_they_are_returned():
    table = {"a": [0, 1] * 20, "b": [0, 1] * 20}
    strength = treebound.resampling.arc_strength(
        table, 1, method=treebound.resampling.Bootstrap(2), budget=Budget(steps=1)
    )
    labels = [text.get_text() for text in treebound.plot.plot_arc_strength(strength).get_yticklabels()]
    assert len(labels) == len(strength.arcs)

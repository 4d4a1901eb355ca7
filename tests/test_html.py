"""What notebooks show: well-formed HTML in which every name is text, whatever signs it holds."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given

import treebound
from strategies_network import networks
from treebound import Budget, Dataset, Local, Structure

pytestmark = pytest.mark.core

TAGS = {
    "div", "strong", "table", "thead", "tbody", "tr", "th", "td",
    "pre", "svg", "defs", "marker", "path", "rect", "circle", "text", "title",
}  # fmt: skip


def parsed(shown: object) -> ElementTree.Element:
    """The tree behind what a notebook shows; it must be well-formed and hold known tags alone."""
    root = ElementTree.fromstring(shown._repr_html_())
    assert {node.tag for node in root.iter()} <= TAGS
    return root


def words(shown: object) -> list[str]:
    return ["".join(node.itertext()) for node in parsed(shown).iter() if node.tag in ("th", "td", "title")]


def parsed_text(shown: object) -> str:
    return "".join(parsed(shown).itertext())


def shown_as(name: str) -> str:
    """A name on one line; characters that cannot be seen, some of which XML forbids, are escaped."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in name)


@given(network=networks())
def test_names_are_shown_as_text(network):
    schema = network.schema
    codes = np.zeros((len(schema), 3), dtype=np.uint8)
    told = list(map(shown_as, schema.names))
    for shown in (network, network.structure, Dataset(schema, codes), network.marginals()):
        found = words(shown)
        assert all(name in found for name in told)
    joint = network.posterior(schema.names)
    cells = words(joint)
    assert cells[: len(told)] == told
    assert [float(cell) for cell in cells[len(told) + 2 :][len(told) :: len(told) + 2]] == pytest.approx(
        joint.array.ravel()[:20].tolist(), abs=1e-4
    )


def test_signs_of_html_are_escaped():
    structure = Structure.from_parents(
        {"<script>alert(1)</script>": [], "a&b": ["<script>alert(1)</script>"]}
    )
    assert "<script" not in structure._repr_html_()
    assert "&lt;script&gt;" in structure._repr_html_()
    assert "a&b" in words(structure)


def test_a_picture_has_a_dot_for_each_variable_and_a_line_for_each_arc():
    network = treebound.random_network(12, max_treewidth=2, min_parents=1, seed=3)
    root = parsed(network)
    assert len(list(root.iter("circle"))) == 12
    assert len([path for path in root.iter("path") if path.get("marker-end")]) == network.num_arcs
    places = {dot[0].text: float(dot.get("cy")) for dot in root.iter("circle")}
    assert all(places[parent] < places[child] for parent, child in network.arcs)
    large = treebound.random_network(60, seed=1)
    assert not list(parsed(large).iter("circle"))
    cyclic = Structure.from_parents({"a": ["b"], "b": ["a"]})
    assert not list(parsed(cyclic).iter("circle"))


def test_results_and_reports_tell_their_figures():
    table = treebound.random_network(6, max_treewidth=2, seed=2).sample(200, seed=1)
    result = treebound.learn(table, 2, budget=Budget(steps=20), where=Local(threads=1))
    found = words(result)
    assert f"{result.score:,.4f}" in found
    assert "search (regrow)" in found
    assert f"{result.scoring.sets_kept:,}" in words(result.scoring)
    data = json.loads(json.dumps(result.describe().to_json(), allow_nan=False))
    assert data["score"] == result.score  # not rounded, unlike the text
    assert (data["variables"], data["treewidth"]) == (6, result.structure.treewidth)
    assert data["sets_scored"] == result.scoring.describe().to_json()["sets_scored"]
    bars = [
        float(bar.get("width")) for bar in parsed(treebound.fit(result, table).posterior("X0")).iter("rect")
    ]
    assert bars == pytest.approx(
        [120 * p for p in treebound.fit(result, table).posterior("X0").values()], abs=0.1
    )


def test_long_answers_are_cut():
    network = treebound.random_network(30, min_states=3, max_states=3, seed=1)
    assert "… and 10 more" in network.marginals()._repr_html_()
    assert "… and 7 more" in network.posterior(["X0", "X1", "X2"])._repr_html_()
    assert "… and 10 more" in network.sample(5)._repr_html_()


def test_answers_of_all_kinds_show_themselves():
    network = treebound.random_network(30, max_treewidth=2, min_parents=1, seed=4)
    table = network.sample(50, seed=1)
    for rows in (table, table.to_frame(), table.to_frame("polars"), table.to_dict()):
        strange = network.anomaly_scores(rows)
        row = int(strange.scores.argmax())
        assert words(strange)[3:5] == [str(row), f"{strange.scores[row]:.4f}"]
        assert "… and 45 more" in strange._repr_html_()
    best = network.most_probable({"X0": 1})
    assert words(best)[2:6] == ["X0", best["X0"], "X1", best["X1"]]
    assert "… and 10 more" in best._repr_html_()
    graph = treebound.structure.cpdag(network)
    assert len(list(parsed(graph).iter("tr"))) == 1 + 20
    assert f"… and {network.num_arcs - 20} more" in graph._repr_html_()
    guarantee = network.structure.guarantee
    assert str(guarantee) == parsed_text(guarantee)


def test_resampled_answers_show_themselves():
    table = treebound.random_network(5, max_treewidth=1, min_parents=1, seed=4).sample(60, seed=1)
    choice = treebound.resampling.choose_treewidth(table, [1, 2], budget=Budget(steps=5), threads=1)
    assert words(choice)[6] in ("1", "* 1")
    strength = treebound.resampling.arc_strength(table, 1, budget=Budget(steps=5), threads=1)
    first = strength.arcs[0]
    assert words(strength)[5:8] == [first.parent, first.child, f"{first.strength:.4f}"]


def test_pictures_beside_each_other_share_no_ids():
    structure = Structure.from_parents({"a": [], "b": ["a"]})
    first, second = structure._repr_html_(), structure._repr_html_()
    ids = [re.findall(r'id="(tip-[0-9a-f]+)"', html) for html in (first, second)]
    assert len({*ids[0], *ids[1]}) == 2
    assert f"url(#{ids[0][0]})" in first
    assert 'fill="currentColor"' in first


def test_inspections_and_explanations_are_tables():
    table = {"dose": [0.5, 1.5, None], "<b>": ["x", "y", "x"]}
    found = treebound.inspect(table)
    assert repr(found) == "<Inspection: 3 rows, 2 columns, 1 of them rejected>"
    assert ElementTree.fromstring(found._repr_html_()).findall(".//table")
    assert "&lt;b&gt;" in found._repr_html_()
    network = treebound.fit({"a": [], "b": ["a"]}, {"a": ["x", "y", "x"], "b": ["u", "v", "u"]})
    why = network.explain("a", {"b": "u"})
    assert re.fullmatch(r"<Explanation: a = x, 0\.\d{4}, 1 finding>", repr(why))
    assert "b = u" in [cell.text for cell in ElementTree.fromstring(why._repr_html_()).findall(".//td")]

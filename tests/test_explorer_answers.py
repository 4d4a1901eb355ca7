"""What the explorer's page gets are the answers of the network, and the drawing of its graph."""

from __future__ import annotations

import csv
import io
import itertools
import shlex

import numpy as np
import pytest
from hypothesis import given

import rain
import reference.explorer
import treebound as tb
from strategies_network import networks
from treebound.explorer._communities import communities
from treebound.explorer._layers import isotonic, layered
from treebound.explorer._model import Model
from treebound.explorer._parts import MOST_CARDS, part
from treebound.explorer._questions import QUESTIONS
from treebound.explorer._rows import read_rows
from treebound.explorer._strength import arc_strengths
from treebound.inference import encode_finding

CASES = {"rain": ["yes", None, "no"], "spray": ["on", "off", None], "wet": ["no", "yes", "maybe"]}


@pytest.fixture(scope="module")
def model():
    return Model(rain.NETWORK, "rain net.json", read_rows(rain.NETWORK, CASES))


@pytest.fixture(scope="module")
def hidden_network():
    variables = [tb.Variable("H", ("0", "1"), is_hidden=True), *(tb.Variable(n, ("x", "y")) for n in "ab")]
    tables = [[0.6, 0.4], [0.8, 0.2, 0.1, 0.9], [0.7, 0.3, 0.2, 0.8]]
    return tb.BayesianNetwork.from_indices(tb.Schema(variables), [(), (0,), (0,)], tables)


def ask(model, question, **body):
    return QUESTIONS[question](model, body)


def test_the_graph_holds_names_states_arcs_and_the_guarantee(model):
    found = ask(model, "graph")
    assert [one["name"] for one in found["variables"]] == ["rain", "spray", "wet"]
    assert found["arcs"].reshape(-1, 2).tolist() == [list(arc) for arc in rain.NETWORK.arc_indices]
    assert found["prior"] == pytest.approx(rain.NETWORK.marginals().flat)
    assert found["points"].shape == (3, 2)
    assert found["facts"]["treewidth"] == 2
    assert found["facts"]["width"] == rain.NETWORK.junction_tree.width
    starts, members = found["bags"]["starts"], found["bags"]["members"]
    bags = tuple(tuple(members[a:b].tolist()) for a, b in itertools.pairwise(starts))
    assert bags == rain.NETWORK.structure.witness.bags


def test_hidden_variables_are_marked_and_rows_need_no_column_for_them(hidden_network):
    rows = hidden_network.sample(6, seed=1).to_frame().drop(columns="H")
    hidden = Model(hidden_network, "camp.json", read_rows(hidden_network, rows))
    found = ask(hidden, "graph")
    assert {one["name"]: one["hidden"] for one in found["variables"]} == {"H": True, "a": False, "b": False}
    known = {name: str(rows[name][0]) for name in ("a", "b")}
    answer = ask(hidden, "posterior", row=0)
    assert answer["posterior"] == pytest.approx(hidden_network.marginals(known).flat, abs=1e-12)


def test_a_missing_cell_that_is_a_state_is_evidence():
    data = tb.load({"a": ["x", None, "y"] * 9, "b": ["u", "v", "v"] * 9}, missing_state=["a"])
    network = tb.fit(tb.Structure.from_parents([(), (0,)], names=["a", "b"]), data)
    model = Model(network, "gap.json", read_rows(network, {"a": [None], "b": ["v"]}))
    answer = ask(model, "posterior", row=0)
    assert answer["posterior"] == pytest.approx(network.marginals({"a": None, "b": "v"}).flat, abs=1e-12)


@pytest.mark.parametrize(
    ("body", "evidence"),
    [
        ({}, {}),
        ({"evidence": {"wet": 1}}, {"wet": "yes"}),
        ({"evidence": {"wet": [0.2, 0.9], "rain": 0}}, {"wet": [0.2, 0.9], "rain": "no"}),
    ],
)
def test_posteriors_are_those_of_the_network(model, body, evidence):
    found = ask(model, "posterior", **body)
    assert found["posterior"] == pytest.approx(rain.NETWORK.marginals(evidence).flat, abs=1e-12)
    assert found["log_probability"] == pytest.approx(rain.NETWORK.log_probability(evidence))
    assert found["milliseconds"] > 0
    assert found["uncertain_arcs"] == ()


def test_the_bars_on_the_screen_are_those_of_all_marginals(model):
    found = ask(model, "shown", names=["wet", "rain"], evidence={"spray": 1})
    expected = [rain.NETWORK.posterior(name, {"spray": "on"}).array for name in ("wet", "rain")]
    assert found["posterior"] == pytest.approx(np.concatenate(expected))
    assert found["log_probability"] == pytest.approx(rain.NETWORK.log_probability({"spray": "on"}))


def test_interventions_come_with_the_arcs_that_could_be_reversed(model):
    found = ask(model, "posterior", do={"spray": 1}, evidence={"wet": 1, "spray": 0})
    after = rain.NETWORK.do({"spray": "on"})
    assert found["posterior"] == pytest.approx(after.marginals({"wet": "yes"}).flat)
    assert found["uncertain_arcs"] == rain.NETWORK.uncertain_arcs("spray")
    assert found["uncertain_arcs"]


def test_a_row_is_evidence_less_the_targets(model):
    found = ask(model, "posterior", row=0, targets=["wet"])
    expected = rain.NETWORK.marginals({"rain": "yes", "spray": "on"}).flat
    assert found["posterior"] == pytest.approx(expected)


def test_impossible_evidence_is_named():
    network = tb.BayesianNetwork.from_tables(
        {"a": [1.0, 0.0], "b": [[1.0, 0.0], [0.0, 1.0]]}, parents={"b": ["a"]}
    )
    with pytest.raises(tb.ImpossibleEvidence, match="'b' is '1'"):
        ask(Model(network, "x"), "posterior", evidence={"b": 1})


def test_much_impossible_evidence_is_reported_without_a_search_for_the_culprit():
    names = [f"v{i}" for i in range(70)]
    network = tb.BayesianNetwork.from_tables({name: [1.0, 0.0] for name in names})
    with pytest.raises(tb.ImpossibleEvidence, match="probability zero under this network"):
        ask(Model(network, "x"), "posterior", evidence=dict.fromkeys(names, 1))


def test_most_probable_explain_and_next_are_those_of_the_network(model):
    evidence = {"wet": "yes"}
    found = ask(model, "most_probable", evidence={"wet": 1})
    best = rain.NETWORK.most_probable(evidence)
    states = [rain.NETWORK.schema[v].states[code] for v, code in enumerate(found["codes"])]
    assert states == list(best.values())
    assert found["log_probability"] == pytest.approx(best.log_probability)
    told = ask(model, "explain", target="rain", evidence={"wet": 1})
    expected = rain.NETWORK.explain("rain", evidence)
    assert told["posterior"] == pytest.approx(expected.posterior.tolist())
    assert [one["finding"] for one in told["steps"]] == ["wet"]
    assert told["steps"][-1]["after"] == pytest.approx(told["posterior"])
    (first, *_) = ask(model, "next", target="rain", evidence={})["values"]
    tree = rain.NETWORK.junction_tree
    assert first["information"] == pytest.approx(tree.mutual_information("rain", first["variable"]))


def test_typed_evidence_may_be_a_number_a_range_a_list_or_likelihoods():
    data = tb.load(
        {"x": [1.5, 2.5, 3.5, 4.5] * 10, "y": ["a", "b"] * 20}, discretise=tb.Discretise("quantile", 2)
    )
    network = tb.fit({"x": [], "y": ["x"]}, data)
    model = Model(network, "x")
    assert ask(model, "find", variable="x", text=" 1.7 ") == {"finding": 0, "note": None}
    beyond = ask(model, "find", variable="x", text="99")
    assert beyond["finding"] == 1
    assert "outside the range" in beyond["note"]
    assert (
        ask(model, "find", variable="x", text="1..2.5")["finding"]
        == encode_finding((1, 2.5), network.schema["x"]).tolist()
    )
    assert ask(model, "find", variable="y", text="a,b")["finding"] == [1, 1]
    assert ask(model, "find", variable="y", text="a:0.25,b:1")["finding"] == [0.25, 1]
    assert ask(model, "graph")["variables"][0]["range"] == ["1.5", "4.5"]


def test_rows_are_listed_by_strangeness_with_predictions(model):
    found = ask(model, "rows", order="strangest", target="rain")
    scores = -rain.NETWORK.score_samples(CASES, unseen="missing")
    assert found["rows"] == np.argsort(-scores, kind="stable").tolist()
    assert found["scores"] == pytest.approx(sorted(scores, reverse=True))
    # The value that the network does not know counts as missing.
    assert dict(zip(found["rows"], found["missing"], strict=True)) == {0: 0, 1: 1, 2: 2}
    predicted = rain.NETWORK.predict(CASES, "rain", unseen="missing")
    states = rain.NETWORK.schema["rain"].states
    assert [states[code] for code in found["predicted"]] == [predicted[row] for row in found["rows"]]
    assert found["compared"] == 2
    assert ask(model, "rows", order="table")["rows"] == [0, 1, 2]


def test_the_cells_of_a_row_are_blamed_as_by_the_anomaly_scores(model):
    found = ask(model, "row", row=1)
    scores = rain.NETWORK.anomaly_scores(CASES, unseen="missing")
    assert found["score"] == pytest.approx(scores[1])
    names = rain.NETWORK.schema.names
    for one in found["blamed"]:
        assert one["score"] == pytest.approx(scores.contributions[names[one["variable"]]][1])
    assert {names[one["variable"]] for one in found["blamed"]} == {"spray", "wet"}
    assert found["blamed"][0]["score"] >= found["blamed"][1]["score"]


def test_without_a_table_there_are_no_rows():
    with pytest.raises(ValueError, match="Start the explorer with --table"):
        ask(Model(rain.NETWORK, "x"), "row", row=0)


def test_the_exported_line_of_python_gives_the_posterior(model):
    found = ask(model, "export", evidence={"wet": [0.25, 0.75]}, do={"spray": 1}, targets=["rain"])
    result = eval(found["python"], {"network": rain.NETWORK})
    expected = rain.NETWORK.do({"spray": "on"}).posterior("rain", {"wet": [0.25, 0.75]})
    assert result.array == pytest.approx(expected.array)
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [float(row["posterior"]) for row in rows] == pytest.approx(expected.array.tolist())
    assert [float(row["prior"]) for row in rows] == pytest.approx(
        rain.NETWORK.posterior("rain").array.tolist()
    )


def test_without_targets_the_code_is_about_the_selected_variable(model):
    found = ask(model, "export", evidence={"wet": 1}, selected="rain")
    assert found["python"] == "network.posterior('rain', {'wet': 'yes'})"
    assert found["command"].endswith("-t rain -e wet=yes")
    assert {row["variable"] for row in csv.DictReader(io.StringIO(found["csv"]))} == {"rain", "spray", "wet"}


def test_the_exported_command_runs(rain_files, run, model):
    named = Model(rain.NETWORK, "net.json")
    found = ask(named, "export", evidence={"wet": [0.25, 0.75]}, do={"spray": 1}, targets=["rain"])
    words = shlex.split(found["command"])
    code, out, err = run(*words[1:], "--json")
    assert (code, err) == (0, "")
    assert "0.75" in out
    assert "rain net.json" in shlex.split(ask(model, "export")["command"])


def test_names_with_quotes_survive_the_export():
    odd = 'it\'s; rm -rf $HOME `x` "y" \u202e'
    network = tb.BayesianNetwork.from_tables({odd: {"<b>": 0.5, "'": 0.5}})
    found = ask(Model(network, "n"), "export", targets=[odd], evidence={odd: 1})
    assert eval(found["python"], {"network": network}).names == (odd,)
    assert shlex.split(found["command"])[4] == odd


@given(networks())
def test_arc_strengths_are_mutual_information(network):
    expected = [network.junction_tree.mutual_information(*arc) for arc in network.arcs]
    assert arc_strengths(network) == pytest.approx(np.array(expected), abs=1e-9)


def test_parts_hold_the_neighbours_the_blanket_and_the_path():
    chain = {f"v{i}": [f"v{i - 1}"] if i else [] for i in range(9)}
    network = tb.fit(chain, {name: ["a", "b"] for name in chain})
    numbers = lambda *words: part(network, *words)["variables"].tolist()  # noqa: E731
    assert numbers("neighbourhood", ["v4"], 1) == [3, 4, 5]
    assert numbers("neighbourhood", ["v4"], 2) == [2, 3, 4, 5, 6]
    assert numbers("path", ["v6", "v3"], 1) == [3, 4, 5, 6]
    assert numbers("whole", [], 1) == list(range(9))
    names = network.schema.names
    assert {names[v] for v in numbers("blanket", ["v4"], 1)} == {"v4", *network.markov_blanket("v4")}


def test_large_parts_are_cut_to_what_can_be_drawn():
    network = tb.random_network(300, max_treewidth=3, seed=1)
    found = part(network, "whole", [], 1)
    assert len(found["variables"]) == MOST_CARDS
    assert found["left_out"] == 300 - MOST_CARDS


@pytest.mark.parametrize("seed", range(5))
def test_layers_put_parents_above_children_and_no_card_on_another(seed):
    network = tb.random_network(40, max_treewidth=3, seed=seed)
    sizes = [(100.0, 30.0 + v % 3 * 20) for v in range(40)]
    drawn = layered(network.arc_indices, sizes, 40.0)
    for parent, child in network.arc_indices:
        assert drawn.points[parent, 1] < drawn.points[child, 1]
    for a, b in itertools.combinations(range(40), 2):
        across, down = np.abs(drawn.points[a] - drawn.points[b])
        assert across >= 99.9 or down >= (sizes[a][1] + sizes[b][1]) / 2


@pytest.mark.parametrize("seed", range(20))
def test_isotonic_regression_equals_its_twin(seed):
    values = np.random.default_rng(seed).integers(-5, 6, size=7).astype(float)
    assert isotonic(values) == pytest.approx(reference.explorer.isotonic(values.tolist()))


def test_communities_are_the_cliques_of_a_ring_of_cliques():
    """Three cliques of five nodes, joined by single arcs."""
    cliques = [list(range(5 * i, 5 * i + 5)) for i in range(3)]
    arcs = [pair for clique in cliques for pair in itertools.combinations(clique, 2)] + [
        (0, 5),
        (6, 10),
        (11, 1),
    ]
    found = communities(15, np.array(arcs), np.ones(len(arcs)))
    assert len(set(found.tolist())) == 3
    assert all(len({int(found[v]) for v in clique}) == 1 for clique in cliques)


def test_communities_have_no_less_modularity_than_any_single_move_gives():
    network = tb.random_network(60, max_treewidth=2, seed=3)
    arcs = np.array(network.arc_indices)
    found = communities(60, arcs, np.ones(len(arcs))).tolist()
    reached = reference.explorer.modularity(arcs.tolist(), found)
    assert reached > 0.3
    assert reached >= reference.explorer.modularity(arcs.tolist(), list(range(60)))


def test_equal_networks_get_equal_places(model):
    again = Model(rain.NETWORK, "rain net.json")
    assert np.array_equal(again.points, model.points)
    assert np.array_equal(again.communities, model.communities)

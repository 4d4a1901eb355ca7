"""Networks in the hands of pgmpy, pyAgrum and networkx, as objects and as files that they read and write."""

from __future__ import annotations

import functools
import logging
import warnings

import networkx
import numpy as np
import pytest
from hypothesis import given, settings

import treebound as tb
from strategies_network import networks, words
from test_network_files import distribution, small

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyagrum = pytest.importorskip("pyagrum")
    readwrite = pytest.importorskip("pgmpy.readwrite")
    models = pytest.importorskip("pgmpy.models")

pytestmark = pytest.mark.filterwarnings("ignore")


@functools.cache
def bif_grammar(part):
    """What pgmpy makes anew for every file, though it is always the same and takes it a second."""
    return getattr(readwrite.BIFReader, part)(None)


class BIFReader(readwrite.BIFReader):
    """The reader of pgmpy, with its grammar made once."""

    def get_variable_grammar(self):
        return bif_grammar("get_variable_grammar")

    def get_probability_grammar(self):
        return bif_grammar("get_probability_grammar")


PGMPY_READERS = {
    "bif": BIFReader,
    "xml": readwrite.XMLBIFReader,
    "net": readwrite.NETReader,
    "xdsl": readwrite.XDSLReader,
}
NAMES = ["rain", "wind speed", "a,b", "table", "variable", "é", "9", 'a"b', "x<y"]
LABELS = ["no", "<=3", "1.5", "a b", "", "a;b", "中", "&"]


@pytest.fixture(autouse=True)
def quiet():
    """Both libraries log much at every step."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def chain(name, label):
    """One child with parents of 2 and 3 states, and a name and a label to try."""
    schema = tb.Schema(
        (tb.Variable("P", ("p", "q", "r")), tb.Variable(name, (label, "k")), tb.Variable("Q", ("u", "v")))
    )
    first = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
    return tb.BayesianNetwork.from_indices(
        schema, ((), (0, 2), ()), ([0.2, 0.3, 0.5], np.stack([first, 1 - first], 1).ravel(), [0.4, 0.6])
    )


def sorted_parents(network):
    """Names, states and P(variable | parents) with the parents in order of their names."""
    found = {}
    for v, variable in enumerate(network.schema):
        family = [network.schema.names[parent] for parent in network.parent_indices[v]]
        shape = [network.schema.cardinalities[u] for u in (*network.parent_indices[v], v)]
        order = [*np.argsort(family).tolist(), len(family)] if family else [0]
        found[variable.name] = (
            variable.states, sorted(family), network.tables[v].reshape(shape).transpose(order),
        )  # fmt: skip
    return found


def same(found, expected, tolerance=0.0):
    ours, theirs = sorted_parents(found), sorted_parents(expected)
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert ours[name][:2] == theirs[name][:2]
        np.testing.assert_allclose(ours[name][2], theirs[name][2], atol=tolerance, rtol=0)


@settings(max_examples=25)
@given(network=networks())
def test_networkx_keeps_everything(network):
    again = tb.formats.network_from_networkx(tb.formats.to_networkx(network))
    assert distribution(again) == distribution(network)
    assert again.elimination_order == network.elimination_order


def test_networkx_holds_tables_as_arrays():
    graph = tb.formats.to_networkx(small())
    assert graph.nodes["wet"]["table"].shape == (2, 3, 2)
    assert graph.nodes["wet"]["table"][0, 2].tolist() == [0.7, 1 - 0.7]
    assert graph.nodes["wet"]["parents"] == ["rain", "wind speed"]
    del graph.nodes["rain"]["table"]
    with pytest.raises(tb.NetworkFileError, match="got 'rain' without table"):
        tb.formats.network_from_networkx(graph)
    graph.nodes["rain"]["table"] = [[0.5, 0.5]]
    with pytest.raises(tb.NetworkFileError, match=r"table of 'rain' of shape \(2,\), got \(1, 2\)"):
        tb.formats.network_from_networkx(graph)
    graph.nodes["wet"]["parents"] = ["rain"]
    graph.nodes["rain"]["table"] = [0.5, 0.5]
    with pytest.raises(tb.NetworkFileError, match="parents of 'wet' that have arcs to it"):
        tb.formats.network_from_networkx(graph)
    with pytest.raises(tb.NetworkFileError, match="directed"):
        tb.formats.network_from_networkx(networkx.Graph())


@settings(max_examples=15)
@given(network=networks(names=words, labels=words))
def test_pgmpy_and_back(network):
    same(tb.formats.from_pgmpy(tb.formats.to_pgmpy(network)), network, 1e-15)


@settings(max_examples=15)
@given(network=networks(names=words, labels=words))
def test_pyagrum_and_back(network):
    same(tb.formats.from_pyagrum(tb.formats.to_pyagrum(network)), network, 1e-15)


def test_both_give_the_answers_that_the_network_gives():
    network = chain("N", "z")
    at = {"P": "r", "Q": "u"}
    assert tb.formats.to_pgmpy(network).get_cpds("N").get_value(N="z", **at) == pytest.approx(0.05)
    net = tb.formats.to_pyagrum(network)  # its tables do not keep it alive
    assert net.cpt("N")[{"N": "z", **at}] == pytest.approx(0.05)


def test_pgmpy_states_in_another_order_are_found_by_name():
    model = tb.formats.to_pgmpy(chain("N", "z"))
    cpd = model.get_cpds("N")
    turned = type(cpd)(
        "N", 2, cpd.values[:, ::-1, :].reshape(2, 6), ["P", "Q"], [3, 2],
        state_names={**cpd.state_names, "P": ["r", "q", "p"]},
    )  # fmt: skip
    model.remove_cpds(cpd)
    with pytest.raises(tb.NetworkFileError, match="got none for 'N'"):
        tb.formats.from_pgmpy(model)
    model.add_cpds(turned)
    same(tb.formats.from_pgmpy(model), chain("N", "z"), 1e-15)


@pytest.mark.parametrize("ending", PGMPY_READERS)
def test_pgmpy_reads_our_files(tmp_path, ending):
    for network in [chain(name, "z") for name in NAMES] + [chain("N", label) for label in LABELS]:
        path = tmp_path / f"x.{ending}"
        tb.save_network(network, path)
        model = PGMPY_READERS[ending](str(path)).get_model()
        (cpd,) = (cpd for cpd in model.get_cpds() if len(cpd.variables) == 3)
        assert cpd.variables[1:] == ["P", "Q"]
        np.testing.assert_allclose(cpd.values[0].ravel(), network.tables[1][0::2])


@pytest.mark.parametrize("ending", ["bif", "bifxml", "net"])
def test_pyagrum_reads_our_files(tmp_path, ending):
    for network in [chain(name, "z") for name in NAMES] + [chain("N", label) for label in LABELS]:
        path = tmp_path / f"x.{ending}"
        tb.save_network(network, path)
        net = pyagrum.loadBN(str(path))
        found = tb.formats.from_pyagrum(net)
        (child,) = (v for v in range(3) if found.parent_indices[v])
        wanted = found.schema.names[child]
        if ending == "bif":  # names that it can write again
            net.saveBIF(str(tmp_path / "y.bif"))
        for p, state in enumerate("pqr"):
            value = net.cpt(wanted)[{"P": state, "Q": "v", wanted: 0}]
            assert value == pytest.approx(network.tables[1][(2 * p + 1) * 2], abs=1e-7)


@pytest.mark.parametrize("ending", ["bif", "net"])
def test_long_remarks_do_not_end_pyagrum(tmp_path, ending):
    labels = tuple(f"é{i:06d}" for i in range(300))
    schema = tb.Schema(
        (tb.Variable("a b", labels), *(tb.Variable(f"{'v' * 200}{i}", ("x", "y")) for i in range(200)))
    )
    tables = [np.full(300, 1 / 300), *([0.5, 0.5] for _ in range(200))]
    network = tb.BayesianNetwork.from_indices(schema, [()] * 201, tables, range(201))
    tb.save_network(network, tmp_path / f"x.{ending}")
    assert len(pyagrum.loadBN(str(tmp_path / f"x.{ending}")).names()) == 201
    assert tb.load_network(tmp_path / f"x.{ending}") == network


@pytest.mark.parametrize("ending", ["bif", "bifxml", "net", "xdsl"])
def test_files_of_pyagrum_are_read(tmp_path, ending):
    network = chain("N", "z")
    pyagrum.saveBN(tb.formats.to_pyagrum(network), str(tmp_path / f"x.{ending}"))
    same(tb.load_network(tmp_path / f"x.{ending}"), network, 1e-6)


def test_uai_files_of_pyagrum_and_pgmpy_are_read_in_their_layouts(tmp_path):
    network = chain("N", "z")
    path = tmp_path / "x.uai"
    pyagrum.saveBN(tb.formats.to_pyagrum(network), str(path))
    found = tb.load_network(path, layout="pyagrum")
    (child,) = (v for v in range(3) if found.parent_indices[v])
    states = {v: found.schema.cardinalities[v] for v in found.parent_indices[child]}
    table = found.tables[child].reshape([*states.values(), 2])
    by_size = table if next(iter(states.values())) == 3 else table.transpose(1, 0, 2)
    assert by_size[..., 0].ravel().tolist() == pytest.approx(network.tables[1][0::2].tolist())
    readwrite.UAIWriter(tb.formats.to_pgmpy(network)).write(str(path))
    found = tb.load_network(path, layout="pgmpy")
    (child,) = (v for v in range(3) if found.parent_indices[v])
    assert sorted(found.tables[child][0::2]) == pytest.approx(network.tables[1][0::2].tolist())


@pytest.mark.parametrize(
    ("ending", "writer"),
    [("bif", readwrite.BIFWriter), ("xml", readwrite.XMLBIFWriter), ("net", readwrite.NETWriter),
     ("xdsl", readwrite.XDSLWriter)],
)  # fmt: skip
def test_files_of_pgmpy_are_read(tmp_path, ending, writer):
    network = chain("N", "z")
    writing = writer(tb.formats.to_pgmpy(network))
    (getattr(writing, "write", None) or writing.write_file)(str(tmp_path / f"x.{ending}"))
    same(tb.load_network(tmp_path / f"x.{ending}"), network, 1e-9)

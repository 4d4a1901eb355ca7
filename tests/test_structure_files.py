"""Formats of structures: what is kept comes back, dialects are read, damaged files are refused in words."""

from __future__ import annotations

import dataclasses
import gzip
import json
import math

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies_structure import structures
from treebound import Schema, Structure, StructureError, Variable, check, load_structure, save_structure
from treebound.formats import from_networkx, to_networkx
from treebound.formats.dot import format_dot, parse_dot
from treebound.formats.graphml import format_graphml, parse_graphml
from treebound.formats.modelstring import format_modelstring, parse_modelstring
from treebound.formats.res import format_res, parse_res
from treebound.formats.structure_json import format_json, parse_json

pytestmark = pytest.mark.core

any_names = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
xml_names = st.text("ab<>&\"é中' \n\t", min_size=1, max_size=5)
dot_names = st.text('ab\\"é中 \n{}[]->;', max_size=5)
bnlearn_names = st.text("abXY_.é", min_size=1, max_size=5)

GRAPH_FORMATS = [
    pytest.param(format_dot, parse_dot, dot_names, id="dot"),
    pytest.param(format_graphml, parse_graphml, xml_names, id="graphml"),
    pytest.param(format_modelstring, parse_modelstring, bnlearn_names, id="modelstring"),
    pytest.param(to_networkx, from_networkx, any_names, id="networkx"),
]
DIRECTED = '<graphml><key id="k" attr.name="label"/><graph edgedefault="directed">{}</graph></graphml>'
PARSERS = [parse_json, parse_res, parse_dot, parse_graphml, parse_modelstring]


def wet(**changes):
    return Structure.from_parents(
        {"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]},
        local_scores=[-1.0, -2.5, -0.125],
        max_treewidth=2,
        **changes,
    )


@pytest.mark.parametrize(("write", "parse", "names"), GRAPH_FORMATS)
def test_names_and_arcs_come_back(write, parse, names):
    @given(found=structures(names=names))
    def law(found):
        again = parse(write(found))
        assert (again.names, again.parent_indices) == (found.names, found.parent_indices)
        assert check(again)

    law()


@given(found=structures(names=any_names), scores=st.booleans())
def test_json_keeps_everything(found, scores):
    named = all(found.names)
    schema = Schema(tuple(Variable(name, ("x", "y")) for name in found.names)) if named else None
    full = dataclasses.replace(found, schema=schema, provenance={"seed": 1}, score_rounding=0.001)
    if not scores:
        full = dataclasses.replace(full, local_scores=None, score=None, insertion_order=None)
    assert parse_json(format_json(full)) == full


@given(found=structures(names=any_names), order=st.booleans())
def test_res_keeps_names_parents_and_scores(found, order):
    again = parse_res(format_res(found, elimination_order=order))
    assert (again.names, again.parent_indices, again.local_scores) == (
        found.names,
        found.parent_indices,
        found.local_scores,
    )
    assert again.score == found.score
    assert check(again, max_treewidth=found.treewidth if order else None)


def test_res_as_blip_writes_it():
    text = (
        "0: -1610.87  (11)\n".replace("11", "2") + "1: -1237,48  (2,0)\r\n2: -3735.08 \n\nScore: -6583.430 \n"
    )
    found = parse_res(text)
    assert found.parent_indices == ((2,), (0, 2), ())
    assert found.local_scores == (-1610.87, -1237.48, -3735.08)
    assert (found.score, found.score_rounding) == (-6583.43, 0.005)
    assert check(found)


def test_res_as_bn_slim_writes_it():
    text = "elim-order: (1,0,2)\n0: -5.00  (2)\n1: -6.00  (2)\n2: -7.00 \n\nScore: -18.000\n"
    found = parse_res(text)
    assert found.treewidth == 1
    assert found.parent_indices == ((2,), (2,), ())
    assert check(found, max_treewidth=1)


def test_a_bad_elimination_order_shows_in_the_width():
    star = "0: -5.0\n1: -6.0  (0)\n2: -7.0  (0)\n3: -7.0  (0)\n\nScore: -25.0\n"
    assert parse_res("elim-order: (1,2,3,0)\n" + star).treewidth == 1
    assert parse_res("elim-order: (0,1,2,3)\n" + star).treewidth == 3


def test_plain_res_has_no_comment(tmp_path):
    save_structure(wet(), tmp_path / "x.res", plain=True)
    text = (tmp_path / "x.res").read_text()
    assert text == "0: -1.0 \n1: -2.5  (0)\n2: -0.125  (0,1)\n\nScore: -3.625\n"
    save_structure(wet(), tmp_path / "y.res")
    assert (tmp_path / "y.res").read_text() == '# names ["rain", "spray", "wet"]\n' + text
    assert load_structure(tmp_path / "y.res").names == ("rain", "spray", "wet")
    with pytest.raises(StructureError, match=r"only \.res files"):
        save_structure(wet(), tmp_path / "y.dot", plain=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "got none"),
        ("0: -1\n2: -1\n", "line 2: expected variable 1, got 2"),
        ("0: -1\n0: -1\n", "line 2: expected variable 1, got 0"),
        ("0: x\n", "line 1: expected a score, got 'x'"),
        ("0: nan\n", "must be finite"),
        ("0: -1\n1: 0 0\n", "line 2: variable 1 is marked as unset"),
        ("0: -1 (1)\n", r"must be in 0\.\.0"),
        ("0: -1 (0)\n", "must be others"),
        ("0: -1 (1,1)\n1: -2\n", "each once"),
        ("0: -1 (1\n", "line 1: expected 'index: score"),
        ("0: -1 (99999999999999999999)\n", "line 1: .* far too long"),
        ("nonsense\n", "line 1: expected 'index: score"),
        ("Score: -1\nScore: -1\n", "line 2: expected one total score"),
        ("Score: x\n", "line 1: expected a score"),
        ("elim-order: (0)\nelim-order: (0)\n", "line 2: expected one elimination order"),
        ("elim-order: (0,1)\n0: -1\n", "each of 1 variables once"),
        ('# names ["a","b"]\n0: -1\n', "2 variables need as many"),
        ("# names {}\n0: -1\n", "line 1: expected a list of names"),
        ("# names [\n0: -1\n", "line 1"),
    ],
)
def test_a_broken_res_is_refused(text, words):
    with pytest.raises(StructureError, match=words):
        parse_res(text)


def test_a_res_whose_total_is_wrong_is_refused():
    assert not check(parse_res("0: -1.00\n1: -2.00 (0)\n\nScore: -3.100\n"))


@pytest.mark.parametrize(
    ("text", "arcs"),
    [
        ("digraph{a->b}", {("a", "b")}),
        ("strict digraph G { a -> b -> c; a -> b }", {("a", "b"), ("b", "c")}),
        ('digraph "x y" {\n//one\n#two\nnode [shape=box, color="a->b"]; rank=min\n"a b":p:n -> c [w=1][v]}',
         {("a b", "c")}),
        ("DIGRAPH { /* a -> c\n */ a; graph [x=y] b; 1 -> -2.5 }", {("1", "-2.5")}),
        ('digraph { "node" -> "a\\"b\\\\" }', {("node", 'a"b\\')}),
    ],
)  # fmt: skip
def test_dot_as_others_write_it(text, arcs):
    found = parse_dot(text)
    assert {(found.names[a], found.names[b]) for a, b in found.arc_indices} == arcs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected digraph, got the end"),
        ("graph { a }", "line 1: expected digraph, got 'graph'"),
        ("digraph {\na -- b }", "line 2: expected a name or a sign of DOT, got '-- b }'"),
        ("digraph { a -> }", "expected a name, got '}'"),
        ("digraph { a", "expected a name, got the end"),
        ("digraph { a [x=1", "expected ], got the end"),
        ("digraph { a } b", "expected the end of the text, got"),
        ("digraph { subgraph x { a } }", "subgraphs are not read"),
        ("digraph { a -> {b c} }", "expected a name, got '{'"),
        ("digraph { <b>x</b> }", "expected a name or a sign"),
        ("digraph { a -> a }", "must be others"),
        ("digraph { }", "at least one variable"),
        ('digraph { "a }', "expected a name or a sign"),
    ],
)
def test_a_broken_dot_is_refused(text, words):
    with pytest.raises(StructureError, match=words):
        parse_dot(text)


def test_graphml_is_what_networkx_reads(tmp_path):
    save_structure(wet(), tmp_path / "x.graphml")
    graph = networkx.read_graphml(tmp_path / "x.graphml")
    assert [graph.nodes[node]["name"] for node in graph] == ["rain", "spray", "wet"]
    assert graph.nodes["n1"]["score"] == -2.5
    assert set(graph.edges) == {("n0", "n1"), ("n0", "n2"), ("n1", "n2")}


def test_graphml_of_networkx_is_read(tmp_path):
    networkx.write_graphml(to_networkx(wet()), tmp_path / "x.graphml")
    found = load_structure(tmp_path / "x.graphml")
    assert (found.names, found.parent_indices) == (wet().names, wet().parent_indices)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected GraphML, got"),
        ("<a/>", "got other XML"),
        ("<graphml/>", "got other XML"),
        ('<graphml><graph edgedefault="undirected"/></graphml>', "expected a directed graph"),
        (DIRECTED.format('<node id="a"/><node id="a"/>'), "'a' again"),
        (DIRECTED.format('<node id="a"/><edge source="a" target="b"/>'), "from 'a' to 'b'"),
        (DIRECTED.format('<node id="a"><data key="k">x</data></node><node id="x"/>'), "different names"),
    ],
)  # fmt: skip
def test_a_broken_graphml_is_refused(text, words):
    with pytest.raises(StructureError, match=words):
        parse_graphml(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one variable"),
        ("rain", r"character 1: expected \[name\]"),
        ("[a][b|a", r"character 4: expected \[name\]"),
        ("[a][a]", "character 4: expected a new variable"),
        ("[a|b]", "must be among the variables, got 'b'"),
        ("[]", "character 1"),
        ("[a|]", "character 1"),
        ("[a][b|a:a]", "each once"),
        ("[a][b|a::]", "got ''"),
    ],
)
def test_a_broken_modelstring_is_refused(text, words):
    with pytest.raises(StructureError, match=words):
        parse_modelstring(text)


def test_the_modelstring_of_bnlearn():
    assert format_modelstring(wet()) == "[rain][spray|rain][wet|rain:spray]\n"
    assert parse_modelstring(" [wet|rain:spray] [rain]".replace(" [", "[") + "[spray|rain]\n").num_arcs == 3


@pytest.mark.parametrize(
    ("write", "name"),
    [(format_modelstring, "a|b"), (format_modelstring, ""), (format_modelstring, " a"),
     (format_graphml, "\0"), (format_graphml, "a\r"), (format_graphml, "\ud800")],
)  # fmt: skip
def test_a_name_that_the_format_cannot_hold_is_refused(write, name):
    with pytest.raises(StructureError, match="cannot hold the name"):
        write(Structure.from_parents([[]], names=[name]))


def test_undirected_and_ambiguous_graphs_are_refused():
    with pytest.raises(StructureError, match="directed"):
        from_networkx(networkx.Graph())
    graph = networkx.DiGraph()
    graph.add_nodes_from([1, "1"])
    with pytest.raises(StructureError, match="different names"):
        from_networkx(graph)


def test_networkx_keeps_scores():
    assert to_networkx(wet()).nodes["wet"] == {"score": -0.125}
    assert to_networkx(Structure.from_parents([[]])).nodes["0"] == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "x"), ("version", 1), ("version", 4), ("version", True), ("version", None),
        ("names", "ab"), ("names", [1, 2, 3]),
        ("parents", "ab"), ("parents", [[], [], [True]]), ("parents", [[], [0.0], []]), ("parents", {}),
        ("local_scores", ["1", "2", "3"]), ("local_scores", [1, 2]), ("local_scores", [1, 2, math.nan]),
        ("local_scores", 3), ("score", "x"), ("score", math.inf), ("score_rounding", None),
        ("score_rounding", 1),
        ("max_treewidth", 1.5), ("max_treewidth", -1), ("max_cells", 1.5),
        ("insertion_order", [None]), ("witness", 3),
        ("witness", {"bags": [[0]]}), ("witness", {"bags": [[0]], "edges": [[0]]}), ("schema", {}),
        ("schema", {"variables": [{"name": "a", "states": "xy"}]}),
        ("witness", {"bags": [[]], "edges": []}), ("witness", {"bags": [[0]], "edges": [[0, 1]]}),
        ("provenance", []),
    ],
)  # fmt: skip
def test_a_broken_json_is_refused(tmp_path, field, value):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(json.loads(format_json(wet())) | {field: value}))
    with pytest.raises(StructureError, match=r"x\.json"):
        load_structure(path)


@pytest.mark.parametrize("field", [*json.loads(format_json(wet()))])
def test_a_json_without_a_field_is_refused_unless_it_follows_from_others(field):
    fields = json.loads(format_json(wet()))
    del fields[field]
    if field in ("treewidth", "constraints"):
        assert parse_json(json.dumps(fields)) == wet()
        return
    with pytest.raises(StructureError):
        parse_json(json.dumps(fields))


@pytest.mark.parametrize("text", ["", "[]", "x", "{", "[" * 100_000, '{"format": "treebound structure"}'])
def test_other_json_is_refused(text):
    with pytest.raises(StructureError):
        parse_json(text)


@pytest.mark.parametrize("parse", PARSERS)
def test_any_text_gives_a_structure_or_a_structure_error(parse):
    @given(text=st.text(max_size=40) | st.text('[]{}()|:,->ab01."=\n', max_size=40))
    def law(text):
        try:
            parse(text)
        except StructureError:
            return

    law()


@pytest.mark.parametrize("write", [format_json, format_res, format_dot, format_graphml, format_modelstring])
def test_a_mutated_text_gives_a_structure_or_a_structure_error(write):
    parse = dict(
        zip([format_json, format_res, format_dot, format_graphml, format_modelstring], PARSERS, strict=True)
    )
    good = write(wet())

    @given(data=st.data())
    def law(data):
        text = good
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(text)))
            width = data.draw(st.integers(0, 4))
            text = text[:at] + data.draw(st.text('[]{}()|:,->ab01."=\n-9', max_size=3)) + text[at + width :]
        try:
            assert parse[write](text).num_variables > 0
        except StructureError:
            return

    law()


@pytest.mark.parametrize("ending", ["json", "res", "dot", "gv", "graphml", "modelstring", "json.gz", "RES"])
def test_files_come_back_by_their_ending(tmp_path, ending):
    save_structure(wet(), tmp_path / f"x.{ending}")
    found = load_structure(tmp_path / f"x.{ending}")
    assert (found.names, found.parent_indices) == (wet().names, wet().parent_indices)
    assert [path.name for path in tmp_path.iterdir()] == [f"x.{ending}"]


def test_damaged_files_are_refused_with_their_name(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff\xfe")
    with pytest.raises(StructureError, match=r"x\.json: line 1: expected text in UTF-8"):
        load_structure(tmp_path / "x.json")
    (tmp_path / "y.res").write_bytes(gzip.compress(b"0: -1.0\n")[:-3])
    with pytest.raises(StructureError, match=r"y\.res: .*gzip"):
        load_structure(tmp_path / "y.res")
    with pytest.raises(StructureError, match=r"z\.txt: expected a file that ends in \.json"):
        load_structure(tmp_path / "z.txt")
    with pytest.raises(StructureError, match="UTF-8"):
        save_structure(Structure.from_parents([[]], names=["\ud800"]), tmp_path / "z.dot")


def test_a_file_that_memory_cannot_hold_is_not_taken_for_a_structure(tmp_path, monkeypatch):
    """Converting a large network with little memory used to say that the file holds a structure."""
    from treebound.formats import structure_files

    def starve(text):
        raise MemoryError

    path = tmp_path / "network.json"
    path.write_text("{}")
    monkeypatch.setattr(structure_files, "holds_network", starve)
    with pytest.raises(MemoryError):
        structure_files.is_network_file(path)
    with pytest.raises(StructureError, match=r"network.json: there is not enough memory to read it\."):
        load_structure(path)

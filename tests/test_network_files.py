"""Formats of networks: what is kept comes back to the last bit, whatever names and labels are made of."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import pathlib
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference.bif
from strategies_network import any_texts, networks, words
from treebound import (
    BayesianNetwork,
    NetworkFileError,
    Schema,
    Structure,
    Variable,
    load_network,
    load_structure,
    random_network,
    save_network,
    save_structure,
)
from treebound.formats import LossySave
from treebound.formats._plain_names import escape, is_printable, plain, unescape
from treebound.formats.bif import format_bif, parse_bif
from treebound.formats.hugin import format_hugin, parse_hugin
from treebound.formats.network_json import format_network_json, parse_network_json
from treebound.formats.uai import format_uai, format_uai_names, parse_uai
from treebound.formats.xdsl import format_xdsl, parse_xdsl
from treebound.formats.xmlbif import format_xmlbif, parse_xmlbif

DATA = os.environ.get("TREEBOUND_DATA")
WITH_WITNESS = [
    pytest.param(format_bif, parse_bif, id="bif"),
    pytest.param(format_xmlbif, parse_xmlbif, id="xmlbif"),
    pytest.param(format_hugin, parse_hugin, id="hugin"),
    pytest.param(format_xdsl, parse_xdsl, id="xdsl"),
]
ENDINGS = ["json", "bif", "xmlbif", "bifxml", "xml", "uai", "net", "xdsl", "bif.gz", "uai.gz", "XDSL"]


def distribution(network):
    """What every format keeps."""
    return (
        [(variable.name, variable.states) for variable in network.schema],
        network.parent_indices,
        [table.tolist() for table in network.tables],
    )


def small():
    """Three variables with 2, 3 and 2 states; the last has both others as parents, the wide one first."""
    schema = Schema(
        (
            Variable("rain", ("no", "yes")),
            Variable("wind speed", ("<3", "[3, 7)", ">=7"), "binned", True, (0, 3, 7, 12)),
            Variable("wet", ("0", "1"), "integer", True),
        )
    )
    column = np.array([0.5, 0.125, 1 / 3, 0.1, 0.7, 0.0])
    tables = ([0.25, 0.75], [0.2, 0.3, 0.5], np.stack([column, 1 - column], 1).ravel())
    return BayesianNetwork.from_indices(schema, ((), (), (1, 0)), tables, (2, 0, 1), {"score": -12.5})


@pytest.mark.parametrize(("write", "parse"), WITH_WITNESS)
def test_any_network_comes_back_with_its_witness(write, parse):
    @settings(max_examples=40)
    @given(network=networks())
    def law(network):
        text = write(network)
        again = parse(text)
        assert distribution(again) == distribution(network)
        assert again.elimination_order == network.elimination_order
        assert write(again) == text

    law()


@settings(max_examples=40)
@given(network=networks())
def test_uai_keeps_all_but_the_witness(network):
    text = format_uai(network)
    assert distribution(parse_uai(text, format_uai_names(network))) == distribution(network)
    bare = parse_uai(text)
    assert bare.schema.names == tuple(map(str, range(network.num_variables)))
    assert distribution(bare)[1:] == distribution(network)[1:]


@settings(max_examples=40)
@given(network=networks())
def test_json_keeps_everything(network):
    full = BayesianNetwork.from_indices(
        network.schema, network.parent_indices, network.tables, network.elimination_order, {"by": 1}
    )
    again = parse_network_json(format_network_json(full))
    assert again == full
    assert again.provenance == {"by": 1}


@settings(max_examples=40)
@given(network=networks(names=words, labels=words))
def test_the_slow_reader_of_bif_agrees(network):
    text = format_bif(network)
    agrees_with_reference(parse_bif(text), text)


def agrees_with_reference(network, text):
    states, families = reference.bif.read(text)
    if any(v.name not in states or list(v.states) != states[v.name] for v in network.schema):
        return  # a name had to be changed
    for v, variable in enumerate(network.schema):
        parents, rows = families[variable.name]
        assert [network.schema.names[parent] for parent in network.parent_indices[v]] == parents
        keys = itertools.product(*(states[parent] for parent in parents))
        expected = [number for key in keys for number in rows[key]]
        np.testing.assert_allclose(network.tables[v], expected, atol=1e-5)


@pytest.mark.skipif(DATA is None, reason="TREEBOUND_DATA is not set")
def test_the_networks_of_the_repository_are_read():
    paths = sorted(pathlib.Path(DATA or "", "networks").glob("*.bif.gz"))
    assert paths
    for path in paths:
        if path.stat().st_size < 200_000:
            agrees_with_reference(load_network(path), gzip.decompress(path.read_bytes()).decode())
        else:
            assert load_network(path).num_variables > 30


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_come_back_by_their_ending(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    save_network(small(), path)
    assert distribution(load_network(path)) == distribution(small())
    assert ending.endswith("gz") == (path.read_bytes()[:2] == b"\x1f\x8b")
    beside = ["x.uai.names"] if "uai" in ending else []
    assert sorted(other.name for other in tmp_path.iterdir()) == sorted([path.name, *beside])


def test_only_json_keeps_bins_and_provenance(tmp_path):
    save_network(small(), tmp_path / "x.json")
    again = load_network(tmp_path / "x.json")
    assert again == small()
    assert (again.schema[1].edges, again.provenance) == ((0, 3, 7, 12), {"score": -12.5})
    save_network(small(), tmp_path / "x.bif")
    other = load_network(tmp_path / "x.bif")
    assert (other.schema[1].kind, other.provenance) == ("text", {"format": "bif"})


def test_states_are_what_they_read_as():
    network = random_network(3, seed=1)
    assert parse_bif(format_bif(network)).schema == network.schema


def test_names_that_bif_cannot_hold_are_made_words_and_restored():
    schema = Schema(
        (Variable("a b", ("<3", "_3")), Variable("a_b", ("", " ")), Variable("table", ("1.5", "2")))
    )
    network = BayesianNetwork.from_indices(schema, [(), (), ()], [[0.5, 0.5]] * 3)
    text = format_bif(network)
    assert (
        "variable a_b_2 {\n  type discrete [ 2 ] { _3_2, _3 };\n  property treebound_name = a~20b ;\n" in text
    )
    assert "variable a_b {\n  type discrete [ 2 ] { x_, _ };\n  property treebound_states = ~ ~20 ;\n" in text
    assert "variable x_table {\n  type discrete [ 2 ] { 1_5, 2 };\n" in text.replace("x_1_5", "1_5")
    assert "  property treebound_name = ~74able ;\n" in text  # no keyword, even in a remark
    assert parse_bif(text).schema.names == schema.names


@given(st.lists(any_texts, unique=True, max_size=8))
def test_made_words_differ_and_escapes_come_back(texts):
    for fits in (str.isidentifier, is_printable):
        made = plain(texts, lambda text, fits=fits: fits(text) and text.isascii())
        assert len(set(made)) == len(texts)
        assert all(fits(word) for word in made)
        assert all(word == text for word, text in zip(made, texts, strict=True) if text in made)
    assert unescape(escape(texts)) == texts
    assert escape(texts).isascii()


@pytest.mark.parametrize("words", ["~2", "~g0", "a b%", "~FF", "é", "~~"])
def test_other_words_are_no_escapes(words):
    assert unescape(words) is None


def test_thousands_of_names_that_are_made_alike_stay_quick():
    made = plain([chr(0x4E00 + i) for i in range(5000)], str.isascii)
    assert len(set(made)) == 5000
    assert made[:2] == ["_", "__2"]


def test_a_witness_that_fits_no_more_is_left_out():
    text = format_bif(small()).replace("rain", "snow", 1)
    assert parse_bif(text).elimination_order is None


def test_rows_within_rounding_are_rescaled_and_others_kept(caplog):
    text = "variable a {{ type discrete [ 3 ] {{ x, y, z }}; }} probability ( a ) {{ table {}; }}"
    exact = parse_bif(text.format("0.3, 0.3, 0.4000000001"))
    assert exact.tables[0].tolist() == [0.3, 0.3, 0.4000000001]
    assert not caplog.records
    rough = parse_bif(text.format("0.33, 0.33, 0.33"))
    assert rough.tables[0].tolist() == pytest.approx([1 / 3] * 3)
    assert "1 rows of probabilities did not sum to 1" in caplog.text
    with pytest.raises(NetworkFileError, match=r"sum to 1, got a sum of 0\.96 for 'a'"):
        parse_bif(text.format("0.32, 0.32, 0.32"))


def test_a_structure_is_no_network_and_the_other_way_round(tmp_path):
    save_structure(Structure.from_parents({"a": [], "b": ["a"]}), tmp_path / "s.json")
    with pytest.raises(NetworkFileError, match=r"s\.json: holds a structure without probability tables"):
        load_network(tmp_path / "s.json")


@pytest.mark.parametrize("ending", ["json", "bif", "xdsl"])
def test_the_structure_of_a_network_file_can_be_had(tmp_path, ending):
    save_network(small(), tmp_path / f"n.{ending}")
    found = load_structure(tmp_path / f"n.{ending}")
    assert (found.names, found.parent_indices) == (("rain", "wind speed", "wet"), ((), (), (0, 1)))
    assert found.cardinalities == (2, 3, 2)
    assert found.treewidth == 2


def test_damaged_files_are_refused_with_their_name(tmp_path):
    (tmp_path / "x.bif").write_bytes(b"network {\n\xff\xfe")
    with pytest.raises(NetworkFileError, match=r"x\.bif: line 2: expected text in UTF-8, got the byte 0xff"):
        load_network(tmp_path / "x.bif")
    (tmp_path / "y.bif").write_bytes(gzip.compress(b"network")[:-3])
    with pytest.raises(NetworkFileError, match=r"y\.bif: .*gzip"):
        load_network(tmp_path / "y.bif")
    with pytest.raises(NetworkFileError, match=r"z\.txt: expected a file that ends in \.json"):
        load_network(tmp_path / "z.txt")
    with pytest.raises(NetworkFileError, match=r"z\.dsc: files of this kind are read only"):
        save_network(small(), tmp_path / "z.dsc")
    with pytest.raises(NetworkFileError, match=r"only \.uai files"):
        load_network(tmp_path / "x.bif", layout="pgmpy")
    save_network(small(), tmp_path / "u.uai")
    (tmp_path / "u.uai.names").write_text("rain no yes\n")
    with pytest.raises(NetworkFileError, match="expected 3 lines in the file of names, got 1"):
        load_network(tmp_path / "u.uai")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "x"), ("version", 2), ("version", True), ("schema", None), ("schema", {"variables": [1]}),
        ("schema", {"variables": [{"name": 1, "states": ["a"]}]}), ("schema", {"variables": []}),
        ("schema", {"variables": [{"name": "a", "states": ["a"], "colour": 1}]}),
        ("schema", {"variables": [{"name": "a", "states": ["a", 2]}] * 3}),
        ("parents", [[], [], [True]]), ("parents", "ab"), ("parents", [[], [], [7]]),
        ("parents", [[2], [], [0]]),
        ("tables", [[1], [1]]), ("tables", [["1"]]), ("tables", [[0.5, 0.5]] * 3), ("tables", [10**400]),
        ("tables", [[10**400, 0], [1], [1]]),
        ("num_rows", "x"), ("num_rows", -1), ("structure", None), ("structure", {}), ("provenance", []),
    ],
)  # fmt: skip
def test_a_broken_json_is_refused(tmp_path, field, value):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(json.loads(format_network_json(small())) | {field: value}))
    with pytest.raises(NetworkFileError, match=r"x\.json"):
        load_network(path)


@pytest.mark.parametrize("text", ["", "[]", "x", "{", "[" * 100_000, "{}", '{"format": "treebound network"}'])
def test_other_json_is_refused(text):
    with pytest.raises(NetworkFileError):
        parse_network_json(text)


@pytest.mark.parametrize(
    ("ending", "words"), [("bif", "the bin edges of wind speed"), ("uai", "nor the proof of the treewidth")]
)
def test_a_lossy_save_says_what_is_lost(tmp_path, ending, words):
    with pytest.warns(LossySave, match=words):
        save_network(small(), tmp_path / f"n.{ending}")


def test_what_loses_nothing_says_nothing(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_network(small(), tmp_path / "n.json")
        plain = BayesianNetwork.from_indices(Schema((Variable("a", ("x", "y")),)), ((),), ([0.5, 0.5],))
        save_network(plain, tmp_path / "n.uai")

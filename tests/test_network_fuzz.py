"""Any damage to a file of a network gives one clear error or a valid network, never anything else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_network_dialects import BIF, BIF_DEFAULT, BIF_ROWS, DSC, HUGIN, NESTED, NUMBERS, UAI, XDSL, XMLBIF
from treebound import BayesianNetwork, NetworkFileError, random_network
from treebound._core import BifRows
from treebound.formats import bif
from treebound.formats.bif import format_bif, parse_bif
from treebound.formats.dsc import parse_dsc
from treebound.formats.hugin import parse_hugin
from treebound.formats.network_json import format_network_json, parse_network_json
from treebound.formats.uai import parse_uai
from treebound.formats.xdsl import parse_xdsl
from treebound.formats.xmlbif import parse_xmlbif

FILES = [
    pytest.param(parse_bif, BIF + BIF_ROWS, id="bif"),
    pytest.param(parse_bif, BIF + BIF_DEFAULT, id="bif default"),
    pytest.param(parse_xmlbif, XMLBIF, id="xmlbif"),
    pytest.param(parse_hugin, HUGIN.replace("DATA", NESTED), id="hugin"),
    pytest.param(parse_xdsl, XDSL.replace("DATA", NUMBERS), id="xdsl"),
    pytest.param(parse_dsc, DSC, id="dsc"),
    pytest.param(parse_uai, UAI, id="uai"),
    pytest.param(parse_network_json, format_network_json(parse_dsc(DSC)), id="json"),
]


@st.composite
def damaged(draw, text):
    """A text with a few tokens or characters cut out, doubled, swapped, replaced or cut off."""
    pieces = draw(st.sampled_from([list(text), re.findall(r"\w+|\s+|[^\w\s]", text)]))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(pieces)))
        other = draw(st.integers(0, len(pieces)))
        kind = draw(st.sampled_from(["delete", "double", "swap", "put", "cut"]))
        if kind == "delete":
            del pieces[at : at + draw(st.integers(1, 5))]
        elif kind == "double":
            pieces[at:at] = pieces[at : at + draw(st.integers(1, 9))]
        elif kind == "swap" and at < len(pieces) and other < len(pieces):
            pieces[at], pieces[other] = pieces[other], pieces[at]
        elif kind == "put":
            pieces.insert(
                at, draw(st.text(max_size=2) | st.sampled_from([*'(){};"|=<>&~%#', "-1", "1e999", "99999"]))
            )
        elif kind == "cut":
            del pieces[at:]
    return "".join(pieces)


def gives_network_or_error(parse, text):
    try:
        assert isinstance(parse(text), BayesianNetwork)
        return
    except NetworkFileError as error:
        words = str(error)
    assert words.endswith((".", "?"))


@pytest.mark.parametrize(("parse", "text"), FILES)
def test_a_damaged_file_gives_a_network_or_an_error(parse, text):
    @settings(max_examples=120)
    @given(text=damaged(text))
    def law(text):
        gives_network_or_error(parse, text)

    law()


@pytest.mark.parametrize(("parse", "text"), FILES)
def test_a_file_cut_short_anywhere_gives_a_network_or_an_error(parse, text):
    for length in range(0, len(text), 7):
        gives_network_or_error(parse, text[:length])


@pytest.mark.parametrize("parse", [parse_xmlbif, parse_xdsl])
def test_any_bytes_give_an_error(parse):
    @settings(max_examples=50)
    @given(
        data=st.binary(max_size=40) | st.binary(max_size=20).map(lambda noise: b"<?xml " + noise + b"?><a/>")
    )
    def law(data):
        with pytest.raises(NetworkFileError):
            parse(data)

    law()


@given(names=st.text(max_size=30), layout=st.sampled_from(["uai", "pgmpy", "pyagrum"]))
@settings(max_examples=50)
def test_any_names_beside_a_uai_file_give_a_network_or_an_error(names, layout):
    gives_network_or_error(lambda text: parse_uai(text, names, layout), UAI)


@pytest.mark.parametrize("sign", [*'(){};"|=<%', "variable ", "probability ( ", "node x {", "/*", '"a" '])
def test_a_file_of_one_sign_is_refused_at_once(sign):
    for parse in (parse_bif, parse_hugin, parse_dsc, parse_uai, parse_xmlbif, parse_xdsl, parse_network_json):
        with pytest.raises(NetworkFileError):
            parse(sign * 20_000)


class NoRows:
    """Stands for the core where nothing is to be taken out of a text."""

    num_blocks = 0

    def __init__(self, text):
        pass


def outcome(text):
    try:
        network = parse_bif(text)
    except NetworkFileError as error:
        return str(error)
    return network.schema, network.parent_indices, [table.tolist() for table in network.tables]


@pytest.mark.core
@pytest.mark.parametrize("text", [BIF + BIF_ROWS, BIF + BIF_DEFAULT, format_bif(random_network(4, seed=2))])
@settings(max_examples=400)
@given(data=st.data())
def test_rows_taken_out_of_bif_are_read_as_all_rows_are(text, data):
    text = data.draw(damaged(text))
    quick = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bif, "BifRows", NoRows)
        assert outcome(text) == quick


def test_plain_rows_are_taken_out_of_bif():
    text = format_bif(random_network(8, min_parents=1, seed=2))
    rows = BifRows(text)
    assert rows.num_blocks > 5
    assert rows.rest.count("\n") == text.count("\n")
    assert len(rows.rest) < len(text) / 2
    assert BifRows(text + "\0").num_blocks == 0

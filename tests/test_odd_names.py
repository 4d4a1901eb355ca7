"""Whatever names and labels are written come back, or are refused before a file is touched."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import treebound as tb
from strategies_cache import small_caches
from strategies_network import NASTY, networks
from strategies_structure import structures
from treebound.formats.network_files import WRITTEN_ENDINGS
from treebound.formats.structure_files import STRUCTURE_ENDINGS
from treebound.tables import TABLE_ENDINGS, open_table, save_columns, save_table

pytestmark = pytest.mark.core

ODD = [
    *NASTY, "\ufeff", "\ufeffa", "a\ufeff", ";", "a;b;c", "\t", ",,", "\r", "a\r\nb", "\n", "\n\n", '""',
    '"a"', '",', " ", "NA", "NaN", "null", "?", "\u2028", "\x1c", "0", "a\0", "\udfff",
]  # fmt: skip
odd_texts = st.sampled_from([*ODD, ""]) | st.text(st.sampled_from('ab,;\t"\r\n \ufeff\0é'), max_size=4)
odd_names = st.sampled_from(ODD) | st.text(st.sampled_from('ab,;\t"\r\n \ufeff\0é'), min_size=1, max_size=4)


@st.composite
def datasets(draw):
    """Rows of variables that are all text, with odd names and odd states, every one of which occurs."""
    names = draw(st.lists(odd_names, min_size=1, max_size=4, unique=True))
    states = [draw(st.lists(odd_texts, min_size=1, max_size=4, unique=True)) for _ in names]
    num_rows = 4 + draw(st.integers(0, 2))
    codes = [[row % len(labels) for row in range(num_rows)] for labels in states]
    return dataset_of(names, states, codes)


def dataset_of(names, states, codes):
    variables = (tb.Variable(name, tuple(labels)) for name, labels in zip(names, states, strict=True))
    return tb.Dataset(tb.Schema(tuple(variables)), np.array(codes))


def comes_back_or_is_refused(folder, name, write, read, error):
    """Write a file and return what is read; None if it was refused, and then the folder is as it was."""
    path = folder / name
    path.write_text("old")
    try:
        write(path)
    except error:
        assert path.read_text() == "old"
        assert [file.name for file in folder.iterdir()] == [name]
        return None
    again = read(path)
    for file in folder.iterdir():
        file.unlink()
    return again


def is_utf8(texts):
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("ending", TABLE_ENDINGS)
def test_tables(tmp_path, ending):
    @settings(max_examples=60)
    @given(table=datasets())
    @example(table=dataset_of(["a;b;c"], [["x;y", "z"]], [[0, 1]]))
    @example(table=dataset_of(["\ufeffa"], [["x", "y"]], [[0, 1]]))
    @example(table=dataset_of(["a\0"], [["x", "y"]], [[0, 1]]))
    @example(table=dataset_of(["a"], [["", "y"]], [[0, 1]]))
    def law(table):
        again = comes_back_or_is_refused(
            tmp_path,
            f"t{ending}",
            lambda path: save_table(table, path),
            lambda path: tb.load(path, schema=table.schema, na_values=[]),
            ValueError,
        )
        texts = [*table.schema.names, *(label for v in table.schema for label in v.states)]
        can_be_held = is_utf8(texts) and (ending == ".parquet" or "\0" not in "".join(texts))
        assert (again == table) == can_be_held
        assert (again is None) == (not can_be_held)

    law()


@pytest.mark.parametrize("ending", TABLE_ENDINGS)
def test_columns(tmp_path, ending):
    cells = st.none() | odd_texts

    @settings(max_examples=40)
    @given(
        columns=st.dictionaries(odd_names, st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=3)
    )
    def law(columns):
        again = comes_back_or_is_refused(
            tmp_path,
            f"t{ending}",
            lambda path: save_columns(columns, path),
            lambda path: open_table(path, na_values=[""]),
            ValueError,
        )
        if again is None:
            return
        assert again.names == tuple(columns)
        for index, expected in enumerate(columns.values()):
            column = again.read(index)
            # Nothing and a missing value are the same in text.
            assert [column.values[code] or None for code in column.codes] == [
                cell or None for cell in expected
            ]

    law()


@pytest.mark.parametrize("ending", [".tbc", ".jkl", ".jkl.gz", ".jaa"])
def test_caches(tmp_path, ending):
    @settings(max_examples=60)
    @given(cache=small_caches(names=odd_texts))
    def law(cache):
        again = comes_back_or_is_refused(
            tmp_path,
            f"c{ending}",
            lambda path: tb.save_cache(cache, path),
            tb.load_cache,
            tb.CacheError,
        )
        assert again is None or again.same_sets_as(cache)
        assert again is not None or ending != ".tbc"

    law()


@pytest.mark.parametrize("ending", [*STRUCTURE_ENDINGS, ".dot.gz"])
def test_structures(tmp_path, ending):
    @settings(max_examples=60)
    @given(structure=structures(names=odd_texts, max_variables=4))
    def law(structure):
        again = comes_back_or_is_refused(
            tmp_path,
            f"s{ending}",
            lambda path: tb.save_structure(structure, path),
            tb.load_structure,
            tb.StructureError,
        )
        assert again is None or (again.names, again.parent_indices) == (
            structure.names,
            structure.parent_indices,
        )
        assert again is not None or ending not in (".json", ".res")

    law()


@pytest.mark.parametrize("ending", [*WRITTEN_ENDINGS, ".uai.gz", ".bif.gz"])
def test_networks(tmp_path, ending):
    @settings(max_examples=30)
    @given(network=networks(names=odd_names, labels=odd_texts))
    def law(network):
        again = comes_back_or_is_refused(
            tmp_path,
            f"n{ending}",
            lambda path: tb.save_network(network, path),
            tb.load_network,
            tb.NetworkFileError,
        )
        assert again.schema.names == network.schema.names
        assert [v.states for v in again.schema] == [v.states for v in network.schema]
        assert again.parent_indices == network.parent_indices

    law()

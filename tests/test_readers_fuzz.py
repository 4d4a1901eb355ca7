"""Any damage to any file: it is read, or refused by the error of its kind with the file's name."""

from __future__ import annotations

import gzip
import zipfile

import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from strategies_data import mutated

pytestmark = pytest.mark.core


def network():
    schema = tb.Schema(
        (
            tb.Variable("a b", ("no", "yes")),
            tb.Variable("c", ("0", "1", "2"), "integer", True),
            tb.Variable("d", ("<1", ">=1"), "binned", True, (0, 1, 2)),
        )
    )
    tables = ([0.25, 0.75], [0.5, 0.25, 0.25] * 2, [0.5, 0.5, 1.0, 0.0, 0.125, 0.875])
    return tb.BayesianNetwork.from_indices(schema, ((), (0,), (1,)), tables, (2, 1, 0))


def structure():
    return tb.Structure.from_parents(
        {"a": [], "b": ["a"], "c": ["a", "b"]},
        local_scores=[-1.0, -2.5, -0.125],
        max_treewidth=2,
        schema=tb.Schema(tuple(tb.Variable(name, ("x", "y")) for name in "abc")),
    )


def cache():
    sets = {"a": [((), -3.0)], "b": [((), -4.0), (["a"], -2.0)], "c": [(["a", "b"], -1.0), ((), -5.0)]}
    return tb.ParentSetCache.from_sets(sets)


def table():
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table(
        {
            "text": ["x", "é", "x", "zz"],
            "number": [1, 2, 3, 1],
            "packed": pyarrow.array(["u", "v", "u", "v"]).dictionary_encode(),
            "truth": [True, False, None, True],
            "date": pyarrow.array([1, 2, 3, 4], "date32"),
        }
    )


def use_table(path):
    data = tb.load(
        path,
        schema=tb.load(path, missing="keep", discretise="quantile").schema,
        missing="keep",
        on_absent="ignore",
        unseen="missing",
    ).codes
    assert data.shape[1] >= 1


def use_structure(path):
    found = tb.load_structure(path)
    tb.check(found)
    assert str(found.guarantee)
    assert found.tightened().treewidth <= found.treewidth


def use_cache(path):
    found = tb.load_cache(path)
    assert all(list(found[name]) is not None for name in found.names)


def use_network(path):
    assert tb.load_network(path).num_variables >= 1


def use_evidence(path):
    tb.formats.load_evidence(path, network().schema)


def use_answer(path):
    tb.formats.load_answer(path, network().schema)


CSV = 'name,"é, x"\nx,1\n"y ""z""",2\nx,1\n'.encode()
DAT = b"A B C\n2 3 2\n0 2 1\n1 0 1\n0 0 0\n"
MARGINALS = b"MAR\n3 2 .5 .5 3 1 0 0 2 1 0\n"
FILES = [
    ("t.parquet", lambda path: pyarrow.parquet.write_table(table(), path), use_table, tb.DataError),
    ("t.feather", lambda path: pyarrow.feather.write_feather(table(), path), use_table, tb.DataError),
    (
        "u.feather",
        lambda path: pyarrow.feather.write_feather(table(), path, compression="uncompressed"),
        use_table,
        tb.DataError,
    ),
    ("t.csv", lambda path: path.write_bytes(CSV), use_table, tb.DataError),
    ("t.dat", lambda path: path.write_bytes(DAT), use_table, tb.DataError),
    *(
        (f"c{ending}", lambda path: tb.save_cache(cache(), path), use_cache, tb.CacheError)
        for ending in (".tbc", ".jkl", ".jkl.gz")
    ),
    *(
        (f"s{ending}", lambda path: tb.save_structure(structure(), path), use_structure, tb.StructureError)
        for ending in (".json", ".res", ".dot", ".graphml", ".modelstring", ".json.gz")
    ),
    *(
        (f"n{ending}", lambda path: tb.save_network(network(), path), use_network, tb.NetworkFileError)
        for ending in (".json", ".bif", ".xmlbif", ".uai", ".net", ".xdsl", ".bif.gz")
    ),
    *(
        (f"n{ending}", lambda path: tb.save_network(network(), path), use_structure, tb.StructureError)
        for ending in (".json", ".bif")
    ),
    ("e.evid", lambda path: path.write_bytes(b"2 0 1 2 0\n"), use_evidence, tb.NetworkFileError),
    ("a.MAR", lambda path: path.write_bytes(MARGINALS), use_answer, tb.NetworkFileError),
]  # fmt: skip


@st.composite
def damaged(draw, file):
    """A file with a few bytes changed, or with a piece cut off, doubled, or of which a digit became many."""
    kind = draw(st.sampled_from(["bytes", "bytes", "cut", "double", "digits"]))
    if kind == "bytes":
        return draw(mutated(file))
    at = draw(st.integers(0, len(file)))
    if kind == "cut":
        return file[:at]
    if kind == "double":
        return file[:at] + file[draw(st.integers(0, len(file))) :]
    digits = [place for place, byte in enumerate(file) if chr(byte).isdigit()] or [0]
    place = draw(st.sampled_from(digits))
    number = draw(
        st.sampled_from([b"-1", b"7", b"99", b"65536", b"4294967296", b"9" * 30, b"1e999", b"nan", b"[[["])
    )
    return file[:place] + number + file[place + 1 :]


@pytest.mark.parametrize(("name", "write", "use", "error"), FILES)
def test_a_damaged_file_is_used_or_refused(tmp_path, name, write, use, error):
    path = tmp_path / name
    write(path)
    use(path)
    whole = path.read_bytes()
    is_packed = name.endswith(".gz")
    inside = gzip.decompress(whole) if is_packed else whole

    @settings(max_examples=150)
    @given(data=st.data())
    def law(data):
        repacked = is_packed and data.draw(st.booleans())
        content = data.draw(damaged(inside if repacked else whole))
        path.write_bytes(gzip.compress(content) if repacked else content)
        try:
            use(path)
        except error as refused:
            words = str(refused)
        else:
            return
        if not words.startswith(str(path)):
            # A structure that was read may still promise what it cannot keep.
            assert error is tb.StructureError

    law()


@pytest.mark.parametrize("bags", [[[0, 7]], []])
def test_a_witness_of_other_variables_is_refused_and_promises_nothing(tmp_path, bags):
    path = tmp_path / "s.json"
    tb.save_structure(structure(), path)
    lines = path.read_text().splitlines()
    changed = [
        f'  "witness": {{"bags": {bags}, "edges": []}},' if '"witness"' in line else line for line in lines
    ]
    path.write_text("\n".join(changed))
    found = tb.load_structure(path)
    assert not tb.check(found)
    with pytest.raises(tb.StructureError, match="witness"):
        _ = found.guarantee


def test_a_date_that_no_calendar_has_is_named_with_its_column(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    dates = pyarrow.table({"a": [1, 2], "when": pyarrow.array([2**31 - 1, 1], "int32").cast("date32")})
    pyarrow.parquet.write_table(dates, tmp_path / "x.parquet")
    with pytest.raises(tb.DataError, match=r"x\.parquet: 'when': cannot be read \(OverflowError"):
        tb.load(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("name", "text", "read", "error"),
    [
        ("x.uai", "BAYES " + "7" * 100_000, tb.load_network, tb.NetworkFileError),
        ("x.xmlbif", "<BIF><NETWORK><DEFINITION><FOR>" + "a" * 100_000, tb.load_network, tb.NetworkFileError),
        ("x.dot", "digraph " + "a" * 100_000, tb.load_structure, tb.StructureError),
        ("x.modelstring", f"[{'a' * 100_000}][{'a' * 100_000}]", tb.load_structure, tb.StructureError),
        ("x.jkl", "1\n" + "a" * 100_000, tb.load_cache, tb.CacheError),
        ("x.csv", f"a,b\n{'x' * 100_000},1.5\n,2\n", tb.load, tb.DataError),
        ("x.csv", f"{'x' * 100_000},{'x' * 100_000}\n1,2\n1,2\n", tb.load, tb.DataError),
    ],
)
def test_messages_stay_short_whatever_is_in_the_file(tmp_path, name, text, read, error):
    (tmp_path / name).write_text(text)
    with pytest.raises(error) as refused:
        read(tmp_path / name)
    assert len(str(refused.value)) < 3000


def test_an_array_whose_header_is_no_expression_is_refused(tmp_path):
    tb.save_cache(cache(), tmp_path / "x.tbc")
    with zipfile.ZipFile(tmp_path / "x.tbc") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "x.tbc", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content.replace(b"), }", b"(  }"))
    with pytest.raises(tb.CacheError, match=r"x\.tbc: damaged"):
        tb.load_cache(tmp_path / "x.tbc")

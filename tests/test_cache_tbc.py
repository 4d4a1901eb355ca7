"""The native file: everything comes back, and nothing that is damaged, foreign or newer is believed."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies_cache import outcome, small_caches
from treebound import Bdeu, CacheError, ParentSetCache, Schema, Variable, load_cache, save_cache
from treebound.data import Fingerprint
from treebound.scoring import Coverage

pytestmark = pytest.mark.core


@pytest.fixture(scope="module")
def rich():
    made = ParentSetCache.from_sets(
        {"a b": [([], -5.0)], "#é": [(["a b"], -4.0), ([], -6.0)], "\n": [(["a b", "#é"], -0.5)]},
        schema=Schema(
            (
                Variable("a b", ("no", "yes")),
                Variable("#é", ("low", "high"), "binned", True, edges=(0.0, 1.5, 2.0)),
                Variable("\n", ("1", "2", "3"), "integer"),
            )
        ),
        score=Bdeu(2.5),
        coverage=Coverage("exhaustive", 2, ("dominated",), num_further=3),
    )
    return replace(
        made,
        fingerprint=Fingerprint(10, "abc"),
        score_rounding=0.001,
        provenance={"rows": 10},
        complete=np.array([True, False, True]),
        resume={"open_list": np.arange(6, dtype=np.int16).reshape(2, 3), "bounds": np.array([0.5, -np.inf])},
    )


@pytest.fixture
def saved(rich, tmp_path):
    path = tmp_path / "x.tbc"
    save_cache(rich, path)
    return path


def rewritten(path, change):
    """The archive again, each member as ``change(name, data)`` says; None leaves it out."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            if (new := change(name, data)) is not None:
                archive.writestr(name, new)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def assert_same(a, b):
    assert a.same_sets_as(b)
    for name in ("schema", "score", "fingerprint", "score_rounding", "coverage", "provenance"):
        assert getattr(a, name) == getattr(b, name)
    assert np.array_equal(a.complete, b.complete)
    assert (a.resume or {}).keys() == (b.resume or {}).keys()
    for name, array in (a.resume or {}).items():
        assert array.dtype == b.resume[name].dtype
        assert np.array_equal(array, b.resume[name])


def test_everything_comes_back(rich, saved):
    assert_same(load_cache(saved), rich)
    assert not load_cache(saved).is_complete
    assert "1 variables unfinished" in repr(load_cache(saved))


@given(cache=small_caches(names=st.text(max_size=4)))
def test_any_cache_comes_back(tmp_path_factory, cache):
    path = tmp_path_factory.getbasetemp() / "any.tbc"
    save_cache(cache, path)
    assert_same(load_cache(path), cache)


def test_equal_caches_give_equal_files(rich, saved, tmp_path):
    save_cache(load_cache(saved), tmp_path / "again.tbc")
    assert (tmp_path / "again.tbc").read_bytes() == saved.read_bytes()


def test_integers_are_stored_small(rich, saved):
    with np.load(saved) as members:
        assert members["sizes"].dtype == members["parents"].dtype == members["set_counts"].dtype == np.uint8


def test_more_than_256_variables_take_two_bytes(tmp_path):
    sets = {f"v{i}": [((), -2.0), ([(i + 1) % 300], -1.0)] for i in range(300)}
    cache = ParentSetCache.from_sets(sets)
    save_cache(cache, tmp_path / "x.tbc")
    with np.load(tmp_path / "x.tbc") as members:
        assert members["parents"].dtype == np.uint16
    assert_same(load_cache(tmp_path / "x.tbc"), cache)


def test_a_newer_version_is_refused_in_words(saved):
    def newer(name, data):
        return json.dumps(json.loads(data) | {"version": 3}) if name == "header.json" else data

    rewritten(saved, newer)
    with pytest.raises(CacheError, match=r"x\.tbc: expected format version 2, got 3; score the table again"):
        load_cache(saved)


def test_a_file_from_before_fingerprints_is_read_as_one_that_has_none(rich, saved):
    def older(name, data):
        if name != "header.json":
            return data
        header = json.loads(data)
        del header["fingerprint"], header["score_rounding"]
        return json.dumps(header)

    rewritten(saved, older)
    again = load_cache(saved)
    assert (again.fingerprint, again.score_rounding) == (None, 0.0)
    assert (again.schema, again.score) == (rich.schema, rich.score)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("fingerprint", "abc"), ("fingerprint", {"num_rows": 1}), ("score_rounding", "x"),
        ("score_rounding", None),
        ("schema", {}), ("schema", [1]), ("schema", {"variables": [{"name": "a b", "states": "xy"}]}),
        ("score", {"name": "bdeu", "equivalent_sample_size": -1.0}),
    ],
)  # fmt: skip
def test_a_header_with_a_wrong_field_is_refused(saved, field, value):
    def changed(name, data):
        return json.dumps(json.loads(data) | {field: value}) if name == "header.json" else data

    rewritten(saved, changed)
    with pytest.raises(CacheError, match=r"x\.tbc"):
        load_cache(saved)


@pytest.mark.parametrize("version", [0, -1, "2", None, 2.0, 1])
def test_a_version_that_makes_no_sense_is_refused(saved, version):
    def odd(name, data):
        return json.dumps(json.loads(data) | {"version": version}) if name == "header.json" else data

    rewritten(saved, odd)
    with pytest.raises(CacheError, match="expected format version 2, got"):
        load_cache(saved)


@pytest.mark.parametrize(
    "header",
    [
        "[]",
        "{}",
        '{"format": "other"}',
        "x",
        "[" * 100_000,
        '{"format": "treebound parent-set cache", "version": 2}',
    ],
)
def test_a_foreign_header_is_refused(saved, header):
    rewritten(saved, lambda name, data: header if name == "header.json" else data)
    with pytest.raises(CacheError, match=r"x\.tbc"):
        load_cache(saved)


@pytest.mark.parametrize(
    "missing", ["header.json", "scores.npy", "sizes.npy", "parents.npy", "set_counts.npy"]
)
def test_a_missing_member_is_refused(saved, missing):
    rewritten(saved, lambda name, data: None if name == missing else data)
    with pytest.raises(CacheError, match=missing.removesuffix(".npy")):
        load_cache(saved)


@pytest.mark.parametrize(
    "array",
    [
        np.array([object()] * 4),
        np.array([-1.0, -2.0]),
        np.array(["x"] * 4),
        np.zeros((2, 2)),
        np.array([1, 2, 3, 200], dtype=np.uint64) << np.uint64(55),
        np.array([], dtype=np.uint8),
        np.float64(3.0),
    ],
)
@pytest.mark.parametrize("member", ["scores", "sizes", "parents", "set_counts", "complete"])
def test_a_wrong_array_is_refused(saved, member, array):
    rewritten(saved, lambda name, data: npy(array) if name == f"{member}.npy" else data)
    with pytest.raises(CacheError, match=r"x\.tbc"):
        load_cache(saved)


def test_the_length_that_an_array_claims_is_not_believed(saved):
    def boast(name, data):
        return (
            data.replace(b"(4,), ", b"(4" + b"0" * 12 + b",), ")[: len(data)]
            if name == "scores.npy"
            else data
        )

    rewritten(saved, boast)
    with pytest.raises(CacheError, match=r"x\.tbc"):
        load_cache(saved)


def test_a_file_cut_short_is_refused_at_every_length(saved):
    data = saved.read_bytes()
    for length in range(len(data)):
        saved.write_bytes(data[:length])
        with pytest.raises(CacheError, match=r"x\.tbc"):
            load_cache(saved)


@given(data=st.data())
def test_damaged_bytes_give_the_same_cache_or_a_cache_error(tmp_path_factory, rich, data):
    path = tmp_path_factory.getbasetemp() / "damaged.tbc"
    save_cache(rich, path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    result = outcome(load_cache, path)
    assert isinstance(result, ParentSetCache) or "damaged.tbc" in result


@given(content=st.binary(max_size=50))
def test_random_bytes_are_refused(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "random.tbc"
    path.write_bytes(content)
    with pytest.raises(CacheError, match="expected a treebound cache"):
        load_cache(path)


@pytest.mark.parametrize("name", ["a/b", "", "../x", "a b"])
def test_resume_arrays_need_plain_names(tmp_path, name):
    cache = replace(ParentSetCache.from_sets({"a": [((), -1.0)]}), resume={name: np.zeros(2)})
    with pytest.raises(CacheError, match="Resume"):
        save_cache(cache, tmp_path / "x.tbc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.csv", "x", "x.tbc.gz", "jkl"])
def test_an_unknown_ending_is_refused(rich, tmp_path, name):
    for act in (load_cache, lambda path: save_cache(rich, path)):
        with pytest.raises(CacheError, match=r"expected a file that ends in \.jkl"):
            act(tmp_path / name)


def test_a_missing_file_is_a_missing_file(tmp_path):
    for name in ("x.tbc", "x.jkl"):
        with pytest.raises(FileNotFoundError):
            load_cache(tmp_path / name)

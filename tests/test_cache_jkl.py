"""The ``.jkl`` reader and writer against their slow twin, in all dialects, and on broken files."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import jkl as reference
from strategies_cache import blocks, dialects, outcome, small_caches
from treebound import Bdeu, Bic, CacheError, ParentSetCache, load_cache, save_cache
from treebound.formats.jkl import format_jkl, parse_jkl

pytestmark = pytest.mark.core

GOOD = """\
# Method: Independence selection
3
# Score function: BIC
# Time for variable: 0.23
0 1
-5.0 0
1 2
-4.5 1 0
# between
-6.0 0
2 2
-1.0 2 0 1
-9.0 0
"""


def text_of(cache, **options):
    return b"".join(format_jkl(cache, **options)).decode()


def contents(cache):
    return {name: [(one.score, one.parent_indices) for one in cache[name]] for name in cache.names}


@given(content=blocks(), data=st.data())
def test_every_dialect_reads_as_the_twin_reads_it(content, data):
    text = data.draw(dialects(reference.write(content)))
    assert contents(parse_jkl(text.encode())) == reference.read(text)


@given(cache=small_caches(), header=st.booleans())
def test_writing_then_reading_gives_the_same_cache(cache, header):
    text = text_of(cache, header=header)
    assert parse_jkl(text.encode()).same_sets_as(cache)
    assert reference.read(text) == contents(cache)
    assert ("#" in text) == header


@given(content=blocks(), data=st.data())
def test_a_mutated_text_is_accepted_exactly_when_the_twin_accepts_it(content, data):
    text = reference.write(content)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        width = data.draw(st.sampled_from([0, 0, 1, 1, 3]))
        text = text[:at] + data.draw(st.text("0123456789 -.#\nabcef", max_size=3)) + text[at + width :]
    try:
        expected = reference.read(text)
    except reference.Refused:
        with pytest.raises(CacheError, match="line"):
            parse_jkl(text.encode())
    else:
        assert contents(parse_jkl(text.encode())) == expected


@given(data=st.binary(max_size=60))
def test_any_bytes_give_a_cache_or_a_cache_error(data):
    result = outcome(parse_jkl, data)
    assert isinstance(result, ParentSetCache) or re.search(r"^line \d+: |UTF-8", result)


@given(data=st.data())
def test_damaged_gzip_gives_a_cache_or_a_cache_error(tmp_path_factory, data):
    packed = bytearray(gzip.compress(GOOD.encode(), mtime=0))
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    packed = packed[: data.draw(st.integers(0, len(packed)))]
    path = tmp_path_factory.getbasetemp() / "damaged.jkl.gz"
    path.write_bytes(packed)
    result = outcome(load_cache, path)
    assert isinstance(result, ParentSetCache) or "damaged.jkl.gz" in result


def changed(old, new):
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, r"expected the number of variables, got the end"),
        ("# only this\n\n", 2, r"expected the number of variables, got the end"),
        ("x\n", 1, r"expected the number of variables alone, got 'x'"),
        ("-3\n", 1, r"expected the number of variables alone, got '-3'"),
        ("2.0\n", 1, r"expected the number of variables alone, got '2.0'"),
        ("99999999999999999999\n", 1, r"expected the number of variables alone"),
        ("0\n", 1, r"at least one variable"),
        (changed("\n3\n", "\n3 7\n"), 2, r"alone, got '3 7'"),
        (changed("\n3\n", "\n4\n"), 13, r"expected 4 variables, got 3 before the end"),
        (changed("\n3\n", "\n9223372036854775807\n"), 13, r"expected 9223372036854775807 variables, got 3"),
        (changed("\n3\n", "\n2\n"), 11, r"expected the end of the file after 2 variables, got '2 2'"),
        (changed("1 2\n", "1 3\n"), 11, r"expected 2 parents after the number, got 0 in '2 2'"),
        (changed("1 2\n", "1 1\n"), 11, r"expected the end of the file after 3 variables, got '2 2'"),
        (changed("\n2 2\n", "\n2 3\n"), 13, r"expected 3 sets of '2', got 2 before the end"),
        (changed("\n2 2\n", "\n2 9223372036854775807\n"), 13, r"expected 9223372036854775807 sets of '2'"),
        (changed("\n2 2\n", "\n2 18446744073709551616\n"), 11, r"number of sets of the variable"),
        (changed("\n2 2\n", "\n2 -2\n"), 11, r"expected the number of sets of the variable, got '-2'"),
        (changed("\n2 2\n", "\n2\n"), 11, r"expected the name of a variable and its number of sets, got '2'"),
        (changed("\n2 2\n", "\n1 2\n"), 11, r"got '1' again .first on line 7."),
        (changed("-4.5 1 0\n", "-4.5 1\n"), 8, r"expected 1 parents after the number, got 0"),
        (changed("-4.5 1 0\n", "-4.5 1 0 2\n"), 8, r"expected 1 parents after the number, got 2"),
        (changed("-4.5 1 0\n", "-4.5 -1 0\n"), 8, r"expected a score, the number of parents"),
        (changed("-4.5 1 0\n", "-4.5 99999999999999999999 0\n"), 8, r"expected a score, the number of"),
        (changed("-4.5 1 0\n", "-4.5 4000000000 0\n"), 8, r"expected 4000000000 parents"),
        (changed("-4.5 1 0\n", "-4.5\n"), 8, r"expected a score, the number of parents"),
        (changed("-4.5 1 0\n", "-4.5 1 1\n"), 8, r"own parent"),
        (changed("-4.5 1 0\n", "-4.5 1 3\n"), 8, r"one of the variables as parent, got '3'"),
        (changed("-4.5 1 0\n", "-4.5 1 00\n"), 8, r"one of the variables as parent, got '00'"),
        (changed("-4.5 1 0\n", "-4.5 2 0 0\n"), 8, r"expected each parent once, got '0' again"),
        (changed("-4.5 1 0\n", "nan 1 0\n"), 8, r"finite score, got 'nan'"),
        (changed("-4.5 1 0\n", "-inf 1 0\n"), 8, r"finite score, got '-inf'"),
        (changed("-4.5 1 0\n", "-1e999 1 0\n"), 8, r"finite score, got '-1e999'"),
        (changed("-4.5 1 0\n", "-4.5x 1 0\n"), 8, r"expected the score of a parent set, got '-4.5x'"),
        (changed("-4.5 1 0\n", "-1.234,5 1 0\n"), 8, r"expected the score of a parent set"),
        (changed("-4.5 1 0\n", "-" + "4" * 100 + " 1 0\n"), 8, r"expected the score of a parent set"),
        (changed("-9.0 0\n", "-9.0 2 1 0\n"), 13, r"expected each parent set once, got that of line 12"),
        (GOOD + "3 0\n", 14, r"expected the end of the file after 3 variables, got '3 0'"),
        (GOOD + "\x00", 14, r"expected the end of the file"),
    ],
)  # fmt: skip
def test_a_broken_text_is_refused_with_the_line_and_the_reason(tmp_path, text, line, words):
    path = tmp_path / "broken.jkl"
    path.write_text(text)
    with pytest.raises(CacheError, match=words) as caught:
        load_cache(path)
    assert f"broken.jkl: line {line}: " in str(caught.value)


def test_a_long_line_is_shortened_in_the_message():
    with pytest.raises(CacheError) as caught:
        parse_jkl(b"7 " * 10_000)
    assert len(str(caught.value)) < 200


def test_names_that_are_not_utf8_are_refused():
    with pytest.raises(CacheError, match="UTF-8"):
        parse_jkl(b"1\n\xff 1\n-1 0\n")


def test_numbers_out_of_order_are_names():
    cache = parse_jkl(b"2\n1 1\n-1 1 0\n0 1\n-2 0\n")
    assert cache.names == ("1", "0")
    assert cache.best("1").parent_indices == (1,)


def test_the_header_names_the_score_word_for_word():
    cache = parse_jkl(GOOD.encode())
    assert cache.score is None  # BLIP's BIC is none of ours
    assert cache.provenance["header"][0] == "Method: Independence selection"
    again = parse_jkl(text_of(cache, header=True).encode())
    assert again.provenance["header"] == ["Score function: BIC", "Max in-degree: 2"]


@pytest.mark.parametrize(
    ("scores", "rounding"),
    [((-1.25, -7.5), 0.005), ((-1.0, -3.0), 0.005), ((-1.125, -2.5), 0.0005), ((-1.12345678, -2.5), 0.0)],
)
def test_decimals_tell_by_how_much_scores_were_rounded(scores, rounding):
    text = f"2\na 1\n{scores[0]} 0\nb 1\n{scores[1]} 0\n"
    assert parse_jkl(text.encode()).score_rounding == pytest.approx(rounding)


def test_the_header_of_our_own_scores():
    sets = {"a": [((), -1.0)]}
    bdeu = ParentSetCache.from_sets(sets, score=Bdeu(2.0))
    assert "# Score function: BDeu (alpha: 2.00)\n" in text_of(bdeu, header=True)
    bic = ParentSetCache.from_sets(sets, score=Bic())
    assert text_of(bic, header=True) == "# Score function: BIC\n# Max in-degree: 0\n1\na 1\n-1 0\n"
    assert text_of(bic) == "1\na 1\n-1 0\n"


@pytest.mark.parametrize("score", ["-1e-400", "2.48E-20072", "0.001e-99999999999999999999", "-0"])
def test_a_score_too_small_for_a_double_is_zero(score):
    assert parse_jkl(f"1\na 1\n{score} 0\n".encode()).scores.tolist() == [0.0]


@pytest.mark.parametrize("score", ["-1e400", "2E+20072", "0.001e99999999999999999999", "inf", "nan"])
def test_a_score_too_large_for_a_double_is_refused(score):
    with pytest.raises(CacheError, match="expected a finite score"):
        parse_jkl(f"1\na 1\n{score} 0\n".encode())


@pytest.mark.parametrize("name", ["", "two words", "tab\t", "#x", "line\n", "\ud800"])
def test_a_name_that_the_format_cannot_hold_is_refused_and_leaves_no_file(tmp_path, name):
    cache = ParentSetCache.from_sets({name: [((), -1.0)]})
    with pytest.raises(CacheError, match="cannot hold the name"):
        save_cache(cache, tmp_path / "x.jkl")
    assert list(tmp_path.iterdir()) == []


def test_many_pieces_make_one_file(tmp_path, monkeypatch):
    monkeypatch.setattr("treebound.formats.jkl._SETS_PER_PIECE", 2)
    cache = parse_jkl(GOOD.encode())
    save_cache(cache, tmp_path / "x.jkl.gz")
    assert (tmp_path / "x.jkl.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert load_cache(tmp_path / "x.jkl.gz").same_sets_as(cache)


def test_gzip_is_seen_whatever_the_ending(tmp_path):
    (tmp_path / "x.jkl").write_bytes(gzip.compress(GOOD.encode()))
    (tmp_path / "y.jkl.gz").write_bytes(GOOD.encode())
    assert load_cache(tmp_path / "x.jkl").same_sets_as(load_cache(tmp_path / "y.jkl.gz"))


def test_scores_survive_to_the_last_bit():
    rng = np.random.default_rng(0)
    values = rng.standard_normal(2000) * 10.0 ** rng.integers(-300, 300, 2000)
    cache = ParentSetCache.from_sets({f"v{i}": [((), value)] for i, value in enumerate(values)})
    assert np.array_equal(parse_jkl(text_of(cache).encode()).scores, cache.scores)


PUBLIC_CACHES = sorted(Path(os.environ.get("TREEBOUND_DATA", "/nonexistent"), "jkl").glob("*.jkl.gz"))


@pytest.mark.skipif(not PUBLIC_CACHES, reason="TREEBOUND_DATA does not name a folder with jkl/*.jkl.gz")
def test_the_public_caches_load_and_come_back(tmp_path):
    for path in PUBLIC_CACHES:
        cache = load_cache(path)
        assert "Score function: BIC" in cache.provenance["header"]
        assert contents(cache) == reference.read(gzip.decompress(path.read_bytes()).decode())
        for ending in ("jkl", "jkl.gz", "tbc"):
            save_cache(cache, tmp_path / f"x.{ending}")
            assert load_cache(tmp_path / f"x.{ending}").same_sets_as(cache)

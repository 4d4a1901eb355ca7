"""Evidence and answers of the UAI competitions: written as they are today, read as they were."""

from __future__ import annotations

import math

import numpy as np
import pytest

import treebound as tb

SCHEMA = tb.Schema((tb.Variable("a b", ("no", "yes")), tb.Variable("B", ("x", "y", "z"))))


@pytest.fixture
def read(tmp_path):
    """Read a text as a file by one of the functions."""

    def read(load, text):
        (tmp_path / "x").write_text(text)
        return load(tmp_path / "x", SCHEMA)

    return read


def test_evidence_comes_back(tmp_path):
    for evidence in ({}, {"B": "z"}, {"B": "y", "a b": "no"}):
        tb.formats.save_evidence(evidence, tmp_path / "x.evid", SCHEMA)
        assert tb.formats.load_evidence(tmp_path / "x.evid", SCHEMA) == (evidence,)
    assert (tmp_path / "x.evid").read_text() == "2 1 1 0 0\n"
    with pytest.raises(tb.DataError, match="did you mean 'B'"):
        tb.formats.save_evidence({"Bb": "x"}, tmp_path / "x.evid", SCHEMA)


def test_old_evidence_has_several_sets(read):
    assert read(tb.formats.load_evidence, "2\n1 1 2\n2 0 1 1 0\n") == ({"B": "z"}, {"a b": "yes", "B": "x"})
    assert read(tb.formats.load_evidence, "1\n1 1 2") == ({"B": "z"},)
    assert read(tb.formats.load_evidence, "0") == ({},)


def test_answers_come_back(tmp_path):
    path = tmp_path / "x.uai.MAR"
    marginals = {"a b": np.array([0.25, 0.75]), "B": np.array([0.1, 0.2, 0.7])}
    tb.formats.save_answer(marginals, path, SCHEMA)
    assert path.read_text() == "MAR\n2 2 0.25 0.75 3 0.1 0.2 0.7\n"
    assert {name: found.tolist() for name, found in tb.formats.load_answer(path, SCHEMA).items()} == {
        "a b": [0.25, 0.75],
        "B": [0.1, 0.2, 0.7],
    }
    tb.formats.save_answer({"B": "z", "a b": "no"}, path, SCHEMA)
    assert path.read_text() == "MPE\n2 0 2\n"
    assert tb.formats.load_answer(path, SCHEMA) == {"a b": "no", "B": "z"}
    tb.formats.save_answer(-2 * math.log(10), path, SCHEMA)
    assert path.read_text() == "PR\n-2.0\n"
    assert tb.formats.load_answer(path, SCHEMA) == pytest.approx(math.log(0.01))
    with pytest.raises(ValueError, match="got none for 'a b'"):
        tb.formats.save_answer({"B": "z"}, path, SCHEMA)
    with pytest.raises(ValueError, match="expected 3 probabilities of 'B'"):
        tb.formats.save_answer({"B": [1], "a b": [0, 1]}, path, SCHEMA)


def test_old_answers_count_the_sets_of_evidence(read):
    assert read(tb.formats.load_answer, "MPE\n1\n2 1 2") == {"a b": "yes", "B": "z"}
    assert read(tb.formats.load_answer, "PR\n1\n0") == 0
    assert read(tb.formats.load_answer, "MAR\n1\n2 2 0 1 3 0 0 1")["B"].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("load", "text", "words"),
    [
        (tb.formats.load_evidence, "", "x: line 1: expected a whole number, got the end"),
        (tb.formats.load_evidence, "1 2 0", "line 1: expected a variable below 2, got '2'"),
        (tb.formats.load_evidence, "1\n1 1\n3", "line 3: expected a state of 'B' below 3, got '3'"),
        (tb.formats.load_evidence, "1 -1 0", "line 1: expected a whole number, got '-1'"),
        (tb.formats.load_evidence, "1 1 1 0 0", "line 1: expected the end of the file, got '0'"),
        (tb.formats.load_evidence, "2 1 1 0", "line 1: expected|got the end"),
        (tb.formats.load_answer, "MMAP 1", "line 1: expected PR, MPE or MAR, got 'MMAP'"),
        (tb.formats.load_answer, "PR", "expected 1 numbers after this one"),
        (tb.formats.load_answer, "PR x", "expected a number, got 'x'"),
        (tb.formats.load_answer, "MPE\n3 0 0 0", "line 2: expected 2 variables, got '3'"),
        (tb.formats.load_answer, "MPE\n2 0 0 0", "line 2: expected the end of the file"),
        (tb.formats.load_answer, "MAR\n2 3 0 0 1", "line 2: expected 2 states of 'a b', got '3'"),
        (tb.formats.load_answer, "MAR\n2 2 0", "line 2: expected 2 numbers after this one"),
    ],
)
def test_broken_files_are_refused_with_their_line(read, load, text, words):
    with pytest.raises(tb.NetworkFileError, match=words):
        read(load, text)

"""Evidence that leaves several states possible: one of a list, or a range of numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from treebound.inference import beyond_range, bin_of, encode_finding, parse_evidence

RNG = np.random.default_rng(5)
AGE = RNG.integers(18, 80, 600)
ROWS = {
    "age": AGE,
    "education": np.array(["P", "S", "U"])[RNG.integers(0, 3, 600)],
    "children": np.where(AGE < 40, RNG.integers(0, 2, 600), RNG.integers(0, 4, 600)),
    "home": np.where(AGE + RNG.normal(0, 15, 600) > 45, "yes", "no"),
}
DATA = tb.load(ROWS, discretise={"age": "quantile:4"})
NETWORK = tb.fit({"age": (), "children": ("age",), "home": ("age", "education"), "education": ()}, DATA)
CHILDREN = [0, 1, 2, 3]


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, np.array])
def test_one_of_several_states_is_the_sum_of_them(kind):
    found = math.exp(NETWORK.log_probability({"education": kind(["P", "U"]), "home": "yes"}))
    each = [math.exp(NETWORK.log_probability({"education": one, "home": "yes"})) for one in "PU"]
    assert found == pytest.approx(sum(each))
    joint = NETWORK.posterior(["home", "education"], {"age": 30}).array
    home = NETWORK.posterior("home", {"age": 30, "education": kind(["P", "U"])}).array
    np.testing.assert_allclose(home, joint[:, [0, 2]].sum(axis=1) / joint[:, [0, 2]].sum())


@given(st.sets(st.sampled_from(CHILDREN), min_size=1))
def test_sets_name_states_where_lists_of_numbers_are_likelihoods(wanted):
    marginal = NETWORK.posterior("children")
    expected = sum(marginal[one] for one in wanted)
    assert math.exp(NETWORK.log_probability({"children": wanted})) == pytest.approx(expected)
    weights = [float(one in wanted) for one in CHILDREN]
    assert math.exp(NETWORK.log_probability({"children": weights})) == pytest.approx(expected)


@given(st.tuples(st.integers(10, 90), st.integers(10, 90)).map(sorted).map(tuple))
def test_a_range_counts_the_rows_in_it(ends):
    inside = (ends[0] <= AGE) & (ends[1] >= AGE)
    if inside.any():
        found = math.exp(NETWORK.log_probability({"age": ends}))
        assert found == pytest.approx(inside.mean(), abs=0.01)  # the tables are smoothed
        below = math.exp(NETWORK.log_probability({"age": (None, ends[1])}))
        above = math.exp(NETWORK.log_probability({"age": (ends[0], None)}))
        assert below + above - 1 <= found + 1e-9


def test_a_range_beyond_the_numbers_counts_like_a_number():
    for ends, number in (((200, 300), 250), ((-5, None), 30), ((18.2, 18.3), 18.2)):
        if ends[1] is not None:
            expected = NETWORK.posterior("home", {"age": number}).array
            np.testing.assert_allclose(NETWORK.posterior("home", {"age": ends}).array, expected)
    np.testing.assert_allclose(
        NETWORK.posterior("home", {"age": (None, None)}).array, NETWORK.posterior("home").array
    )


def test_without_remembered_numbers_a_range_takes_its_share_of_the_bin():
    fields = DATA.schema["age"].to_json()
    del fields["bins"]
    old = tb.Variable.from_json(fields)
    schema = tb.Schema((old, *DATA.schema.variables[1:]))
    network = tb.fit(tb.Structure.from_parents({name: [] for name in schema.names}, schema=schema), ROWS)
    found = math.exp(network.log_probability({"age": (30, 49)}))
    assert found == pytest.approx(np.mean((AGE >= 30) & (AGE <= 49)), abs=0.05)


def test_the_header_names_the_states():
    assert "education = P or S" in str(NETWORK.posterior("home", {"education": ["P", "S"]}))


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"education": ["P", "X"]}, "'X' is not one of its states"),
        ({"education": set()}, "The states of 'education' must be one or more, got none"),
        ({"age": (32, 24)}, r"A range of 'age' must be a pair \(low, high\) of ascending numbers"),
        ({"age": (math.nan, 24)}, "A range of 'age' must be a pair"),
        ({"age": (True, 24)}, "A range of 'age' must be a pair"),
        ({"children": [1, 2]}, r"write a set to name states, as in \{1, 2\}"),
    ],
)
def test_wrong_lists_and_ranges_are_rejected(evidence, message):
    with pytest.raises(tb.InferenceError, match=message):
        NETWORK.posterior("home", evidence)


@pytest.fixture
def asked(run, tmp_path, monkeypatch):
    """Ask the command for a posterior of home, as a dict."""
    import json

    monkeypatch.chdir(tmp_path)
    tb.save_network(NETWORK, "net.json")

    def ask(*words):
        code, out, err = run("query", "net.json", "-t", "home", "--json", *words)
        return json.loads(out) if code == 0 else err

    return ask


@pytest.mark.parametrize(
    ("word", "evidence"),
    [
        ("education=P,S", {"education": ["P", "S"]}),
        ("children=1,2", {"children": {1, 2}}),
        ("age=24..32", {"age": (24, 32)}),
        ("age=24.5..", {"age": (24.5, None)}),
        ("age=..32", {"age": (None, 32)}),
        (
            ",".join(["age=" + DATA.schema["age"].states[1], DATA.schema["age"].states[2]]),
            {"age": [*DATA.schema["age"].states[1:3]]},
        ),
    ],
)
def test_the_command_takes_lists_and_ranges(asked, word, evidence):
    found = asked("-e", word)
    assert list(found["posteriors"]["home"].values()) == pytest.approx(
        NETWORK.posterior("home", evidence).array.tolist()
    )


def test_the_command_rejects_what_may_be_a_number(asked):
    assert "'24,5' may be a number or a list. Write 24.5 for the number, or 24..5" in asked("-e", "age=24,5")
    assert "'X' is not one of its states" in asked("-e", "education=P,X")
    assert "A list of states must read STATE,STATE, got 'P,,S'" in asked("-e", "education=P,,S")
    assert "is not one of its states" in asked("-e", "age=a..b")


def test_the_command_reads_decimal_commas_in_ranges(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("x;y\n" + "".join(f"{i},5;{i % 2}\n" for i in range(40)))
    network = tb.fit({"x": (), "y": ("x",)}, tb.load("t.csv", decimal=",", discretise={"x": "quantile:4"}))
    tb.save_network(network, "net.json")
    for word, evidence in (("x=1,5..7,5", {"x": (1.5, 7.5)}), ("x=1,5;38,5", {"x": ["1.5", "38.5"]})):
        code, out, _ = run("query", "net.json", "-t", "y", "-e", word)
        assert code == 0
        best = network.posterior("y", evidence).array
        assert all(f"{weight:.4f}" in out for weight in best)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("24", "24"),
        ("24..32", (24, 32)),
        ("65..", (65, None)),
        ("..", ".."),
        ("24;32", ["24", "32"]),
        ("24,5", "24.5"),
        ("1.234", tb.InferenceError),
        (DATA.schema["age"].states[1], DATA.schema["age"].states[1]),
    ],
)
def test_typed_numbers_with_decimal_commas(text, finding):
    preparation = replace(DATA.schema.preparation, reading=tb.data.Reading(decimal=","))
    schema = replace(DATA.schema, preparation=preparation)
    if isinstance(finding, type):
        with pytest.raises(finding, match=r"Write 1234 or 1,234\."):
            parse_evidence(text, "age", schema)
    else:
        assert parse_evidence(text, "age", schema) == finding


def test_a_typed_finding_is_a_code_or_likelihoods():
    education = DATA.schema["education"]
    assert encode_finding(parse_evidence("S", "education", DATA.schema), education) == education.code("S")
    listed = encode_finding(parse_evidence("P,S", "education", DATA.schema), education)
    assert [education.states[v] for v in np.flatnonzero(listed)] == ["P", "S"]
    age = DATA.schema["age"]
    assert beyond_range("999", age) is not None
    assert beyond_range((0.0, 999.0), age) is None
    assert bin_of("30", age) == age.states[age.code(30)]

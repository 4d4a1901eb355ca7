"""Bins against brute force, and the laws that samples and later rows rely on."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from reference import data as reference
from treebound.tables._optimal_bins import multinomial_complexity

finite = st.floats(allow_nan=False, allow_infinity=False)
# Every double that is not whole is an odd number over a power of two.
not_whole = st.builds(
    lambda i, k: math.ldexp(2 * i + 1, -k), st.integers(-(2**52), 2**52 - 1), st.integers(1, 1074)
)
# Multiples of an eighth: means and sums of them are exact.
dyadic = st.integers(-800, 800).map(lambda i: i / 8)
odd_eighths = st.integers(-400, 399).map(lambda i: (2 * i + 1) / 8)
halves = st.integers(-20, 20).map(lambda i: i / 2)
odd_halves = st.integers(-10, 9).map(lambda i: (2 * i + 1) / 2)


@st.composite
def real_columns(draw, numbers, not_whole):
    """Columns of at least two numbers, one of them not whole."""
    column = draw(st.lists(numbers, min_size=1, max_size=29))
    column.insert(draw(st.integers(0, len(column))), draw(not_whole))
    return column


def binned(values, rule):
    data = tb.load({"x": values}, discretise={"x": rule})
    return data.schema["x"], data.codes[0]


@given(values=real_columns(halves | finite, odd_halves | not_whole), bins=st.integers(2, 9))
def test_quantile_bins_are_those_of_brute_force(values, bins):
    variable, codes = binned(values, tb.Discretise("quantile", bins=bins))
    assert codes.tolist() == reference.quantile_bins(values, bins)
    assert variable.cardinality == len(set(codes.tolist()))


@given(
    values=st.lists(dyadic, min_size=2, max_size=30)
    | st.lists(st.integers(-40, 40), min_size=2, max_size=30),
    edges=st.lists(dyadic, min_size=1, max_size=6, unique=True).map(sorted),
)
def test_bins_of_given_edges_are_those_of_counting(values, edges):
    variable, codes = binned(values, edges)
    assert codes.tolist() == [sum(edge <= value for edge in edges) for value in values]
    assert variable.edges[1:-1] == tuple(edges)
    assert variable.cardinality == len(edges) + 1
    assert variable.find_all(list(variable.states)).tolist() == list(range(len(edges) + 1))
    assert variable.bin(variable.numbers).tolist() == list(range(len(edges) + 1))
    rule = tb.Discretise.of(np.array(edges))
    assert rule == tb.Discretise.of(str(rule)) == tb.Discretise("edges", edges=edges)


@given(values=real_columns(dyadic, odd_eighths), bins=st.sampled_from([2, 4, 8]))
def test_width_bins_are_those_of_brute_force(values, bins):
    variable, codes = binned(values, tb.Discretise("width", bins=bins))
    assert codes.tolist() == reference.width_bins(values, bins, is_whole=False)
    assert variable.cardinality == (bins if len(set(values)) > 1 else 1)


@given(values=st.lists(st.integers(-40, 40), min_size=2, max_size=30), bins=st.sampled_from([2, 4, 8]))
def test_width_bins_of_integers_are_those_of_brute_force(values, bins):
    variable, codes = binned(values, tb.Discretise("width", bins=bins))
    assert codes.tolist() == reference.width_bins(values, bins, is_whole=True)
    assert all(edge.is_integer() for edge in variable.edges)


@given(values=st.lists(st.integers(-40, 40), min_size=2, max_size=30), bins=st.integers(2, 9))
def test_quantile_bins_of_integers_are_those_of_brute_force(values, bins):
    variable, codes = binned(values, tb.Discretise("quantile", bins=bins))
    assert codes.tolist() == reference.quantile_bins(values, bins)
    assert all(edge.is_integer() for edge in variable.edges)


@given(values=real_columns(finite, not_whole), method=st.sampled_from(["quantile", "median", "width"]))
def test_bins_are_kept_by_the_schema_and_by_samples(values, method):
    variable, codes = binned(values, method)
    assert variable.kind == "binned"
    assert variable.edges[0] == min(values)
    assert variable.edges[-1] == max(values)
    schema = tb.Schema.from_json(tb.Schema((variable,)).to_json())
    assert schema == tb.Schema((variable,))
    assert tb.load({"x": values}, schema=schema).codes[0].tolist() == codes.tolist()
    drawn = variable.draw_inside(np.repeat(codes, 3), np.random.default_rng(0))
    assert tb.load({"x": drawn}, schema=schema).codes[0].tolist() == np.repeat(codes, 3).tolist()
    assert drawn.min() >= min(values)
    assert drawn.max() <= max(values)
    # Labels find their bins too, so that decoded rows can be encoded again.
    assert tb.load({"x": variable.decode(codes)}, schema=schema).codes[0].tolist() == codes.tolist()


@given(values=st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=20), bins=st.integers(2, 5))
def test_bins_of_integers_give_back_integers(values, bins):
    variable, codes = binned(values, tb.Discretise("quantile", bins=bins))
    drawn = variable.draw_inside(codes, np.random.default_rng(1))
    assert (drawn == np.floor(drawn)).all()
    assert variable.bin(drawn).tolist() == codes.tolist()


def test_draws_fill_the_bin_evenly():
    variable = tb.Variable("x", ("<3", ">=3"), "binned", True, (1, 3, 5), is_whole=True)
    drawn = variable.draw_inside(np.repeat([0, 1], 6000), np.random.default_rng(2))
    assert np.bincount(drawn.astype(int))[1:] == pytest.approx([3000, 3000, 2000, 2000, 2000], abs=200)
    variable = tb.Variable("x", ("<3", ">=3"), "binned", True, (1, 3, 5))
    drawn = variable.draw_inside(np.repeat([0, 1], 6000), np.random.default_rng(3))
    assert np.histogram(drawn, bins=[1, 2, 3, 4, 5])[0] == pytest.approx([3000] * 4, abs=200)


def test_draws_never_round_up_into_the_next_bin():
    variable = tb.Variable("x", ("<1+", ">=1+"), "binned", True, (1.0, np.nextafter(1.0, 2.0), 2.0))
    assert set(variable.draw_inside(np.zeros(100, dtype=int), np.random.default_rng(0))) == {1.0}


def test_values_beyond_the_edges_belong_to_the_outer_bins():
    data = tb.load({"x": [0.5, 1.5, 2.5, 3.5]}, discretise="median")
    assert data.schema["x"].states == ("<2", ">=2")
    assert tb.load({"x": [-100.0, 1.99, 2.0, 1e9, 7]}, schema=data.schema).codes.tolist() == [[0, 0, 1, 1, 1]]


def test_labels_are_short():
    numbers = [i + 0.123456 for i in range(100)]
    states = tb.load({"x": numbers}, discretise=tb.Discretise("quantile", bins=4)).schema["x"].states
    assert states == ("<25", "[25, 50)", "[50, 75)", ">=75")


def test_ties_move_cuts_and_never_empty_a_bin():
    mostly_zero = [0.0] * 90 + [0.5] * 5 + [1.0] * 5
    variable, codes = binned(mostly_zero, "quantile")
    assert np.bincount(codes).tolist() == [90, 10]
    variable, codes = binned([0.25] * 7, "quantile")
    assert variable.states == ("[0.25, 0.25]",)
    assert variable.draw_inside(codes, np.random.default_rng(0)).tolist() == [0.25] * 7


def test_numbers_are_cut_if_they_are_more_than_the_bins():
    table = {
        "real": [i / 4 for i in range(300)],
        "few": [1, 2, 3] * 100,
        "few reals": [0.5, 1.5, 2.5] * 100,
        "age": [20 + i % 60 for i in range(300)],
        "many": list(range(300)),
        "text": ["a", "b", "c"] * 100,
        "codes": pd.Categorical([i % 50 for i in range(300)]),
    }
    schema = tb.load(pd.DataFrame(table), discretise="quantile:3").schema
    kinds = ["binned", "integer", "float", "binned", "binned", "text", "integer"]
    assert [variable.kind for variable in schema] == kinds
    assert schema["many"].is_whole
    assert not schema["real"].is_whole
    assert schema["many"].cardinality == 3
    assert schema["codes"].cardinality == 50


@given(
    num_values=st.integers(1, 12),
    bins=st.integers(2, 9),
    is_whole=st.booleans(),
    method=st.sampled_from(["quantile", "width"]),
)
def test_one_rule_says_what_is_cut(num_values, bins, is_whole, method):
    values = [i if is_whole else i + 0.5 for i in range(num_values)] * 2
    variable = tb.load({"x": values, "y": [1] * len(values)}, discretise=tb.Discretise(method, bins)).schema[
        "x"
    ]
    assert (variable.kind == "binned") == reference.is_cut(values, bins)
    from treebound.sklearn import TreeboundDensity

    fitted = TreeboundDensity(steps=1, discretise=method, bins=bins).fit(pd.DataFrame({"x": values}))
    assert fitted.network_.schema["x"] == variable


def test_rules_are_read_from_numbers_and_texts():
    numbers = [i / 3 for i in range(60)]
    for rule, states in ((4, 4), ("4", 4), ("quantile:4", 4), ("width:3", 3), ("median", 2), ("quantile", 5)):
        assert tb.load({"x": numbers}, discretise=rule).schema["x"].cardinality == states
    assert (
        tb.load({"x": [1, 2] * 30, "y": numbers}, discretise={"x": "keep", None: 3}).schema["y"].cardinality
        == 3
    )
    assert str(tb.Discretise.of("supervised:y")) == "supervised:y"
    for rule, words in (
        ("quantile:x", "must read METHOD:NUMBER, such as quantile:4, got 'quantile:x'"),
        ("supervised", "as in 'supervised:income'"),
        ("quantle", "did you mean 'quantile'"),
        ("quantile:1", "bins must be at least 2, got 1"),
        ("edges", "limits between bins make a rule of method 'edges'"),
        ("edges:18,x", "edges must read edges:NUMBER,..., such as edges:18,65, got 'edges:18,x'"),
        ("edges:30,18", "edges must be ascending numbers"),
        ([], "edges must be ascending numbers, at least one, got"),
        ([1, math.inf], "each of edges must be finite"),
    ):
        with pytest.raises(ValueError, match=words):
            tb.load({"x": numbers}, discretise=rule)


def test_texts_that_spell_numbers_are_cut_if_asked():
    frame = pd.DataFrame({"x": [f"{i / 2}" for i in range(12)], "y": ["a", "b"] * 6})
    assert tb.load(frame).schema["x"].kind == "text"
    data = tb.load(frame, discretise={"x": 3})
    assert data.schema["x"].kind == "binned"
    assert tb.load(frame, schema=data.schema) == data


@given(
    values=st.lists(st.integers(0, 30) | st.sampled_from([0, 1, 15]), min_size=2, max_size=14),
    most=st.integers(2, 5),
)
def test_histograms_have_the_shortest_description(values, most):
    variable, codes = binned(values, tb.Discretise("mdl", bins=most))
    if len(set(values)) == 1:
        assert variable.cardinality == 1
        return
    best = min(
        reference.histogram_length(values, cuts) for cuts in reference.all_cuts(sorted(set(values)), most)
    )
    starts = [min(v for v, code in zip(values, codes, strict=True) if code == c) for c in sorted(set(codes))]
    assert reference.histogram_length(values, starts[1:]) == pytest.approx(best, abs=1e-9)
    assert 2 <= variable.cardinality <= most


@given(
    rows=st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=2, max_size=16),
    most=st.integers(2, 4),
)
def test_supervised_bins_are_the_most_probable(rows, most):
    values, classes = [x for x, _ in rows], [y for _, y in rows]
    table = {"x": values, "y": classes}
    rule = tb.Discretise("supervised", bins=most, target="y")
    data = tb.load(table, discretise={"x": rule})
    codes = data.column("x")
    if len(set(values)) == 1:
        return
    best = min(
        reference.modl_length(values, classes, cuts) for cuts in reference.all_cuts(sorted(set(values)), most)
    )
    starts = [min(v for v, code in zip(values, codes, strict=True) if code == c) for c in sorted(set(codes))]
    assert reference.modl_length(values, classes, starts[1:]) == pytest.approx(best, abs=1e-9)


@given(num_rows=st.integers(1, 9), num_values=st.integers(1, 4))
def test_the_complexity_of_a_multinomial_is_the_sum_of_maximum_likelihoods(num_rows, num_values):
    found = multinomial_complexity(num_rows, num_values)
    assert len(found) == num_values
    assert found[-1] == pytest.approx(reference.multinomial_complexity(num_rows, num_values))


def test_the_approximation_of_the_complexity_meets_the_sum():
    exact = reference.binomial_complexity(1001)
    assert multinomial_complexity(1001, 2)[1] == pytest.approx(exact, rel=1e-6)


def test_bins_for_a_target_find_where_it_changes():
    rng = np.random.default_rng(0)
    x = rng.random(2000)
    y = np.where(x < 0.3, "low", np.where(x < 0.35, "mid", "high"))
    edges = tb.load({"x": x, "y": y}, discretise="supervised:y").schema["x"].edges
    assert edges[1:-1] == pytest.approx([0.3, 0.35], abs=0.01)
    with pytest.raises(tb.DataError, match="'z': there is none"):
        tb.load({"x": x, "y": y}, discretise="supervised:z")
    with pytest.raises(tb.DataError, match="'w': 2000 distinct values, more than 256"):
        tb.load({"x": x, "w": x + 1, "y": y}, discretise={"x": "supervised:w", "w": 4})


def test_the_target_of_bins_is_cut_by_itself():
    x = np.arange(40)
    schema = tb.load({"x": x, "y": x % 20}, discretise="supervised:y").schema
    assert schema["y"].cardinality == 5
    assert [note.words for note in schema.preparation.columns][1] == "5 bins by quantile"


def test_histograms_of_many_numbers_find_gaps():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(0, 1, 4000), rng.normal(20, 1, 4000)])
    variable = tb.load({"x": x}, discretise="mdl").schema["x"]
    assert variable.cardinality <= 20
    codes = variable.bin(x)
    # A few numbers at the edges of the gap may share the wide bin that holds it.
    shared = set(codes[:4000]) & set(codes[4000:])
    assert np.isin(codes, list(shared)).mean() < 0.02


def test_each_column_can_have_a_rule_of_its_own():
    table = {"a": [0.5, 1.5, 2.5, 3.5], "b": [1, 2, 3, 4], "c": [1, 2, 3, 4], "d": [0.5, 0.25, 0.5, 0.5]}
    rules = {"a": "median", "b": tb.Discretise("width", bins=4), "d": None}
    schema = tb.load(table, discretise=rules).schema
    assert [variable.cardinality for variable in schema] == [2, 4, 4, 2]
    assert [variable.kind for variable in schema] == ["binned", "binned", "integer", "float"]
    assert schema["d"].states == ("0.25", "0.5")
    assert tb.load(table, schema=schema).to_dict()["d"].tolist() == table["d"]


@pytest.mark.core
def test_numbers_in_text_files_are_binned_too(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,zip\n" + "".join(f"{i / 2},{i},{i:05}\n" for i in range(40)))
    with pytest.raises(tb.DataError) as caught:
        tb.load(path, discretise="median", max_states=10)
    assert [(problem.kind, problem.column) for problem in caught.value.problems] == [("identifier", "zip")]
    path.write_text("a,b\n" + "".join(f"{i / 2},{i}\n" for i in range(40)))
    data = tb.load(path, discretise="median", max_states=10)
    frame = {"a": [i / 2 for i in range(40)], "b": list(range(40))}
    assert data == tb.load(frame, discretise="median", max_states=10)
    assert data.codes.sum(axis=1).tolist() == [20, 20]


def test_rules_that_cannot_be_followed_are_refused():
    table = {"age": [1.5, 2.5], "name": ["a", "b"], "flag": [True, False]}
    with pytest.raises(tb.DataError) as caught:
        tb.load(table, discretise={"name": "median", "flag": "width", "age": "median"})
    assert [(problem.kind, problem.column) for problem in caught.value.problems] == [
        ("not numeric", "name"),
        ("not numeric", "flag"),
    ]
    with pytest.raises(tb.DataError, match="'agee': there is none; did you mean 'age'"):
        tb.load(table, discretise={"agee": "median"})
    with pytest.raises(ValueError, match="did you mean 'quantile'"):
        tb.load(table, discretise="quantiles")
    with pytest.raises(ValueError, match="bins must be at least 2, got 1"):
        tb.Discretise("width", bins=1)
    with pytest.raises(ValueError, match="bins must be at least 2, got 0"):
        tb.Discretise("quantile", bins=0)
    with pytest.raises(TypeError, match="bins must be a whole number, got '3'"):
        tb.Discretise("quantile", bins="3")
    with pytest.raises(ValueError, match="median makes 2 bins"):
        tb.Discretise("median", bins=3)


@given(one=not_whole, other=finite)
def test_extreme_ranges_do_not_overflow(one, other):
    low, high = sorted([one, -other if one == other else other])
    for method in ("quantile", "width"):
        variable, codes = binned([low, high], method)
        assert codes.tolist() == [0, variable.cardinality - 1]
        assert np.isfinite(variable.draw_inside(codes, np.random.default_rng(0))).all()

"""What bins remember of their numbers: medians, means and values as brute force finds them."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from reference import data as reference
from treebound.tables import Choices, open_table, schema_of, summarise

EIGHTHS = st.integers(-400, 400).map(lambda i: i / 8)
METHODS = st.sampled_from(["quantile:3", "width:4", "median", "mdl"])


def binned(values, rule="quantile:3"):
    data = tb.load({"x": values}, discretise={"x": rule})
    return data.schema["x"], data.codes[0]


@given(values=st.lists(EIGHTHS, min_size=2, max_size=90), rule=METHODS)
def test_bins_remember_what_brute_force_finds(values, rule):
    variable, codes = binned(values, rule)
    for code, kept in enumerate(variable.bins):
        inside = [value for value, own in zip(values, codes, strict=True) if own == code]
        assert (kept is None) == (not inside)
        if kept is not None:
            assert kept.median == reference.lower_median(inside)
            assert kept.mean == pytest.approx(sum(inside) / len(inside), abs=1e-9)
            assert set(kept.values) <= set(inside)
            assert (kept.values[0], kept.values[-1]) == (min(inside), max(inside))
            if len(set(inside)) <= 32:
                assert dict(zip(kept.values, kept.counts, strict=True)) == reference.counts(inside)


@given(values=st.lists(EIGHTHS, min_size=2, max_size=60), rule=METHODS)
def test_files_keep_what_bins_remember_and_old_ones_load_without_it(values, rule):
    variable, codes = binned(values, rule)
    written = json.loads(json.dumps(variable.to_json()))
    assert tb.Variable.from_json(written).bins == variable.bins
    del written["bins"]
    old = tb.Variable.from_json(written)
    assert old == variable
    assert old.bins is None
    for numbers in (old.median(codes), old.draw_inside(codes, np.random.default_rng(0)), old.numbers[codes]):
        assert variable.bin(numbers).tolist() == codes.tolist()


@given(values=st.lists(EIGHTHS, min_size=4, max_size=60))
def test_parts_of_a_table_remember_what_the_whole_does(values):
    choices = Choices(discretise={"x": "quantile:3"})
    parts = [summarise(open_table({"x": part}), choices) for part in (values[:2], values[2:])]
    schema = schema_of(parts[0].plus(parts[1]), choices, "the parts")
    assert schema["x"].bins == binned(values)[0].bins


def test_numbers_come_back_as_they_occur():
    """Levels of income, as a survey has them, and prices with two decimals."""
    levels = [2500, 7500, 15000, 35000, 75000, 125000, 200000]
    prices = [round(3.99 + 0.07 * i, 2) for i in range(300)]
    data = tb.load({"income": levels * 40, "price": prices[:280]}, discretise=3)
    network = tb.fit({"income": (), "price": ("income",)}, data)
    drawn = network.sample(500, seed=1).to_dict()
    assert set(drawn["income"]) == set(levels)
    assert all(len(repr(price).partition(".")[2]) <= 2 for price in drawn["price"].tolist())
    filled = network.impute({"income": [None, 2500], "price": [20.0, None]})
    assert filled["income"][0] in levels
    assert filled["price"][1] in prices


def test_draws_have_the_shares_of_the_data():
    variable, codes = binned([1.5] * 60 + [2.5] * 20 + [9.5] * 20, "median")
    drawn = variable.draw_inside(np.repeat(codes, 100), np.random.default_rng(0))
    assert np.mean(drawn == 2.5) == pytest.approx(0.2, abs=0.02)
    skewed = (np.random.default_rng(1).exponential(10, 20_000)).round(3)
    variable, codes = binned(skewed, "quantile:4")
    drawn = variable.draw_inside(codes, np.random.default_rng(2))
    assert drawn.mean() == pytest.approx(skewed.mean(), rel=0.05)
    assert np.quantile(drawn, [0.5, 0.9]) == pytest.approx(np.quantile(skewed, [0.5, 0.9]), rel=0.1)


def test_without_remembered_values_the_middle_has_no_noise():
    variable = tb.Variable("x", ("<18.02", ">=18.02"), "binned", True, (9.99, 18.02, 20.0))
    assert variable.median(np.array([0, 1])).tolist() == [14.005, 19.01]
    assert tb.Variable("n", ("<3", ">=3"), "binned", True, (1, 3, 6), is_whole=True).median(
        np.array([0, 1])
    ).tolist() == [1, 4]


def test_bins_of_integers_with_edges_between_them_take_what_lies_inside():
    variable = tb.Variable(
        "n", ("<0.6", "[0.6, 2.5)", ">=2.5"), "binned", True, (0.5, 0.6, 2.5, 9), is_whole=True
    )
    codes = np.repeat([0, 1, 2], 50)
    drawn = variable.draw_inside(codes, np.random.default_rng(0))
    assert variable.bin(drawn).tolist() == codes.tolist()
    assert set(drawn[codes == 1]) == {1, 2}
    assert variable.bin(variable.median(codes)).tolist() == codes.tolist()


@given(
    values=st.lists(EIGHTHS, min_size=2, max_size=40),
    ends=st.tuples(EIGHTHS | st.just(-math.inf), EIGHTHS | st.just(math.inf)).map(sorted),
)
def test_shares_between_numbers_are_counted(values, ends):
    kept = tb.data.BinValues.of(*np.unique(np.array(values), return_counts=True))
    share = sum(ends[0] <= value <= ends[1] for value in values) / len(values)
    assert kept.share_between(*ends) == pytest.approx(share, abs=1e-12 if kept.counts else 2 / 16)
    if not kept.counts:
        assert kept.share_between(-math.inf, math.inf) == 1


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        ([None], "bins must hold BinValues or None for each of its 2 bins"),
        ([None, {"median": 1, "mean": 1, "values": [1]}], "inside the bin"),
        ([None, {"median": 4, "mean": 4, "values": []}], "a bin needs ascending values"),
        ([None, {"median": 4, "mean": 4, "values": [5, 4]}], "a bin needs ascending values"),
        ([None, {"median": 9, "mean": 4, "values": [3, 4]}], "a bin needs ascending values"),
        ([None, {"median": 4, "mean": math.nan, "values": [3, 4]}], "finite numbers"),
        ([None, {"median": 4, "mean": 4, "values": ["3", "4"]}], "finite numbers"),
        ([None, {"median": 4, "mean": 4, "values": [True, 4]}], "finite numbers"),
        ([None, {"median": 4, "mean": 4, "values": [4], "counts": [0]}], "1 positive integers or none"),
        ([None, {"median": 4, "mean": 4, "values": [4], "counts": [1, 1]}], "1 positive integers or none"),
        (7, "not iterable"),
        ([7], "must be a mapping"),
        ([{"mean": 3}], "variables with names and states"),
    ],
)
def test_files_with_wrong_values_of_bins_are_rejected(bins, message):
    fields = tb.Variable("x", ("<3", ">=3"), "binned", True, (1, 3, 6)).to_json() | {"bins": bins}
    with pytest.raises((ValueError, TypeError), match=message):
        tb.Schema.from_json({"variables": [fields]})

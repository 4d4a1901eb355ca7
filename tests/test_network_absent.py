"""Columns that a table does not have are reported, with the one that may be meant; cases have no columns."""

import warnings

import numpy as np
import pandas as pd
import pytest

import treebound as tb
from treebound.tables import AbsentColumnWarning

ROWS = {
    "status_quo": ["yes", "no", "no", "yes"] * 5,
    "b": [1, 2, 2, 1] * 5,
    "income": [1000.0, 2500.0, 2500.0, 7500.0] * 5,
    "vote": ["u", "v", "v", "u"] * 5,
}
NETWORK = tb.fit(
    {"vote": (), "status_quo": ("vote",), "b": ("vote",), "income": ("vote",)},
    tb.load(ROWS, discretise={"income": "median"}),
)
ASK = {
    "score_samples": lambda table, **how: NETWORK.score_samples(table, **how),
    "log_likelihood": lambda table, **how: NETWORK.log_likelihood(table, **how),
    "predict": lambda table, **how: NETWORK.predict(table, "vote", **how),
    "predict_proba": lambda table, **how: NETWORK.predict_proba(table, "vote", **how),
    "impute": lambda table, **how: NETWORK.impute(table, **how),
    "anomaly_scores": lambda table, **how: NETWORK.anomaly_scores(table, **how),
}
RENAMED = {"statusquo": ["yes"], "b ": [1], "income": [1000.0], "vote": ["u"]}


@pytest.mark.parametrize("method", ASK)
@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_every_method_warns_of_renamed_columns(method, make):
    with pytest.warns(
        AbsentColumnWarning,
        match=r"the table: 2 of 4 columns are absent: 'status_quo' \(did you mean 'statusquo'\?\), "
        r"'b' \(did you mean 'b '\?\)\. Rename or add them",
    ) as found:
        ASK[method](make(RENAMED))
    assert found[0].filename == __file__


@pytest.mark.parametrize("method", ASK)
def test_absent_columns_are_an_error_or_ignored_if_asked(method):
    with pytest.raises(tb.DataError, match=r"'status_quo': there is none; did you mean 'statusquo'\?"):
        ASK[method](RENAMED, on_absent="error")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ASK[method](RENAMED, on_absent="ignore")
        ASK[method](ROWS)


def test_the_target_needs_no_column():
    table = {name: cells for name, cells in ROWS.items() if name != "vote"}
    assert NETWORK.predict(table, "vote", on_absent="error").tolist() == ROWS["vote"]


def test_files_are_named(tmp_path):
    (tmp_path / "rows.csv").write_text("Status_Quo,b,income,vote\nyes,1,1000,u\n")
    with pytest.warns(AbsentColumnWarning, match=r"rows.csv: 1 of 4 columns .* mean 'Status_Quo'\?"):
        NETWORK.score_samples(tmp_path / "rows.csv")


def test_a_single_case_gets_a_single_result():
    case = {"status_quo": "yes", "b": 1}
    table = {name: [value] for name, value in case.items()}
    assert NETWORK.predict(case, "vote") == "u"
    assert (
        NETWORK.predict({**case, "b": None}, "income")
        == NETWORK.schema["income"].states[NETWORK.posterior("income", {"status_quo": "yes"}).array.argmax()]
    )
    expected = NETWORK.posterior("vote", case).array.tolist()
    assert list(NETWORK.predict_proba(case, "vote").values()) == pytest.approx(expected)
    assert NETWORK.score_samples(case) == NETWORK.score_samples(table, on_absent="ignore")
    assert NETWORK.impute({**case, "vote": None}) == {**case, "vote": "u"}
    assert len(NETWORK.anomaly_scores(case)) == 1
    with pytest.raises(tb.DataError, match=r"no variable 'statusquo'; did you mean 'status_quo'\?"):
        NETWORK.predict({"statusquo": "yes"}, "vote")
    assert NETWORK.predict({**case, "id": 7}, "vote", on_absent="ignore") == "u"


def test_the_expected_value_of_a_binned_target_is_that_of_the_means():
    weights = NETWORK.predict_proba(pd.DataFrame(ROWS), "income").to_numpy()
    low, high = (
        np.array(ROWS["income"])[tb.load(ROWS, schema=NETWORK.schema).column("income") == c] for c in (0, 1)
    )
    expected = weights @ [low.mean(), high.mean()]
    np.testing.assert_allclose(NETWORK.predict(ROWS, "income", value="mean"), expected)
    assert NETWORK.predict({"vote": "u"}, "b", value="mean") == pytest.approx(
        NETWORK.posterior("b", {"vote": "u"}).array @ [1, 2]
    )


def test_means_of_skewed_bins_beat_their_states():
    rng = np.random.default_rng(0)
    size = rng.exponential(2, 4000)
    table = {"size": size.round(2), "price": (size**2 * 100 * rng.uniform(0.8, 1.2, 4000)).round()}
    network = tb.fit({"size": (), "price": ("size",)}, tb.load(table, discretise=6))
    expected = network.predict(table, "price", value="mean")
    codes = network.schema["price"].find_all(network.predict(table, "price").tolist())
    medians = network.schema["price"].median(codes)
    edges = np.array(network.schema["price"].edges)
    middles = (edges[:-1] / 2 + edges[1:] / 2)[codes]
    errors = [np.sqrt(np.mean((guess - table["price"]) ** 2)) for guess in (expected, medians, middles)]
    assert errors == sorted(errors)

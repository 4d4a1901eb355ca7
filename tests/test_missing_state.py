"""Missing as a state of its own: one meaning of an empty cell in tables, evidence, samples and files."""

import csv
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from treebound.data import MISSING_STATE
from treebound.formats import LossySave
from treebound.tables import Choices, open_table, save_table, schema_of, summarise

NAMES = ["income", "visits", "job", "member"]
CELLS = {
    "income": st.one_of(st.none(), st.integers(0, 400).map(lambda n: n / 4)),
    "visits": st.one_of(st.none(), st.integers(0, 3)),
    "job": st.one_of(st.none(), st.sampled_from(["cook", "nurse", "NA?"])),
    "member": st.one_of(st.none(), st.booleans()),
}


@st.composite
def tables(draw):
    """Columns of all kinds with missing cells, and one value at least in each."""
    num_rows = draw(st.integers(2, 10))
    table = {
        name: draw(st.lists(cells, min_size=num_rows, max_size=num_rows).filter(_has_some))
        for name, cells in CELLS.items()
    }
    return table | {"ward": draw(st.lists(st.sampled_from("AB"), min_size=num_rows, max_size=num_rows))}


def _has_some(cells):
    return any(cell is not None for cell in cells)


def survey():
    rng = np.random.default_rng(3)
    num_rows = 400
    job = rng.choice(["cook", "nurse"], num_rows)
    income = np.where(job == "cook", 20, 30) + rng.normal(0, 4, num_rows).round(2)
    # High incomes are withheld: whether the cell is missing depends on its value.
    income[income > 32] = np.nan
    job = np.where(rng.random(num_rows) < 0.1, None, job)
    return pd.DataFrame({"income": income, "job": job, "visits": rng.integers(0, 3, num_rows)})


SURVEY = survey()
DATA = tb.load(SURVEY, discretise={"income": 3}, missing_state=["income", "job"])
NETWORK = tb.learn(DATA, 2, budget=tb.Budget(steps=10)).network


def with_label(cells):
    """The slow twin of a state for missing cells: a label in place of each of them, and text for the rest."""
    return [MISSING_STATE if cell is None else str(cell) for cell in cells]


@given(tables())
def test_a_missing_cell_is_its_own_label(table):
    data = tb.load(table, missing_state=NAMES, discretise={"income": None})
    for name in NAMES:
        variable = data.schema[name]
        labels = [variable.states[code] for code in data.column(name).tolist()]
        numbers = [cell if cell is None or name != "income" else data_label(cell) for cell in table[name]]
        assert labels == with_label(numbers)
        assert variable.states[-1] == MISSING_STATE
        assert variable.has_missing_state
    assert data.is_complete
    assert not data.schema["ward"].has_missing_state


def data_label(number):
    return int(number) if number == int(number) else number


@given(tables(), st.integers(0, 1))
def test_rows_come_back_from_every_table(table, rule):
    """What is written is what was read: missing cells are missing again, and get the same codes."""
    discretise = {"income": 2 if rule else None}
    data = tb.load(table, missing_state=NAMES, discretise=discretise)
    for backend in ("pandas", "polars", "pyarrow"):
        # Labels of bins have no numbers; those of all else are values.
        again = tb.load(data.to_frame(backend), schema=data.schema)
        assert again == data
    if rule:
        drawn = tb.load(data.to_frame("pandas", bins="draw"), schema=data.schema)
        assert drawn == data
    one_by_one = [tb.load({n: [v[row]] for n, v in table.items()}, schema=data.schema) for row in range(2)]
    assert [one.codes[:, 0].tolist() for one in one_by_one] == data.codes[:, :2].T.tolist()


def test_scores_and_structures_are_those_of_a_label():
    """To the learner the state is one like any other."""
    replaced = SURVEY.assign(
        income=[DATA.schema["income"].states[code] for code in DATA.column("income")],
        job=SURVEY["job"].fillna(MISSING_STATE).where(SURVEY["job"].notna(), MISSING_STATE),
    )
    twin = tb.load(replaced)
    budget = tb.Budget(steps=10)
    mine, other = tb.learn(DATA, 2, budget=budget), tb.learn(twin, 2, budget=budget)
    assert mine.score == pytest.approx(other.score, rel=1e-12)
    assert set(mine.structure.arcs) == set(other.structure.arcs)


def test_true_means_all_columns_with_missing_values():
    data = tb.load(SURVEY, discretise={"income": 3}, missing_state=True)
    assert data == DATA
    assert [v.has_missing_state for v in data.schema] == [True, True, False]


def test_a_named_column_has_the_state_for_later_tables():
    data = tb.load({"a": ["x", "y"], "b": [1, 2]}, missing_state=["b"])
    assert data.schema["b"].states == ("1", "2", MISSING_STATE)
    later = tb.load({"a": ["x"], "b": [None]}, schema=data.schema)
    assert later.codes.tolist() == [[0], [2]]


def test_other_columns_keep_their_rule():
    table = {"a": ["x", None, "y", "y"], "b": ["u", "v", None, "u"]}
    with pytest.raises(tb.DataError, match="missing values") as error:
        tb.load(table, missing_state=["a"])
    assert [problem.column for problem in error.value.problems] == ["b"]
    dropped = tb.load(table, missing_state=["a"], missing="drop")
    assert dropped.codes.tolist() == [[0, 2, 1], [0, 1, 0]]
    kept = tb.load(table, missing_state=["a"], missing="keep")
    assert kept.codes.tolist() == [[0, 2, 1, 1], [0, 1, -1, 0]]
    automatic = tb.load({**table, "b": list("uvuv")}, missing_state=["a"], auto=True)
    assert automatic.num_rows == 4


def test_auto_keeps_a_column_in_which_only_the_gap_varies():
    table = {"a": ["x", None] * 20, "b": ["u", "v"] * 20, "c": list("stts") * 10}
    assert "a" not in tb.load(table, auto=True, missing="keep").schema
    assert tb.load(table, auto=True, missing_state=["a"]).schema["a"].states == ("x", MISSING_STATE)


def test_a_label_that_is_taken():
    table = {"a": ["x", None, MISSING_STATE], "b": ["u", "v", "v"]}
    with pytest.raises(
        tb.DataError, match=r"na_values=\[\.\.\., '\(missing\)'\](.|\n)*'a': holds the value '\(missing\)'"
    ):
        tb.load(table, missing_state=["a"])
    read = tb.load(table, missing_state=["a"], na_values=[MISSING_STATE])
    assert read.codes[0].tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("income", TypeError, r"missing_state must be a collection of names, such as \['income'\]"),
        ([1], TypeError, "each of missing_state must be a name"),
        (["incme"], tb.DataError, "did you mean 'income'"),
        (3, TypeError, "missing_state must be a collection of names"),
    ],
)
def test_bad_names(given, error, message):
    with pytest.raises(error, match=message):
        tb.load(SURVEY, discretise={"income": 3}, missing_state=given)


def test_no_option_with_a_schema():
    with pytest.raises(ValueError, match="missing_state does not apply with a schema"):
        tb.load(SURVEY, schema=DATA.schema, missing_state=True)


def test_unseen_values_and_absent_columns_are_unknown():
    """They are not empty cells: nothing is known about them."""
    rows = pd.DataFrame({"income": [25.0], "job": ["judge"], "visits": [0]})
    assert tb.load(rows, schema=DATA.schema, unseen="missing", missing="keep").codes[1, 0] == -1
    absent = rows.drop(columns="job")
    assert tb.load(absent, schema=DATA.schema, on_absent="ignore", missing="keep").codes[1, 0] == -1


def test_evidence_of_all_spellings():
    expected = NETWORK.posterior("job", {"income": MISSING_STATE}).to_dict()
    for nothing in (None, float("nan"), np.nan, pd.NA):
        assert NETWORK.posterior("job", {"income": nothing}).to_dict() == expected
    from treebound.inference import parse_evidence

    assert parse_evidence("", "income", NETWORK.schema) == MISSING_STATE
    row = pd.Series({"income": np.nan, "visits": 1})
    assert NETWORK.posterior("job", row).to_dict() == NETWORK.posterior("job", dict(row)).to_dict()
    with pytest.raises(tb.InferenceError, match="not one of its states"):
        NETWORK.posterior("job", {"visits": None})


def test_ranges_exclude_the_state():
    answer = NETWORK.posterior("income", {"income": (0, 100)}).to_dict()
    assert answer[MISSING_STATE] == 0
    assert sum(answer.values()) == pytest.approx(1)


def test_the_gap_tells_about_the_value():
    """The income of nurses is withheld more often, which rows without these incomes cannot show."""
    assert NETWORK.posterior("job", {"income": None}).to_dict()["nurse"] > 0.8


def test_predictions():
    table = pd.DataFrame({"income": [np.nan, 20.0], "job": ["nurse", "cook"], "visits": [1, 1]})
    by_state = NETWORK.predict_proba(table, "income")
    assert list(by_state.columns) == list(DATA.schema["income"].states)
    certain = NETWORK.posterior("income", {"job": "cook", "visits": 1}).to_dict()
    known = np.array(list(certain.values()))[:-1]
    means = np.array([one.mean for one in DATA.schema["income"].bin_values])
    found = NETWORK.predict(table, "income", value="mean")
    assert found[1] == pytest.approx(known @ means / known.sum())


def test_predicted_states_are_values_of_a_table():
    table = {"a": ["x", "x", "y", "y"] * 5, "n": [None, None, 4, 4] * 5, "t": [None, None, "s", "s"] * 5}
    data = tb.load(table, missing_state=["n", "t"])
    network = tb.fit(tb.Structure.from_parents([(), (0,), (0,)], names=data.schema.names), data)
    np.testing.assert_array_equal(network.predict(table, "n")[:4], [np.nan, np.nan, 4, 4])
    assert network.predict(table, "t")[:4].tolist() == [None, None, "s", "s"]
    assert network.predict({"a": "y"}, "n") == 4
    assert network.predict(table, "n", value="mean").tolist() == [4.0] * 20


def test_impute_leaves_the_cells_as_they_are():
    table = SURVEY.head(60).copy()
    table["visits"] = table["visits"].astype("Int64")
    table.loc[3:20, "visits"] = pd.NA
    filled = NETWORK.impute(table)
    assert filled["visits"].notna().all()
    pd.testing.assert_series_equal(filled["income"], table["income"])
    pd.testing.assert_series_equal(filled["job"], table["job"])
    strange = table.assign(job="judge")
    strange.loc[2, "job"] = None
    seen = NETWORK.impute(strange, unseen="missing")
    assert seen["job"].isna().tolist() == strange["job"].isna().tolist()


def test_update_and_fit_count_the_state():
    rows = pd.DataFrame({"income": [np.nan] * 50, "job": ["nurse"] * 50, "visits": [0] * 50})
    before = NETWORK.posterior("income").to_dict()[MISSING_STATE]
    assert NETWORK.update(rows, weight=100).posterior("income").to_dict()[MISSING_STATE] > before + 0.1
    fitted = tb.fit(NETWORK.structure, SURVEY)
    assert fitted.log_likelihood(SURVEY) == pytest.approx(NETWORK.log_likelihood(SURVEY), rel=1e-6)


def test_samples_look_like_the_table(tmp_path):
    drawn = NETWORK.sample(500, seed=1)
    frame = drawn.to_frame()
    assert frame["income"].dtype == np.float64
    assert frame["income"].isna().any()
    for ending in ("csv", "parquet"):
        save_table(drawn, tmp_path / f"rows.{ending}")
        assert tb.load(tmp_path / f"rows.{ending}", schema=DATA.schema) == drawn
    assert MISSING_STATE not in (tmp_path / "rows.csv").read_text()


def test_unknown_cells_are_saved_as_missing(tmp_path):
    data = tb.load({"a": ["x", None, "y"], "b": ["u", "v", None]}, missing="keep")
    for ending in ("csv", "parquet"):
        save_table(data, tmp_path / f"rows.{ending}")
        assert tb.load(tmp_path / f"rows.{ending}", schema=data.schema) == data


@pytest.mark.parametrize("ending", ["json", "bif", "xmlbif", "net", "xdsl", "json.gz"])
def test_files_keep_it(tmp_path, ending):
    path = tmp_path / f"network.{ending}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossySave)
        tb.save_network(NETWORK, path)
    again = tb.load_network(path)
    assert [v.has_missing_state for v in again.schema] == [True, True, False]
    expected = NETWORK.posterior("job", {"income": None, "visits": 1}).to_dict()
    assert again.posterior("job", {"income": None, "visits": 1}).to_dict() == pytest.approx(expected)
    np.testing.assert_allclose(again.score_samples(SURVEY), NETWORK.score_samples(SURVEY), rtol=1e-12)


def test_a_file_without_remarks_says_so(tmp_path):
    with pytest.warns(LossySave, match="which states stand for missing cells"):
        tb.save_network(NETWORK, tmp_path / "network.uai")


def test_fingerprints_differ():
    plain = tb.Variable("a", ("x", MISSING_STATE))
    stated = tb.Variable("a", ("x", MISSING_STATE), has_missing_state=True)
    assert plain != stated
    codes = np.array([[0, 1]])
    first, second = (tb.Dataset(tb.Schema([v]), codes).fingerprint for v in (plain, stated))
    assert first != second


@pytest.mark.parametrize(
    ("states", "message"),
    [((MISSING_STATE,), "needs another state"), (("x", "x"), "must differ")],
)
def test_bad_variables(states, message):
    with pytest.raises(ValueError, match=message):
        tb.Variable("a", states, has_missing_state=True)


@pytest.mark.parametrize("missing_state", [["income", "job"], True])
def test_parts_of_a_table_have_the_schema_of_the_whole(missing_state):
    choices = Choices(discretise={"income": 3}, missing_state=missing_state, missing="drop")
    first, second = (summarise(open_table(part), choices) for part in (SURVEY[:150], SURVEY[150:]))
    schema = schema_of(first.plus(second), choices, "parts")
    assert schema.variables == DATA.schema.variables
    assert schema.preparation.rows_dropped == 0


def test_inspect_reports_it():
    found = tb.inspect(SURVEY, discretise={"income": 3}, missing_state=["income", "job"])
    assert found.is_usable
    assert found["job"].message == "3 states, one of them for missing cells"
    assert found["income"].message == "3 bins by quantile:3; missing cells are a state"
    assert [note.words for note in DATA.schema.preparation.columns][1] == "missing cells are a state"


def test_estimators():
    from treebound.sklearn import TreeboundClassifier, TreeboundDensity, TreeboundImputer

    withheld = SURVEY["income"].isna()
    target = np.where(withheld, "rich", "other")
    features = SURVEY[["income", "visits"]]
    options = {"structure": "tree", "steps": 5, "folds": 2}
    plain = TreeboundClassifier(**options).fit(features, target)
    stated = TreeboundClassifier(**options, missing_state=["income"]).fit(features, target)
    assert stated.score(features, target) == 1 > plain.score(features, target)
    by_position = TreeboundClassifier(**options, missing_state=[0]).fit(features.to_numpy(), target)
    assert by_position.score(features.to_numpy(), target) == 1
    density = TreeboundDensity(steps=5, missing_state=True).fit(features)
    assert density.sample(200, random_state=0)["income"].isna().any()
    table = SURVEY.assign(visits=SURVEY["visits"].astype(float).where(SURVEY.index % 5 > 0))
    filled = TreeboundImputer(steps=5, missing_state=["income", "job"]).fit_transform(table)
    assert filled["visits"].notna().all()
    assert filled["income"].isna().equals(withheld)
    with pytest.raises(ValueError, match="missing_state: X has no column 'incom'"):
        TreeboundDensity(missing_state=["incom"]).fit(features)


def test_command(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SURVEY.to_csv("survey.csv", index=False)
    options = ["-k", 2, "--bins", "income=3", "--steps", 10, "-q"]
    named = ["--missing-state", "income", "--missing-state", "job"]
    assert run("learn", "survey.csv", "-o", "network.json", *options, *named)[0] == 0
    assert run("learn", "survey.csv", "-o", "all.json", *options, "--missing-state", "*")[0] == 0
    network = tb.load_network("network.json")
    assert network.schema.variables == tb.load_network("all.json").schema.variables == DATA.schema.variables
    answer = json.loads(run("query", "network.json", "-t", "job", "-e", "income=", "--json")[1])
    expected = network.posterior("job", {"income": None}).to_dict()
    assert answer["posteriors"]["job"] == pytest.approx(expected)
    assert run("sample", "network.json", "-n", 100, "-o", "rows.csv", "-q")[0] == 0
    assert tb.load("rows.csv", schema=network.schema) == network.sample(100, 0)
    assert "nan" not in Path("rows.csv").read_text()
    assert run("predict", "network.json", "survey.csv", "-t", "income", "-o", "p.csv", "-q")[0] == 0
    cells = [row["income"] for row in csv.DictReader(Path("p.csv").read_text().splitlines())]
    assert cells == ["" if one is None else one for one in network.predict(SURVEY, "income")]

"""Every bad question gets one sentence: what was expected, what came, and the nearest name."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import treebound as tb
from rain import GRAPH, NETWORK, TABLE
from treebound.solvers import SOLVERS, search

BINNED = tb.fit(
    {"x": [], "y": ["x"]}, tb.load({"x": np.arange(40) / 3, "y": ["a", "b"] * 20}, discretise="quantile")
)
SCORED = tb.score(TABLE, budget=tb.Budget(steps=50))
SHARP = tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood())

NO_VARIABLE = "There is no variable 'rane'; did you mean 'rain'?"
NO_COLUMN = "the network: there is no variable 'rane'; did you mean 'rain'?"
NO_STATE = "'wet': 'yess' is not one of its states "
NO_MAPPING = "Evidence must map names of variables to states or likelihoods, as in {'rain': 'yes'}, got "
NO_CELL = "the table: values that are not known:\n  'wet': 'yess' in row 2; did you mean 'yes'?"
RECORDS = [f"{type(entry.solver).__name__}()" for entry in SOLVERS.values()]
SOLVERS_IN_WORDS = f"{', '.join(RECORDS[:-1])} or {RECORDS[-1]}"


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda n: n.posterior("rane"), NO_VARIABLE),
        (lambda n: n.posterior(["wet", "rane"]), NO_VARIABLE),
        (lambda n: n.posterior("wet", {"rane": "yes"}), NO_VARIABLE),
        (lambda n: n.marginals({"rane": "yes"}), NO_VARIABLE),
        (lambda n: n.most_probable({"rane": "yes"}), NO_VARIABLE),
        (lambda n: n.log_probability({"rane": "yes"}), NO_VARIABLE),
        (lambda n: n.sample(3, evidence={"rane": "yes"}), NO_VARIABLE),
        (lambda n: n.explain("rane", {"wet": "yes"}), NO_COLUMN),
        (lambda n: n.predict(TABLE, "rane"), NO_COLUMN),
        (lambda n: n.predict_proba(TABLE, "rane"), NO_COLUMN),
        (lambda n: n.table("rane"), NO_COLUMN),
        (lambda n: n.do({"rane": "yes"}), NO_COLUMN),
        (lambda n: n.markov_blanket("rane"), NO_COLUMN),
        (lambda n: n.d_separated("wet", "rane"), NO_COLUMN),
        (lambda n: n.posterior("rain", {"wet": "yess"}), NO_STATE),
        (lambda n: n.most_probable({"wet": "yess"}), NO_STATE),
        (lambda n: n.posterior("rain", {"wet": {"yess": 1.0}}), NO_STATE),
        (lambda n: BINNED.posterior("y", {"x": 10**400}), "'x': 1000"),
        (lambda n: BINNED.posterior("y", {"x": -(2**70)}), f"'x': {-(2**70)} is not one of its states '<"),
        (lambda n: BINNED.predict({"x": [10**400]}, "y"),
         "the table: values that are neither text, numbers, booleans nor dates; change their type:\n  'x': "
         "holds an integer of 1329 bits, at most 64 are taken"),
        (lambda n: n.posterior([]), "Expected one or more different variables, got []."),
        (lambda n: n.posterior(["wet", "wet"]),
         "Expected one or more different variables, got ['wet', 'wet']."),
        (lambda n: n.posterior("rain", {"wet": [1, 2, 3]}),
         "The likelihoods of 'wet' must be 2 numbers, one for each of its states, got an array of "
         "shape (3,)."),
        (lambda n: n.posterior("rain", {"wet": [0, 0]}),
         "The likelihoods of 'wet' must be finite, not negative and not all zero, got [0.0, 0.0]."),
        (lambda n: n.posterior("rain", {"wet": [[1], [2, 3]]}),
         "The likelihoods of 'wet' must be 2 numbers, one for each of its states, got [[1], [2, 3]]."),
        (lambda n: n.posterior("rain", {"wet": {"yes": "much"}}),
         "The likelihoods of 'wet' must be 2 numbers, one for each of its states, got [0.0, 'much']."),
        (lambda n: n.posterior("rain", ["wet"]), NO_MAPPING + "\"['wet']\" of type list."),
        (lambda n: n.posterior("rain", "wet=yes"), NO_MAPPING + "'wet=yes' of type str."),
        (lambda n: n.sample(2, evidence=5), NO_MAPPING + "'5' of type int."),
        (lambda n: n.posterior(3), "Expected variables by name, got 3."),
        (lambda n: n.explain(["wet"]), "the network: expected a name, got ['wet']"),
        (lambda n: n.predict(TABLE, ["wet"]), "the network: expected a name, got ['wet']"),
        (lambda n: tb.formats.save_evidence({"wet": [0.1, 0.9]}, "never.evid", n.schema),
         "the schema: values that are not known:\n  'wet': [0.1, 0.9] is not one of its states"),
        (lambda n: tb.fit({"a": ["a"], "b": []}, TABLE),
         "Parents of 'a' must be others, each once, got ['a']."),
        (lambda n: tb.load({"n": [9, 100, 120]}).schema["n"].code(99),
         "the schema: values that are not known:\n  'n': 99 is not one of its states '9', "
         "'100', '120'; the state nearest to 99 is '100'"),
        (lambda n: tb.save_structure(tb.Structure.from_parents({"new\nline": []}), "never.modelstring"),
         "A model string cannot hold the name 'new\\nline': it has one of []|:, a line break, or "
         "whitespace at an end."),
        (lambda n: n.explain("wet", {"wet": "yes"}), "the target 'wet' must not be part of the evidence."),
        (lambda n: n.score_samples({"wet": ["no", "yess"]}, on_absent="ignore"), NO_CELL),
        (lambda n: n.predict({"wet": ["no", "yess"]}, "rain", on_absent="ignore"), NO_CELL),
        (lambda n: n.impute({"wet": ["no", "yess"]}, on_absent="ignore"), NO_CELL),
        (lambda n: n.anomaly_scores({"wet": ["no", "yess"]}, on_absent="ignore"), NO_CELL),
        (lambda n: n.score_samples({"rane": ["no"]}),
         "the table: none of its columns is a known variable, got 'rane'; did you mean 'rain'?"),
        (lambda n: n.score_samples({"rain": []}), "the table: there are no rows below the column names"),
        (lambda n: n.score_samples({}), "the table: there are no columns"),
        (lambda n: n.score_samples(np.array([["no", "off"]])),
         "the table: expected 3 columns, in the order of the variables, got an array of 2"),
        (lambda n: n.score_samples({"rain": [["no"]]}, on_absent="ignore"),
         "the table: values that are neither text, numbers, booleans nor dates; change their type:\n"
         "  'rain': holds a value of type list"),
        (lambda n: n.impute(TABLE, strategy="mean"),
         "strategy must be 'most_probable', 'draw' or 'multiple', got 'mean'."),
        (lambda n: n.impute(TABLE, seed=-1), "seed must be at least 0, got -1."),
        (lambda n: n.score_samples(TABLE, on_absent="skip"),
         "on_absent must be 'warn', 'error' or 'ignore', got 'skip'."),
        (lambda n: n.predict(TABLE, "wet", value="median"), "value must be 'state' or 'mean', got 'median'."),
        (lambda n: n.predict(TABLE, "wet", value="mean"),
         "variable 'wet' has no numbers, it is of kind 'text'."),
        (lambda n: n.predict({"rane": "no"}, "wet"), NO_COLUMN),
        (lambda n: n.score_samples(TABLE, unseen="skip"), "unseen must be 'error' or 'missing', got 'skip'."),
        (lambda n: n.sample(-1, evidence={"wet": "yes"}), "num_rows must be at least 0, got -1."),
    ],
)  # fmt: skip
def test_bad_questions_get_one_sentence(ask, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        ask(NETWORK)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda n: n.posterior("spray", {"rain": "yes", "wet": "no"}),
         "The evidence has probability zero: it cannot be that 'rain' is 'yes', 'wet' is 'no'."),
        (lambda n: n.sample(2, evidence={"rain": "yes", "wet": "no"}),
         "The evidence has probability zero: it cannot be that 'rain' is 'yes', 'wet' is 'no'."),
        (lambda n: n.predict({"rain": ["no", "yes"], "wet": ["no", "no"]}, "spray"),
         "row 2: the observed values have probability 0 under this network. "
         "Pass impossible='nan' to get NaN or missing values, or fit the network with a prior."),
        (lambda n: n.impute({"rain": ["yes", "yes"], "spray": [None, "on"], "wet": ["no", "no"]}),
         "rows 1, 2: the observed values have probability 0"),
    ],
)  # fmt: skip
def test_impossible_evidence_is_told_apart(ask, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        ask(SHARP)


def test_rows_of_other_variables_are_rejected():
    other = SHARP.sample(1)
    other = tb.Dataset(tb.Schema(tuple(reversed(other.schema.variables))), other.codes[::-1])
    for ask in (NETWORK.log_likelihood_rows, NETWORK.most_probable_rows, NETWORK.cell_surprises):
        with pytest.raises(tb.InferenceError, match="variables of the rows differ"):
            ask(other)


def test_impossible_rows_have_no_likelihood():
    table = {"rain": ["yes", "yes"], "wet": ["no", "yes"]}
    assert SHARP.score_samples(table, on_absent="ignore").tolist() == [-np.inf, pytest.approx(np.log(1 / 3))]
    assert SHARP.log_probability({"rain": "yes", "wet": "no"}) == -np.inf
    assert np.isinf(SHARP.anomaly_scores({**table, "spray": ["off", "off"]}).contributions["wet"][0])


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda n: tb.save_structure(n, "never.dot"),
         "structure must be a Structure (save_network writes networks), got an object of type "
         "BayesianNetwork."),
        (lambda n: tb.save_network(tb.Structure.from_parents(GRAPH), "never.bif"),
         "network must be a BayesianNetwork (fit makes one of a structure), got an object of type "
         "Structure."),
        (lambda n: n.compare("x"), "other must be a BayesianNetwork, got 'x'."),
        (lambda n: tb.network.kl_divergence(GRAPH, n),
         "network must be a BayesianNetwork, got an object of type dict."),
        (lambda n: tb.learn(TABLE, 2, progress={"x": 1}),
         "progress must be a function or None, got an object of type dict."),
        (lambda n: tb.learn(TABLE, 2, progress=tb.Observer(checkpoint="print")),
         "checkpoint must be a function or None, got 'print'."),
        (lambda n: tb.learn(TABLE, 2.5), "max_treewidth must be a whole number, got 2.5."),
        (lambda n: tb.learn(TABLE, "2"), "max_treewidth must be a whole number, got '2'."),
        (lambda n: tb.Constraints(max_cells=2.5), "max_cells must be a whole number, got 2.5."),
        (lambda n: tb.learn(TABLE, 2, budget="5"),
         "budget must be a Budget or a number of seconds, got '5'."),
        (lambda n: tb.learn(TABLE, 2, score="bdeu"),
         "score must be Bic() or Bdeu(), a cache or None, got 'bdeu'."),
        (lambda n: tb.fit(GRAPH, TABLE, smoothing="laplace"),
         "smoothing must be MaximumLikelihood(), PseudoCount(), BdeuPrior(), MarginalPrior() or "
         "BackoffPrior(), got 'laplace'."),
        (lambda n: search(SCORED.cache, 2, solver="kmax"),
         f"solver must be {SOLVERS_IN_WORDS}, got 'kmax'."),
        (lambda n: search(SCORED.cache, 2, solver=tb.solvers.KMax),
         f"solver must be {SOLVERS_IN_WORDS}, got the class KMax."),
        (lambda n: search(SCORED, 2),
         "cache must be a ParentSetCache, such as score(table).cache, got an object of type ScoringResult."),
    ],
)  # fmt: skip
def test_arguments_of_the_wrong_type_get_one_sentence(ask, sentence):
    with pytest.raises(TypeError, match="^" + re.escape(sentence) + "$"):
        ask(NETWORK)


def test_what_is_meant_is_taken():
    row = pd.DataFrame(TABLE).iloc[0][["wet", "spray"]]
    expected = NETWORK.posterior("rain", row.to_dict()).to_dict()
    assert NETWORK.posterior("rain", row).to_dict() == expected
    assert NETWORK.sample(20, 1, evidence=row) == NETWORK.sample(20, 1, evidence=row.to_dict())
    assert NETWORK.explain("rain", None).influences == ()
    budget = tb.Budget(steps=3)
    assert tb.learn(SCORED, 1, budget=budget).score == tb.learn(SCORED.cache, 1, budget=budget).score


@pytest.mark.parametrize("wrong", [3, [1, 2], "text"])
def test_things_that_are_no_tables_are_refused(wrong):
    with pytest.raises((TypeError, ValueError, FileNotFoundError)):
        NETWORK.score_samples(wrong)


def test_a_target_before_the_table_is_told():
    with pytest.raises(TypeError, match="the table comes first"):
        NETWORK.predict("rain", {"wet": ["yes"]})

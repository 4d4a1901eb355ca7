"""Every bad question gets one sentence: what was expected, what came, and the nearest name."""

from __future__ import annotations

import re

import numpy as np
import pytest

import treebound as tb

GRAPH = {"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]}
TABLE = {
    "rain": ["yes", "yes", "no", "no", "no", "no"],
    "spray": ["off", "off", "on", "off", "off", "on"],
    "wet": ["yes", "yes", "yes", "no", "no", "no"],
}
SMOOTH = tb.fit(GRAPH, TABLE)
SHARP = tb.fit(GRAPH, TABLE, smoothing=tb.MaximumLikelihood())

NO_VARIABLE = "the schema: there is no variable 'rane'; did you mean 'rain'?"
NO_STATE = "the schema: values that the schema does not know:\n  'wet': 'yess' is not one of its states "
NO_CELL = "the table: values that the schema does not know:\n  'wet': 'yess' in row 2; did you mean 'yes'?"


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
        (lambda n: n.explain("rane", {"wet": "yes"}), NO_VARIABLE),
        (lambda n: n.predict(TABLE, "rane"), NO_VARIABLE),
        (lambda n: n.predict_proba(TABLE, "rane"), NO_VARIABLE),
        (lambda n: n.posterior("rain", {"wet": "yess"}), NO_STATE),
        (lambda n: n.most_probable({"wet": "yess"}), NO_STATE),
        (lambda n: n.posterior("rain", {"wet": {"yess": 1.0}}), NO_STATE),
        (lambda n: n.posterior([]), "Expected one or more different variables, got []."),
        (lambda n: n.posterior(["wet", "wet"]),
         "Expected one or more different variables, got ['wet', 'wet']."),
        (lambda n: n.posterior("rain", {"wet": [1, 2, 3]}),
         "The likelihoods of 'wet' must be 2 numbers, one for each of its states, got an array of "
         "shape (3,)."),
        (lambda n: n.posterior("rain", {"wet": [0, 0]}),
         "The likelihoods of 'wet' must not be negative and not all zero, got [0.0, 0.0]."),
        (lambda n: n.explain("wet", {"wet": "yes"}), "the target 'wet' must not be part of the evidence."),
        (lambda n: n.score_samples({"wet": ["no", "yess"]}), NO_CELL),
        (lambda n: n.predict({"wet": ["no", "yess"]}, "rain"), NO_CELL),
        (lambda n: n.impute({"wet": ["no", "yess"]}), NO_CELL),
        (lambda n: n.anomaly_scores({"wet": ["no", "yess"]}), NO_CELL),
        (lambda n: n.score_samples({"rane": ["no"]}),
         "the table: none of its columns is a variable of the schema, got 'rane'; did you mean 'rain'?"),
        (lambda n: n.score_samples({"rain": []}), "the table: there are no rows below the column names"),
        (lambda n: n.score_samples({}), "the table: there are no columns"),
        (lambda n: n.score_samples(np.array([["no", "off"]])),
         "the table: expected 3 columns, in the order of the schema, got an array of 2"),
        (lambda n: n.score_samples({"rain": [["no"]]}),
         "the table: values that are neither text, numbers, booleans nor dates:\n  'rain': holds a "
         "value of type list"),
        (lambda n: n.impute(TABLE, method="mean"), "method must be 'most_probable' or 'draw', got 'mean'."),
        (lambda n: n.impute(TABLE, seed=-1), "seed must be an integer from 0 to 2**64 - 1, got -1."),
        (lambda n: n.score_samples(TABLE, unseen="skip"), "unseen must be 'error' or 'missing', got 'skip'."),
        (lambda n: n.sample(-1, evidence={"wet": "yes"}), "num_rows must not be negative, got -1."),
    ],
)  # fmt: skip
def test_bad_questions_get_one_sentence(ask, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        ask(SMOOTH)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda n: n.posterior("spray", {"rain": "yes", "wet": "no"}),
         "The evidence has probability zero: it cannot be that 'rain' is 'yes', 'wet' is 'no'."),
        (lambda n: n.sample(2, evidence={"rain": "yes", "wet": "no"}),
         "The evidence has probability zero: it cannot be that 'rain' is 'yes', 'wet' is 'no'."),
        (lambda n: n.predict({"rain": ["no", "yes"], "wet": ["no", "no"]}, "spray"),
         "row 2: the network takes the known cells for impossible, so nothing follows from them; a "
         "smoothed network has an answer."),
        (lambda n: n.impute({"rain": ["yes", "yes"], "spray": [None, "on"], "wet": ["no", "no"]}),
         "row 1: the network takes the known cells for impossible, so nothing follows from them, as "
         "in 1 more rows; a"),
    ],
)  # fmt: skip
def test_impossible_evidence_is_told_apart(ask, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        ask(SHARP)


def test_impossible_rows_have_no_likelihood():
    table = {"rain": ["yes", "yes"], "wet": ["no", "yes"]}
    assert SHARP.score_samples(table).tolist() == [-np.inf, pytest.approx(np.log(1 / 3))]
    assert SHARP.log_probability({"rain": "yes", "wet": "no"}) == -np.inf
    assert np.isinf(SHARP.anomaly_scores({**table, "spray": ["off", "off"]}).contributions["wet"][0])


@pytest.mark.parametrize("wrong", [3, [1, 2], "text"])
def test_things_that_are_no_tables_are_refused(wrong):
    with pytest.raises((TypeError, ValueError, FileNotFoundError)):
        SMOOTH.score_samples(wrong)

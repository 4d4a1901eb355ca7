"""Learning from rows with missing values: structural EM, its score and its promises."""

from __future__ import annotations

import math

import numpy as np
import pytest

import treebound as tb
from reference import em as reference
from treebound.learning import Limits, RowsHere
from treebound.learning._choose_prior import choose_prior, family_log_likelihood
from treebound.learning._pairwise_start import pairwise_forest
from treebound.network import EM_PRIORS, Smoothing

STEPS = tb.Budget(steps=40)


def incomplete(network: tb.BayesianNetwork, num_rows: int, share: float, seed: int = 0) -> tb.Dataset:
    codes = network.sample(num_rows, seed).codes.astype(np.int32)
    codes[np.random.default_rng(seed).random(codes.shape) < share] = -1
    return tb.Dataset(network.schema, codes)


TRUTH = tb.random_network(8, min_states=2, max_states=2, max_treewidth=2, seed=5)
DATA = incomplete(TRUTH, 600, 0.25, seed=1)


def test_the_score_is_the_bic_of_the_observed_cells() -> None:
    result = tb.learn(DATA, 2, budget=STEPS, missing="em")
    network = result.network
    _, log_likelihood = reference.expected_counts(
        network.parent_indices,
        network.tables,
        network.schema.cardinalities,
        DATA.codes.T.tolist(),
        [1.0] * DATA.num_rows,
    )
    exact = log_likelihood - math.log(DATA.num_rows) / 2 * network.num_parameters
    assert result.score == pytest.approx(exact, rel=1e-9)
    assert result.structure.score == result.score
    assert result.verdict
    assert result.structure.treewidth <= 2
    assert "score recomputed from the observed cells of all rows" in str(result.verdict)
    assert result.verdict.compared_with == ("observed cells", "EM")


def test_more_rounds_never_lower_the_score() -> None:
    result = tb.learn(DATA, 2, budget=STEPS, missing="em")
    scores = [improvement.score for improvement in result.search.trace]
    assert scores == sorted(scores)
    assert scores[-1] == result.score
    assert result.search.bound is None


def test_learning_is_closer_to_the_truth_than_dropping_rows() -> None:
    by_em = tb.learn(DATA, 2, budget=STEPS, missing="em").network
    by_rows = tb.learn(DATA, 2, budget=STEPS, missing="drop").network
    assert tb.network.kl_divergence(TRUTH, by_em) < tb.network.kl_divergence(TRUTH, by_rows)


def test_equal_steps_and_seeds_give_equal_networks_for_any_number_of_threads() -> None:
    one = tb.learn(DATA, 2, budget=STEPS, missing="em", seed=3, where=tb.Local(threads=1))
    two = tb.learn(DATA, 2, budget=STEPS, missing="em", seed=3, where=tb.Local(threads=3))
    assert one.structure.parents == two.structure.parents
    assert one.network == two.network
    assert one.score == two.score


def chosen_prior(data: tb.Dataset, seconds: float | None = None) -> Smoothing:
    return choose_prior(RowsHere(data), Limits(1, None), 0, 1, seconds)


def test_weak_dependencies_get_a_strong_prior_and_strong_ones_a_weak_prior() -> None:
    rng = np.random.default_rng(0)
    weak = rng.integers(0, 2, (20, 100)).astype(np.int32)
    strong = np.repeat(rng.integers(0, 2, (1, 100)), 20, axis=0).astype(np.int32)
    for codes in (weak, strong):
        for v in range(1, 20):
            is_copied = rng.random(100) < 0.2
            codes[v, is_copied] = codes[v - 1, is_copied]
        codes[rng.random(codes.shape) < 0.4] = -1
    schema = tb.random_network(20, max_states=2, seed=0).schema
    assert chosen_prior(tb.Dataset(schema, weak)) == tb.MarginalPrior(25)
    assert chosen_prior(tb.Dataset(schema, strong)) == EM_PRIORS[0]


def test_the_chosen_prior_makes_complete_families_of_held_out_rows_most_probable() -> None:
    rows = RowsHere(DATA)
    train, test = rows.held_out(0)
    forest, found = pairwise_forest(train, Limits(1, None)), []
    for prior in EM_PRIORS:
        network = tb.fit(forest, train.data, missing="em", smoothing=prior, budget=tb.Budget(steps=20))
        total = 0.0
        for child, parents in enumerate(network.parent_indices):
            table = network.tables[child].reshape([2] * (len(parents) + 1))
            cells = [tuple(row[[*parents, child]]) for row in test.data.codes.T]
            total += np.mean([math.log(table[cell]) for cell in cells if min(cell) >= 0])
        found.append(total)
    assert chosen_prior(DATA) == EM_PRIORS[int(np.argmax(found))]
    assert family_log_likelihood(network, test.complete_counts(forest)) == pytest.approx(found[-1])


def test_without_time_or_with_few_rows_the_prior_is_the_default() -> None:
    assert chosen_prior(DATA, seconds=0.0) == EM_PRIORS[0]
    assert chosen_prior(DATA.take(np.arange(99))) == EM_PRIORS[0]


def test_constraints_are_obeyed() -> None:
    names = TRUTH.schema.names
    known = tb.Constraints(required=[(names[0], names[5])], forbidden=[(names[1], names[2])])
    result = tb.learn(DATA, 2, budget=STEPS, missing="em", constraints=known)
    assert (names[0], names[5]) in result.structure.arcs
    assert result.verdict


def test_bdeu_guides_the_search_and_bic_decides() -> None:
    result = tb.learn(DATA, 2, budget=STEPS, missing="em", score=tb.Bdeu(5.0))
    assert result.verdict
    assert result.structure.provenance["score"] == "Bic() of observed cells"


def test_a_table_with_holes_is_read_by_learn() -> None:
    table = {"rain": ["no", "yes", None, "no", "yes"] * 20, "wet": ["no", "yes", "yes", None, "yes"] * 20}
    result = tb.learn(table, 1, budget=STEPS, missing="em")
    assert result.structure.num_arcs == 1
    assert result.network.posterior("wet", {"rain": "yes"})["yes"] > 0.9
    assert result.network.num_rows == 100
    with pytest.raises(tb.DataError, match="missing"):
        tb.learn(table, 1, budget=STEPS)
    assert tb.learn(table, 1, budget=STEPS, missing="drop").network.num_rows == 60


def test_complete_rows_are_learned_as_ever() -> None:
    rows = TRUTH.sample(300, 4)
    assert tb.learn(rows, 2, budget=STEPS, missing="em").score == tb.learn(rows, 2, budget=STEPS).score


def test_a_start_is_scored_on_the_rows_it_is_used_with() -> None:
    first = tb.learn(TRUTH.sample(200, 1), 2, budget=STEPS)
    others = TRUTH.sample(400, 2)
    found = tb.learn(others, 2, budget=STEPS, start=first.structure)
    assert found.verdict
    assert found.score >= tb.structure.score_structure(first.structure, others).score
    assert tb.learn(DATA, 2, budget=STEPS, missing="em", start=first.structure).verdict


def test_the_first_forest_joins_variables_that_depend_on_each_other() -> None:
    rng = np.random.default_rng(0)
    a, c = rng.integers(0, 3, 500), rng.integers(0, 2, 500)
    codes = np.array([a, np.where(rng.random(500) < 0.9, a, 0), c, c])
    codes[rng.random(codes.shape) < 0.3] = -1
    schema = tb.Schema([tb.Variable(name, ("0", "1", "2")[: 3 - v // 2]) for v, name in enumerate("wxyz")])
    data = tb.Dataset(schema, codes)
    rows = RowsHere(data)
    assert pairwise_forest(rows, Limits(2, None)).arcs == (("w", "x"), ("y", "z"))
    assert pairwise_forest(rows, Limits(2, 4)).arcs == (("y", "z"),)
    assert pairwise_forest(rows, Limits(0, None)).arcs == ()


def test_what_em_cannot_do_is_named() -> None:
    weighted = tb.Dataset(DATA.schema, DATA.codes, np.ones(DATA.num_rows))
    cases = [
        (lambda: tb.learn(weighted, 2, missing="em"), "Drop the weights"),
        (lambda: tb.learn(DATA, 2, missing="fill"), "missing must be 'error', 'drop' or 'em', got 'fill'"),
        (lambda: tb.learn(DATA.take(np.zeros(0, dtype=int)), 2, missing="em"), "at least one row"),
        (lambda: tb.learn({"a": [None, None, "x"], "b": [None] * 3}, 1, missing="em"), "'b'"),
    ]
    for act, message in cases:
        with pytest.raises(ValueError, match=message):
            act()


def test_impossible_limits_and_budgets_of_seconds() -> None:
    result = tb.learn(DATA, 0, budget=0.2, missing="em")
    assert result.structure.num_arcs == 0
    assert result.verdict


def test_a_budget_that_is_used_up_ends_with_the_first_structure() -> None:
    """The steps of a search do not limit how many sets are scored for it; the seconds must."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (60, 200))
    codes[rng.random(codes.shape) < 0.2] = -1
    data = tb.Dataset(tb.Schema([tb.Variable(f"v{i}", ("0", "1")) for i in range(60)]), codes)
    result = tb.learn(data, 3, budget=1e-6, missing="em")
    assert result.verdict
    assert result.search.stopped is tb.solvers.StopReason.SECONDS
    assert len(result.search.trace) == 1
    assert result.scoring.sets_scored < 60 * 2_000
    assert result.structure.num_arcs == 0  # a forest takes longer than the budget
    assert tb.learn(data, 3, budget=tb.Budget(steps=1), missing="em").verdict


@pytest.mark.parametrize("budget", [1e-6, STEPS])
def test_a_start_must_hold_for_the_table(budget) -> None:
    """It is the result where the budget ends early."""
    names = TRUTH.schema.names
    chain = tb.Structure.from_parents([(), *((v,) for v in range(7))], names=names)
    required = tb.Constraints(required=[(names[0], names[5])])
    with pytest.raises(ValueError, match=f"required arc {names[0]} -> {names[5]} is missing"):
        tb.learn(DATA, 2, budget=budget, missing="em", start=chain, constraints=required)
    with pytest.raises(ValueError, match="treewidth limit exceeded"):
        tb.learn(DATA, 0, budget=budget, missing="em", start=chain)
    other = tb.Structure.from_parents([(), (0,)], names=["a", "b"])
    with pytest.raises(ValueError, match=r"other variables than the table: .*, got a, b\. Drop start"):
        tb.learn(DATA, 2, budget=budget, missing="em", start=other)
    with pytest.raises(ValueError, match="other variables than the table"):
        tb.learn(DATA, 2, budget=budget, missing="em", start=chain, hidden={"H": 2})

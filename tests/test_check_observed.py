"""The checker of incomplete rows: its own EM against the twin, and what it rejects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import treebound as tb
from reference import em as reference
from treebound.network import EM_PRIORS, BayesianNetwork, OwnCheck, Promises, Smoothing, check_observed
from treebound.network._own_em import OwnEm
from treebound.scoring import Bic
from treebound.structure import Verdict


def incomplete(network: BayesianNetwork, num_rows: int, seed: int) -> tb.Dataset:
    codes = network.sample(num_rows, seed).codes.astype(np.int32)
    codes[np.random.default_rng(seed).random(codes.shape) < 0.3] = -1
    return tb.Dataset(network.schema, codes[:, (codes >= 0).any(axis=0)])


TRUTH = tb.random_network(6, min_states=2, max_states=3, max_treewidth=2, seed=5)
DATA = incomplete(TRUTH, 250, seed=1)


@pytest.fixture(scope="module")
def result() -> tb.LearnResult:
    return tb.learn(DATA, 2, budget=tb.Budget(steps=20), missing="em")


@pytest.mark.parametrize("seed", range(6))
def test_each_step_is_that_of_the_twin(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treebound.network._own_em._CELLS_AT_ONCE", 400)  # several blocks
    network = tb.random_network(5, min_states=2, max_states=3, max_treewidth=1 + seed % 3, seed=seed)
    data = incomplete(network, 30, seed)
    own = OwnEm(network.structure, network.schema.cardinalities)
    tables, rows = own.shaped(network.tables), data.codes.T.tolist()
    case = (network.parent_indices, network.tables, network.schema.cardinalities, rows, [1.0] * len(rows))
    prior = [np.random.default_rng(seed).random(table.shape) for table in tables]
    step, logs = own.step(tables, data.codes, prior)
    twin = reference.em_step(*case, [own.ravel() for own in prior])
    for ours, theirs in zip(step, twin, strict=True):
        np.testing.assert_allclose(ours.ravel(), theirs, atol=1e-12)
    assert logs.sum() == pytest.approx(reference.expected_counts(*case)[1], rel=1e-12)
    np.testing.assert_array_equal(logs, own.log_likelihoods(tables, data.codes))


def test_complete_families_are_counted() -> None:
    own = OwnEm(tb.Structure.from_parents([(), (0,)]), (2, 3))
    codes = np.array([[0, 1, 1, -1, 1], [2, -1, 0, 1, 0]])
    first, second = own.complete_counts(codes)
    assert first.tolist() == [1, 3]
    assert second.tolist() == [[0, 0, 1], [2, 0, 0]]


def test_variables_without_arcs_and_impossible_rows() -> None:
    network = tb.BayesianNetwork.from_tables({"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.25, "y": 0.75}})
    own = OwnEm(network.structure, (2, 2))
    codes = np.array([[0, 1, -1, -1], [0, 0, 1, -1]])
    found = own.log_likelihoods(own.shaped(network.tables), codes)
    np.testing.assert_allclose(found, [np.log(0.25), -np.inf, np.log(0.75), 0.0])


def test_the_verdict_names_the_em_of_the_checker(result: tb.LearnResult) -> None:
    for checked in (result.network, result.structure):
        verdict = check_observed(checked, DATA)
        assert verdict
        assert verdict.compared_with == ("observed cells", "EM")
        assert "observed cells of all rows by the checker's own EM" in str(verdict)
    assert result.verdict.compared_with == ("observed cells", "EM")


def test_a_wrong_score_is_rejected(result: tb.LearnResult) -> None:
    wrong = replace(result.structure, score=result.score + 1.0)
    for checked in (wrong, replace(result.network, structure=wrong)):
        assert "but the observed cells give" in str(check_observed(checked, DATA))


def test_wrong_tables_are_rejected_even_if_the_score_is_theirs(result: tb.LearnResult) -> None:
    mixed = tuple(
        0.8 * table + 0.2 / DATA.schema.cardinalities[v] for v, table in enumerate(result.network.tables)
    )
    wrong = replace(result.network, tables=mixed)
    assert "but the observed cells give" in str(check_observed(wrong, DATA))
    likelihood = float(wrong.log_likelihood_rows(DATA).sum())
    score = tb.network.observed_score(wrong, likelihood, DATA.num_rows, Bic())
    own = replace(wrong, structure=replace(wrong.structure, score=score))
    verdict = check_observed(own, DATA)
    assert "EM has not converged: a step from these CPTs gains" in str(verdict)
    assert "but the observed cells give" not in str(verdict)
    # Nothing is claimed about CPTs that EM did not finish, or that another prior was used for.
    for facts in ({"em": {"converged": False}}, {"smoothing": "BdeuPrior()"}):
        verdict = check_observed(replace(own, provenance=own.provenance | facts), DATA)
        assert verdict.compared_with == ("observed cells", "inference")
        assert "by the checker's own inference" in str(verdict)


@pytest.mark.parametrize("prior", EM_PRIORS, ids=repr)
def test_the_prior_that_was_chosen_is_checked(prior: Smoothing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treebound.learning._structural_em.choose_prior", lambda *_: prior)
    result = tb.learn(DATA, 2, budget=tb.Budget(steps=20), missing="em")
    assert result.network.provenance["smoothing"] == repr(prior)
    assert result.verdict.compared_with == ("observed cells", "EM")
    for checked in (result.network, result.structure):
        verdict = check_observed(checked, DATA)
        assert verdict
        assert verdict.compared_with == ("observed cells", "EM")
    for other in EM_PRIORS:
        claimed = {"smoothing": repr(other)}
        wrong = replace(result.network, provenance=result.network.provenance | claimed)
        assert bool(check_observed(wrong, DATA)) == (other == prior)


def test_the_score_of_another_structure_is_rejected(result: tb.LearnResult) -> None:
    empty = tb.Structure.from_parents([() for _ in DATA.schema], names=DATA.schema.names, schema=DATA.schema)
    assert "but the observed cells give" in str(check_observed(replace(empty, score=result.score), DATA))


def checked_by(own: OwnCheck, network: BayesianNetwork) -> Verdict:
    return Promises(2, Bic(), None).verdict_on(network, own, DATA.num_rows)


def test_a_sample_of_the_rows_of_a_large_table(
    result: tb.LearnResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = OwnEm(result.structure, DATA.schema.cardinalities)
    some = OwnCheck(DATA, 40.5 * own.cells_per_row)
    verdict = checked_by(some, result.network)
    assert verdict
    assert (verdict.compared_with, verdict.rows_compared) == (("observed cells", "sample"), 40)
    assert "of all rows, of 40 rows also by the checker's own inference" in str(verdict)
    assert checked_by(OwnCheck(DATA, 0), result.network).compared_with == ("observed cells",)
    rows = BayesianNetwork.log_likelihood_rows

    def one_wrong(self: BayesianNetwork, data: tb.Dataset, threads: int | None) -> np.ndarray:
        logs = rows(self, data, threads=threads).copy()
        logs[0] += 1e-3
        logs[1] -= 1e-3  # the sum stays
        return logs

    monkeypatch.setattr(BayesianNetwork, "log_likelihood_rows", one_wrong)
    assert "row 1 has log-probability" in str(checked_by(some, result.network))


def test_cpts_of_hidden_variables_are_checked(tmp_path, run) -> None:
    table = TRUTH.sample(200, seed=2).to_frame("pandas").astype(str).drop(columns=TRUTH.schema.names[0])
    found = tb.learn(table, 1, hidden={"H": 2}, budget=tb.Budget(steps=8))
    assert found.verdict.compared_with == ("observed cells", "EM")
    data = tb.load(table, schema=found.network.schema, missing="keep")
    network = found.network
    assert check_observed(network, data)
    swapped = replace(network, tables=(*network.tables[:-1], network.tables[-1][::-1]))
    assert not check_observed(swapped, data)
    # The command checks the CPTs of a file that has some.
    table.to_csv(tmp_path / "rows.csv", index=False)
    tb.save_network(network, tmp_path / "network.json")
    assert (
        "by the checker's own EM"
        in run("check", tmp_path / "network.json", "--table", tmp_path / "rows.csv")[1]
    )
    tb.save_network(swapped, tmp_path / "network.json")
    assert run("check", tmp_path / "network.json", "--table", tmp_path / "rows.csv")[0] == 1


def test_rows_that_are_certain_are_accepted():
    """Their log-likelihood is zero, so a gain by rounding is larger than any share of it."""
    table = {"a": ["x", "x"]}
    result = tb.learn(table, 1, hidden={"H": 3}, budget=tb.Budget(steps=1), seed=1811884731)
    assert result.verdict, str(result.verdict)

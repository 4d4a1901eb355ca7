"""Mixtures answer like the enumeration of their joint distribution, in every form and from files."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from reference import inference
from reference import mixture as reference
from strategies_mixture import MixtureCase, joint_of, mixture_cases, rows_over, shared_over

pytestmark = pytest.mark.core

WEIGHTS = [0.0, 1.0, 0.3]


@st.composite
def cases_with_evidence(draw: st.DrawFn) -> tuple[MixtureCase, dict[str, object], np.ndarray]:
    """A mixture, hard and soft evidence, and P(all variables, evidence)."""
    case = draw(mixture_cases())
    evidence: dict[str, object] = {}
    likelihoods: dict[int, np.ndarray] = {}
    for v, variable in enumerate(case.model.schema):
        kind = draw(st.sampled_from(["none", "hard", "soft"]))
        if kind == "hard":
            code = draw(st.integers(0, variable.cardinality - 1))
            evidence[variable.name], likelihoods[v] = (
                variable.states[code],
                np.eye(variable.cardinality)[code],
            )
        elif kind == "soft":
            weights = [draw(st.sampled_from(WEIGHTS)) for _ in variable.states]
            if any(weights):
                evidence[variable.name], likelihoods[v] = weights, np.array(weights)
    return case, evidence, inference.weighted(case.joint, likelihoods)


Drawn = tuple[MixtureCase, dict[str, object], np.ndarray]


@given(drawn=cases_with_evidence(), data=st.data())
@settings(max_examples=40)
def test_posteriors_equal_enumeration(drawn: Drawn, data: st.DataObject) -> None:
    case, evidence, weighted = drawn
    model, names = case.model, case.model.schema.names
    with np.errstate(divide="ignore"):
        expected = np.log(weighted.sum())
    assert model.log_probability(evidence) == pytest.approx(expected, abs=1e-9)
    if weighted.sum() == 0:
        with pytest.raises(tb.ImpossibleEvidence):
            model.marginals(evidence)
        return
    for v, name in enumerate(names):
        expected = inference.posterior(weighted, [v])
        np.testing.assert_allclose(model.marginals(evidence)[name].array, expected, atol=1e-12)
        np.testing.assert_allclose(model.posterior(name, evidence).array, expected, atol=1e-12)
    group = data.draw(st.lists(st.integers(0, len(names) - 1), min_size=1, max_size=3, unique=True))
    found = model.posterior([names[v] for v in group], evidence).array
    np.testing.assert_allclose(found, inference.posterior(weighted, group), atol=1e-12)


@given(drawn=cases_with_evidence())
@settings(max_examples=40)
def test_impossible_evidence_names_findings_that_all_matter(drawn: Drawn) -> None:
    case, evidence, weighted = drawn
    if weighted.sum() == 0:
        with pytest.raises(tb.ImpossibleEvidence) as caught:
            case.model.posterior(case.model.schema.names[0], evidence)
        assert (
            case.model.log_probability({name: evidence[name] for name in caught.value.findings}) == -math.inf
        )
        for name in caught.value.findings:
            others = {other: evidence[other] for other in caught.value.findings if other != name}
            assert case.model.log_probability(others) > -math.inf


@given(drawn=cases_with_evidence())
@settings(max_examples=40)
def test_the_most_probable_state_is_possible_and_says_that_it_is_approximate(drawn: Drawn) -> None:
    case, evidence, weighted = drawn
    if weighted.sum() == 0:
        return
    found = case.model.most_probable(evidence)
    assert not found.is_exact
    assert "approximate" in repr(found)
    codes = tuple(one.states.index(found[one.name]) for one in case.model.schema)
    assert math.exp(found.log_joint) == pytest.approx(weighted[codes])
    assert found.log_probability == pytest.approx(found.log_joint - math.log(weighted.sum()))
    assert weighted[codes] > 0


@given(case=mixture_cases(), data=st.data())
@settings(max_examples=40)
def test_rows_equal_enumeration(case: MixtureCase, data: st.DataObject) -> None:
    rows = data.draw(rows_over(case.model.schema))
    known = tb.Dataset(case.model.schema, rows)
    found = case.model.log_likelihood_rows(known)
    joints = [inference.given_row(case.joint, row) for row in rows.T.tolist()]
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(found, np.log([joint.sum() for joint in joints]), atol=1e-9)
    target = data.draw(st.integers(0, len(case.model.schema) - 1))
    posteriors = case.model.posterior_rows(target, known, impossible="nan")
    for row, answer in zip(rows.T.tolist(), posteriors, strict=True):
        row[target] = -1
        weighted = inference.given_row(case.joint, row)
        if weighted.sum() > 0:
            np.testing.assert_allclose(answer, inference.posterior(weighted, [target]), atol=1e-12)
        else:
            assert np.isnan(answer).all()


@given(case=mixture_cases(), data=st.data())
@settings(max_examples=40)
def test_completions_keep_known_cells_and_are_possible(case: MixtureCase, data: st.DataObject) -> None:
    rows = data.draw(rows_over(case.model.schema))
    for complete in (case.model.most_probable_rows, case.model.sample_rows_given):
        found = complete(tb.Dataset(case.model.schema, rows), impossible="nan").codes
        assert np.array_equal(found[rows >= 0], rows[rows >= 0])
        for row, filled in zip(rows.T, found.T, strict=True):
            if inference.given_row(case.joint, row.tolist()).sum() > 0:
                assert case.joint[tuple(filled)] > 0
            else:
                assert np.array_equal(filled, row)


@given(schema_and=mixture_cases(), data=st.data())
@settings(max_examples=40)
def test_surprises_add_up_to_the_log_likelihood_less_a_divergence(
    schema_and: MixtureCase, data: st.DataObject
) -> None:
    model = data.draw(shared_over(schema_and.model.schema))
    rows = np.maximum(data.draw(rows_over(model.schema)), 0)
    known = tb.Dataset(model.schema, rows)
    parts = model.cell_surprises(known)
    for row, own, log in zip(rows.T.tolist(), parts.T, model.log_likelihood_rows(known), strict=True):
        if log == -math.inf:
            assert np.isnan(own).all()
            continue
        likelihoods = [joint_of(model.component(c))[tuple(row)] for c in range(model.num_components)]
        left = reference.surprise_left(model.weights.tolist(), likelihoods)
        assert own.sum() == pytest.approx(-log - left, abs=1e-9)
        alone = tb.network.Mixture([model]).cell_surprises(tb.Dataset(model.schema, np.array([row]).T))
        np.testing.assert_allclose(alone[:, 0], own)


def arcs_of(
    model: tb.BayesianNetwork | tb.network.Mixture | tb.network.SharedMixture,
) -> set[tuple[int, int]]:
    if isinstance(model, tb.network.Mixture):
        return set().union(*map(arcs_of, model.components))
    return set(model.structure.arc_indices)


def has_cycle(model: tb.network.Mixture | tb.network.SharedMixture) -> bool:
    arcs, left = arcs_of(model), set(range(len(model.schema)))
    while roots := {v for v in left if not any((u, v) in arcs for u in left)}:
        left -= roots
    return bool(left)


@given(case=mixture_cases())
@settings(max_examples=40)
def test_the_network_with_a_hidden_class_has_the_same_distribution(case: MixtureCase) -> None:
    if has_cycle(case.model):
        with pytest.raises(ValueError, match="cycle"):
            case.model.to_network()
        return
    network = case.model.to_network()
    assert tb.check(network.structure).is_ok
    np.testing.assert_allclose(joint_of(network).sum(axis=0), case.joint, atol=1e-12)


@given(case=mixture_cases())
@settings(max_examples=40)
def test_files_and_pickles_return_the_same_model(case: MixtureCase, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("models") / "model.json"
    tb.save_model(case.model, path)
    assert tb.load_model(path) == case.model
    assert pickle.loads(pickle.dumps(case.model)) == case.model
    with pytest.raises(tb.NetworkFileError, match="load_model"):
        tb.load_network(path)


@pytest.fixture(params=["mixture", "shared"])
def model(request: pytest.FixtureRequest) -> tb.network.Mixture | tb.network.SharedMixture:
    rng = np.random.default_rng(1)
    schema = tb.Schema(tuple(tb.Variable(name, ("a", "b", "c")) for name in "xyz"))
    structure = tb.Structure.from_parents([(), (0,), (0, 1)], names="xyz", schema=schema)
    tables = [rng.dirichlet(np.ones(3), (2, rows)).reshape(2, -1) for rows in (1, 3, 9)]
    shared = tb.network.SharedMixture(structure, np.array([0.3, 0.7]), tuple(tables))
    if request.param == "shared":
        return shared
    other = tb.network.SharedMixture(
        tb.Structure.from_parents([(1,), (), (0,)], names="xyz", schema=schema),
        np.ones(1),
        tuple(rng.dirichlet(np.ones(3), (1, rows)).reshape(1, -1) for rows in (3, 1, 3)),
    )
    return tb.network.Mixture([shared, other.component(0)], [0.6, 0.4])


def chi_square(
    model: tb.network.Mixture | tb.network.SharedMixture, rows: np.ndarray, weighted: np.ndarray
) -> float:
    """The statistic of counts against the distribution, in standard deviations."""
    expected = (weighted / weighted.sum() * rows.shape[1]).ravel()
    counts = np.bincount(np.ravel_multi_index(tuple(rows), weighted.shape), minlength=weighted.size)
    seen = expected > 0
    assert counts[~seen].sum() == 0
    statistic = float(((counts - expected)[seen] ** 2 / expected[seen]).sum())
    freedom = int(seen.sum()) - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


def test_samples_follow_the_distribution(model: tb.network.Mixture | tb.network.SharedMixture) -> None:
    drawn = model.sample(20_000, seed=3)
    assert chi_square(model, drawn.codes.astype(int), joint_of(model)) < 4
    assert np.array_equal(drawn.codes[:, :50], model.sample(50, seed=3).codes)


def test_samples_given_evidence_follow_the_posterior(
    model: tb.network.Mixture | tb.network.SharedMixture,
) -> None:
    weighted = inference.weighted(joint_of(model), {0: [1, 0, 0.2], 2: [0, 1, 0]})
    drawn = model.sample(20_000, seed=4, evidence={"x": [1, 0, 0.2], "z": "b"})
    assert chi_square(model, drawn.codes.astype(int), weighted) < 4


def test_imputed_cells_follow_the_posterior(model: tb.network.Mixture | tb.network.SharedMixture) -> None:
    rows = np.full((3, 20_000), -1, dtype=np.int32)
    rows[1] = 2
    filled = model.sample_rows_given(tb.Dataset(model.schema, rows), seed=5).codes
    assert chi_square(model, filled, inference.given_row(joint_of(model), [-1, 2, -1])) < 4


def test_tables_and_cases_are_answered_like_by_a_network(
    model: tb.network.Mixture | tb.network.SharedMixture,
) -> None:
    case = {"x": "a", "z": "c"}
    expected = model.posterior("y", case).to_dict()
    assert model.predict_proba(case, "y") == pytest.approx(expected)
    assert model.predict(case, "y") == max(expected, key=expected.__getitem__)
    assert set(model.impute({"x": "a", "y": None, "z": "c"})) == {"x", "y", "z"}
    found = model.anomaly_scores({"x": ["a"], "y": ["b"], "z": ["c"]})
    assert found.scores[0] == pytest.approx(-model.log_probability({"x": "a", "y": "b", "z": "c"}))


def test_many_rows_equal_the_sum_over_components() -> None:
    """More rows and components than the core takes at a time; one component rules out usual cells."""
    network = tb.random_network(9, max_states=3, max_treewidth=2, seed=1)
    rng = np.random.default_rng(1)
    cards = network.schema.cardinalities
    tables = []
    for table, states in zip(network.tables, cards, strict=True):
        shares = table.reshape(1, -1, states) * rng.uniform(0.5, 2, (70, table.size // states, states))
        shares[3, :, 0] = 0
        tables.append((shares / shares.sum(axis=2, keepdims=True)).reshape(70, -1))
    model = tb.network.SharedMixture(network.structure, rng.dirichlet(np.ones(70)), tables)
    rows = network.sample(700, seed=1)
    with np.errstate(divide="ignore"):
        parts = [model.component(c).log_likelihood_rows(rows) for c in range(70)]
        expected = np.logaddexp.reduce(np.array(parts) + np.log(model.weights)[:, None])
    np.testing.assert_allclose(model.log_likelihood_rows(rows), expected)


def test_the_class_is_not_a_variable_of_the_mixture(
    model: tb.network.Mixture | tb.network.SharedMixture,
) -> None:
    for ask in (
        lambda: model.posterior("class"),
        lambda: model.marginals({"class": "0"}),
        lambda: model.log_probability({"class": "0"}),
    ):
        with pytest.raises(tb.InferenceError, match="class"):
            ask()


def test_wrong_arguments_are_rejected() -> None:
    network = tb.random_network(3, seed=1)
    with pytest.raises(ValueError, match="sum to 1"):
        tb.network.Mixture([network, network], [0.5, 0.6])
    with pytest.raises(ValueError, match="at least one"):
        tb.network.Mixture([])
    with pytest.raises(ValueError, match="equal variables"):
        tb.network.Mixture([network, tb.random_network(4, seed=1)])
    with pytest.raises(TypeError, match="a component must be a model"):
        tb.network.Mixture(["network"])
    with pytest.raises(ValueError, match="shape"):
        tb.network.SharedMixture(network.structure, [1.0], network.tables)


@pytest.mark.parametrize(
    ("field", "value"),
    [("kind", "other"), ("weights", "12"), ("tables", "!"), ("tables", "AAAA"), ("version", 9)],
)
def test_damaged_files_are_rejected(field: str, value: object, tmp_path) -> None:
    network = tb.random_network(3, seed=1)
    path = tmp_path / "mixture.json"
    tb.save_model(
        tb.network.SharedMixture(network.structure, [1.0], [table[None] for table in network.tables]), path
    )
    fields = json.loads(path.read_text())
    path.write_text(json.dumps(fields | {field: value}))
    with pytest.raises(tb.NetworkFileError):
        tb.load_model(path)


def test_commands_take_mixtures(run, tmp_path, monkeypatch, model) -> None:
    def command(*words: str) -> dict[str, object]:
        code, out, _ = run(*words, "--json")
        assert code == 0
        return json.loads(out)

    monkeypatch.chdir(tmp_path)
    tb.save_model(model, "model.json")
    drawn = model.sample(20, seed=1)
    drawn.to_frame().to_csv("rows.csv", index=False)
    evaluated = command("evaluate", "model.json", "rows.csv")
    assert evaluated["log_likelihood"] == pytest.approx(model.log_likelihood(drawn.to_frame()))
    queried = command("query", "model.json", "-t", "y", "--mpe", "-e", "x=a")
    assert queried["posteriors"]["y"] == pytest.approx(model.posterior("y", {"x": "a"}).to_dict())
    assert queried["most_probable_is_exact"] is False
    assert command("sample", "model.json", "-n", "5", "-o", "drawn.csv")["variables"] == 3
    assert command("impute", "model.json", "rows.csv", "-o", "full.csv")["filled"] == 0
    predicted = command("predict", "model.json", "rows.csv", "-t", "y", "-o", "p.csv")
    assert 0 <= predicted["accuracy"] <= 1

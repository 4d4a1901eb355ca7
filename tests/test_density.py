"""Smooth mixtures: likelihood and slopes against slow twins, and densities learned from small tables."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from reference import density as reference
from strategies_inference import networks_over, schemas
from strategies_mixture import rows_over
from treebound import _core
from treebound._run import new_run
from treebound.density._member import mixed_logs, weights_by_em
from treebound.density._points import latent_points
from treebound.density._smooth import SmoothMixture, SmoothOptions

pytestmark = pytest.mark.core

SMALL = SmoothOptions(num_dimensions=2, num_layers=2, num_units=5, num_points=19, batch_rows=8)
# Sums of components are made in blocks of 64: without a whole block, and with one and a rest.
NUM_POINTS = pytest.mark.parametrize("num_points", [19, 70])


def smooth_over(
    network: tb.BayesianNetwork, rows: np.ndarray, threads: int = 1, num_points: int = 19
) -> SmoothMixture:
    ones, data = np.ones(rows.shape[1]), tb.Dataset(network.schema, rows)
    options = replace(SMALL, num_points=num_points)
    return SmoothMixture(network.structure, data, ones, scale=1.0, seed=1, threads=threads, options=options)


def sizes_of(network: tb.BayesianNetwork) -> list[int]:
    return [2, 5, 5, network.num_parameters]


@st.composite
def trained_cases(draw: st.DrawFn) -> tuple[tb.BayesianNetwork, np.ndarray]:
    """A network, and rows with or without gaps."""
    network = draw(schemas(max_variables=5).flatmap(networks_over))
    rows = draw(rows_over(network.schema).filter(lambda rows: rows.shape[1] > 0))
    return network, rows


@NUM_POINTS
@given(drawn=trained_cases())
@settings(max_examples=40)
def test_log_likelihoods_equal_enumeration(
    drawn: tuple[tb.BayesianNetwork, np.ndarray], num_points: int
) -> None:
    network, rows = drawn
    smooth = smooth_over(network, rows, num_points=num_points)
    points = latent_points(num_points + 2, 2, np.random.default_rng(2))
    parents, cards = network.parent_indices, network.schema.cardinalities
    expected = reference.log_likelihoods(
        smooth.parameters.astype(float), sizes_of(network), points, parents, cards, rows
    )
    found = smooth.log_likelihoods(smooth.encode(tb.Dataset(network.schema, rows)), points)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    mixture = smooth.mixture(points)
    np.testing.assert_allclose(
        mixture.log_likelihood_rows(tb.Dataset(network.schema, rows)), expected, rtol=1e-4, atol=1e-5
    )


@NUM_POINTS
@given(drawn=trained_cases(), seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_slopes_equal_differences(
    drawn: tuple[tb.BayesianNetwork, np.ndarray], seed: int, num_points: int
) -> None:
    network, rows = drawn
    rng = np.random.default_rng(seed)
    smooth = smooth_over(network, rows, num_points=num_points)
    points = latent_points(num_points, 2, rng)
    weights = rng.random(rows.shape[1]).astype(np.float32)
    equal = np.full(num_points, -np.log(num_points), np.float32)
    args = (np.arange(rows.shape[1], dtype=np.uint32), weights, points, equal)
    _, slopes, masses = smooth._core.slopes(
        smooth.encode(tb.Dataset(network.schema, rows)), *args, new_run(None, 1)
    )
    assert masses.sum() == pytest.approx(weights.sum(), rel=1e-4)
    direction = rng.normal(size=len(slopes))
    direction /= np.linalg.norm(direction)
    parents, cards = network.parent_indices, network.schema.cardinalities

    def value(step: float) -> float:
        moved = smooth.parameters.astype(float) + step * direction
        logs = reference.log_likelihoods(moved, sizes_of(network), points, parents, cards, rows)
        return float(weights @ logs)

    # Steps this small seldom cross a kink of a rectifier.
    difference = (value(1e-5) - value(-1e-5)) / 2e-5
    assert slopes @ direction == pytest.approx(difference, rel=1e-2, abs=1e-3)


def one_step(
    smooth: SmoothMixture,
    data: tb.Dataset,
    points: np.ndarray,
    rate: float,
    decay: float = 0.0,
    sharpness: float = 1.0,
) -> None:
    """Take a step on all rows, which count the same, as do the points."""
    size, num_points = data.num_rows, points.shape[1]
    places, weights = np.arange(size, dtype=np.uint32), np.full(size, 1 / size, np.float32)
    logs = np.full(num_points, -np.log(num_points), np.float32)
    run = new_run(None, 1)
    smooth._core.step(smooth.encode(data), places, weights, points, logs, rate, decay, sharpness, run)


def test_the_weights_of_the_last_layer_decay() -> None:
    network = tb.random_network(4, max_treewidth=1, max_states=3, seed=2)
    rows = network.sample(12, seed=1).codes.astype(np.int32)
    points, rate, decay = latent_points(7, 2, np.random.default_rng(3)), 1e-3, 50.0
    found = {}
    for own in (0.0, decay):
        smooth = smooth_over(network, rows)
        one_step(smooth, tb.Dataset(network.schema, rows), points, rate, decay=own)
        found[own] = smooth.parameters
    inputs, outputs = sizes_of(network)[-2:]
    factors = np.ones(len(found[decay]))
    factors[-outputs * (inputs + 1) : -outputs] = 1 - rate * decay  # biases do not decay
    np.testing.assert_allclose(found[decay], factors * found[0.0], rtol=1e-6)


def test_sharp_steps_climb_with_rows_shared_out_by_a_power() -> None:
    """The first step of Adam goes as far in each parameter; only its sign is that of the slope."""
    network = tb.random_network(4, max_treewidth=1, max_states=3, seed=2)
    rows, sharpness = network.sample(12, seed=1).codes.astype(np.int32), 3.0
    smooth = smooth_over(network, rows)
    points, before = latent_points(7, 2, np.random.default_rng(3)), smooth.parameters.astype(float)

    def logs_by_point(parameters: np.ndarray) -> np.ndarray:
        parents, cards, sizes = network.parent_indices, network.schema.cardinalities, sizes_of(network)
        parts = [
            reference.log_likelihoods(parameters, sizes, point[:, None], parents, cards, rows)
            for point in points.T
        ]
        return np.array(parts)

    powers = np.exp(sharpness * logs_by_point(before))
    shares = powers / powers.sum(axis=0)
    one_step(smooth, tb.Dataset(network.schema, rows), points, 1e-3, sharpness=sharpness)
    moved = smooth.parameters - before
    num_seen = 0
    for place in range(0, len(before), 3):
        step = np.zeros_like(before)
        step[place] = 1e-5
        slope = (shares * (logs_by_point(before + step) - logs_by_point(before - step))).sum() / 2e-5
        if abs(slope) > 0.05:
            assert np.sign(moved[place]) == np.sign(slope)
            num_seen += 1
    assert num_seen >= 5


def test_steps_are_equal_for_any_number_of_threads_and_raise_the_likelihood() -> None:
    network = tb.random_network(12, max_treewidth=2, max_states=3, seed=1)
    rows = network.sample(200, seed=1).codes.astype(np.int32)
    rows[np.random.default_rng(1).random(rows.shape) < 0.1] = -1
    found = []
    for threads in (1, 3):
        smooth = smooth_over(network, rows, threads)
        encoded, points = smooth.encode(tb.Dataset(network.schema, rows)), smooth.points(64)
        before = smooth.log_likelihoods(encoded, points).mean()
        for _ in range(100):
            smooth.step(3.0)
        assert smooth.log_likelihoods(encoded, points).mean() > before + 0.02
        found.append(smooth.parameters)
    assert np.array_equal(*found)


def test_points_are_normal_and_spread_evenly() -> None:
    points = latent_points(4096, 3, np.random.default_rng(1))
    # Independent points would be off by 1/64 in the mean.
    assert np.abs(points.mean(axis=1)).max() < 0.01
    np.testing.assert_allclose(np.cov(points), np.eye(3), atol=0.05)


def test_weights_by_em_are_those_of_the_mixture_that_drew_the_rows() -> None:
    rng = np.random.default_rng(1)
    logs = np.log(rng.dirichlet(np.ones(5), 3))
    rows = rng.choice(5, 20_000, p=np.array([0.6, 0.3, 0.1]) @ np.exp(logs))
    weights = weights_by_em(logs[:, rows].T)
    mean = mixed_logs(logs[:, rows].T, weights).mean()
    for other in rng.dirichlet(np.ones(3), 200):
        assert mixed_logs(logs[:, rows].T, other).mean() <= mean + 1e-6


@pytest.fixture(scope="module")
def hidden_cause() -> tuple[tb.Dataset, tb.Dataset]:
    """Rows of eight columns that depend on a hidden one: a mixture fits them better than any tree."""
    rng = np.random.default_rng(1)
    schema = tb.Schema(tuple(tb.Variable(f"v{v}", ("no", "yes")) for v in range(8)))
    cause = rng.random(1200)
    codes = (rng.random((8, 1200)) < cause).astype(np.uint8)
    return tb.Dataset(schema, codes[:, :800]), tb.Dataset(schema, codes[:, 800:])


def test_a_density_beats_its_members_and_a_tree(hidden_cause: tuple[tb.Dataset, tb.Dataset]) -> None:
    train, valid = hidden_cause
    seen: list[tb.Progress] = []
    result = tb.learn_density(train, budget=tb.Budget(steps=400), valid=valid, progress=seen.append)
    assert result.valid_log_likelihood >= max(one.valid_log_likelihood for one in result.members) - 1e-9
    assert sum(one.weight for one in result.members) == pytest.approx(1)
    logs = result.model.log_likelihood_rows(valid)
    assert logs.mean() == pytest.approx(result.valid_log_likelihood, abs=1e-4)
    tree = tb.learn(train, 1, budget=tb.Budget(steps=100)).network
    assert logs.mean() > tree.log_likelihood_rows(valid).mean() + 0.02
    assert 200 < result.steps <= 380
    assert max(one.steps for one in seen) <= result.steps
    assert str(result).startswith("density: ")
    assert "held-out" in result._repr_html_()


def test_equal_seeds_and_steps_give_equal_densities(hidden_cause: tuple[tb.Dataset, tb.Dataset]) -> None:
    train, valid = hidden_cause
    budget = tb.Budget(steps=60)
    one, two = (
        tb.learn_density(train, budget=budget, valid=valid, seed=3, threads=threads) for threads in (1, 2)
    )
    assert one.members == two.members
    assert one.model == two.model
    assert one.model != tb.learn_density(train, budget=budget, valid=valid, seed=4).model


def test_gaps_and_weights_are_taken(hidden_cause: tuple[tb.Dataset, tb.Dataset]) -> None:
    frame = hidden_cause[0].to_frame()
    frame = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.2)
    rows = tb.load(frame, missing="keep", weights=np.linspace(0, 2, len(frame)))
    result = tb.learn_density(rows, budget=tb.Budget(steps=60))
    assert np.isfinite(result.model.log_likelihood(frame))
    assert result.model != tb.learn_density(frame, budget=tb.Budget(steps=60)).model
    with pytest.raises(ValueError, match="at least 10 rows"):
        tb.learn_density(frame[:5], budget=tb.Budget(steps=5))


def test_an_interrupt_keeps_what_was_trained(hidden_cause: tuple[tb.Dataset, tb.Dataset]) -> None:
    def interrupt(now: tb.Progress) -> None:
        if now.steps > 40:
            raise KeyboardInterrupt

    result = tb.learn_density(hidden_cause[0], budget=tb.Budget(steps=4000), progress=interrupt)
    assert result.stopped == "interrupted"
    assert result.steps < 200


def test_the_command_writes_a_model(run, tmp_path, monkeypatch, hidden_cause) -> None:
    monkeypatch.chdir(tmp_path)
    for name, rows in zip(("train.csv", "valid.csv"), hidden_cause, strict=True):
        rows.to_frame().to_csv(name, index=False)
    code, out, err = run(
        "density", "train.csv", "--valid", "valid.csv", "-o", "model.json", "--steps", "40", "--json"
    )
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["path"] == "model.json"
    found = tb.load_model("model.json").log_likelihood(hidden_cause[1].to_frame()) / 400
    assert found == pytest.approx(report["valid_log_likelihood"], abs=1e-4)
    assert sum(one["weight"] for one in report["members"]) == pytest.approx(1)
    code, out, _ = run("density", "train.csv", "-o", "other.json", "--steps", "20")
    assert code == 0
    assert "smooth mixture" in out


def test_the_core_is_used() -> None:
    assert {"SmoothMixture", "TrainingRows", "Families"} <= vars(_core).keys()


def test_the_estimator_fits_new_rows_better_with_a_mixture(hidden_cause) -> None:
    pytest.importorskip("sklearn")
    from treebound.sklearn import TreeboundDensity

    train, test = (rows.to_frame() for rows in hidden_cause)
    network = TreeboundDensity(max_treewidth=1).fit(train)
    best = TreeboundDensity(kind="best", steps=200).fit(train, sample_weight=np.ones(len(train)))
    assert best.score(test) > network.score(test) + 0.02
    assert best.sample(7, random_state=1).shape == (7, 8)
    with pytest.raises(ValueError, match="kind must be"):
        TreeboundDensity(kind="tree").fit(train)


def test_the_outlier_detector_uses_a_mixture(hidden_cause) -> None:
    pytest.importorskip("sklearn")
    from treebound.sklearn import TreeboundOutlierDetector

    frame = hidden_cause[0].to_frame()
    weights = np.ones(len(frame))
    weights[:100] = 0
    detector = TreeboundOutlierDetector(kind="best", steps=40, contamination=0.2).fit(frame, None, weights)
    assert isinstance(detector.network_, tb.network.Mixture | tb.network.SharedMixture)
    share = (detector.predict(frame[100:]) == -1).mean()
    assert 0.05 < share <= 0.2


def test_row_weights_count_in_training_and_among_held_out_rows(hidden_cause) -> None:
    """A table in which half of the rows have no weight is like one without them."""
    train, valid = hidden_cause
    schema = train.schema
    noise = np.random.default_rng(2).integers(0, 2, train.codes.shape).astype(np.uint8)

    def noisy(rows: tb.Dataset) -> tb.Dataset:
        codes = np.hstack([rows.codes, noise])
        return tb.Dataset(schema, codes, np.repeat([1.0, 0.0], [rows.num_rows, noise.shape[1]]))

    found = tb.learn_density(noisy(train), valid=noisy(valid), budget=tb.Budget(steps=200))
    logs = found.model.log_likelihood_rows(valid)
    assert found.valid_log_likelihood == pytest.approx(logs.mean(), abs=1e-4)
    assert (
        logs.mean()
        > tb.learn(train, 1, budget=tb.Budget(steps=100)).network.log_likelihood_rows(valid).mean()
    )


def test_columns_of_several_states_with_gaps(tmp_path) -> None:
    """The laws of a learned model: distributions sum to one, and rows agree with single queries."""
    network = tb.random_network(6, max_states=4, max_treewidth=2, seed=3)
    rows = network.sample(300, seed=1)
    codes = rows.codes.astype(np.int32)
    codes[np.random.default_rng(1).random(codes.shape) < 0.1] = -1
    holed = tb.Dataset(rows.schema, codes)
    model = tb.learn_density(holed, budget=tb.Budget(steps=40)).model
    first, last = model.schema[0], model.schema[-1]
    joint = model.posterior([first.name, last.name])
    assert joint.array.sum() == pytest.approx(1)
    np.testing.assert_allclose(joint.array.sum(axis=1), model.posterior(first.name).array)
    evidence = {last.name: last.states[0]}
    given = joint.array[:, 0] / joint.array[:, 0].sum()
    np.testing.assert_allclose(model.posterior(first.name, evidence).array, given)
    tb.save_model(model, tmp_path / "model.json")
    again = tb.load_model(tmp_path / "model.json")
    np.testing.assert_allclose(again.log_likelihood_rows(holed), model.log_likelihood_rows(holed))

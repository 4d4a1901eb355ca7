"""Constraints in resampling, comparisons, estimators, interventions and explanations."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import constraints as twin
from reference import scoring
from strategies_constraints import names_of, random_constraints
from test_constraints_search import KNOWN, ONE, table
from treebound import Bic, Budget, Constraints, PseudoCount, Structure, check, fit, learn
from treebound.constraints import ContradictionError
from treebound.experiments import Scoring, compare
from treebound.resampling import Bootstrap, CrossValidation, arc_strength, choose_treewidth
from treebound.structure import explain_constraints

STEPS = Budget(steps=10)


def test_arc_strength_and_its_consensus_obey():
    strength = arc_strength(
        table(rows=100), 2, method=Bootstrap(3), budget=STEPS, constraints=KNOWN, threads=1
    )
    assert all(check(network, constraints=KNOWN) for network in strength.networks)
    assert check(strength.consensus, constraints=KNOWN)
    assert strength.consensus.constraints == KNOWN


def test_choosing_the_treewidth_obeys():
    choice = choose_treewidth(
        table(rows=100), [1, 2], validation=CrossValidation(2), budget=STEPS, constraints=KNOWN, threads=1
    )
    assert choice.recommended in (1, 2)
    with pytest.raises(ValueError, match="is required, and"):
        choose_treewidth(table(rows=100), [1], constraints=KNOWN | Constraints(roots=["x0"]))


def test_comparisons_obey(tmp_path):
    result = compare(
        {"table": table(rows=100)},
        2,
        solvers=["regrow", "kg"],
        budget=STEPS,
        folder=tmp_path,
        scoring=Scoring(constraints=KNOWN),
        jobs=1,
    )
    assert all(run.score is not None for run in result.runs)
    free = compare(
        {"table": table(rows=100)}, 2, solvers=["regrow"], budget=STEPS, folder=tmp_path / "b", jobs=1
    )
    assert max(run.score for run in result.runs) < max(run.score for run in free.runs)


def test_estimators_obey_and_the_classifier_carries_its_own():
    sklearn = pytest.importorskip("treebound.sklearn")
    data = table(rows=100)
    frame = pd.DataFrame(
        {v.name: np.array(v.states)[codes] for v, codes in zip(data.schema, data.codes, strict=True)}
    )
    density = sklearn.TreeboundDensity(max_treewidth=2, steps=5, constraints=KNOWN).fit(frame)
    assert check(density.network_, constraints=KNOWN)
    classifier = sklearn.TreeboundClassifier(structure="tree").fit(frame.drop(columns="x0"), frame["x0"])
    of_class = classifier.network_.structure
    assert of_class.constraints is not None
    assert check(of_class)


def columns_of(data, target):
    """The features and the target, as scikit-learn takes them."""
    frame = pd.DataFrame(
        {v.name: np.array(v.states)[codes] for v, codes in zip(data.schema, data.codes, strict=True)}
    )
    return frame.drop(columns=target), frame[target]


AUGMENTED = {"augmented-bic", "augmented-aic", "augmented-likelihood"}


@pytest.mark.parametrize(
    ("known", "kinds"),
    [
        ({"required": ["x3 -> x1"]}, {"tree", *AUGMENTED, "joint"}),
        ({"tiers": [["x1", "x2"], ["x0"], ["x3"]]}, {"joint", "prior"}),
        ({"required": ["x1 -> x0"]}, {"joint"}),
        ({"required": ["x1 -> x2", "x3 -> x2"]}, {*AUGMENTED, "joint"}),
        ({"adjacent": ["x1 - x3"]}, {*AUGMENTED, "joint"}),
        ({"max_parents": {"x2": 0}}, {"joint", "prior"}),
        ({"max_cells": 4}, {"joint", "prior"}),
    ],
)
def test_classifiers_obey_and_skip_the_kinds_that_cannot(known, kinds):
    sklearn = pytest.importorskip("treebound.sklearn")
    constraints = Constraints(**known)
    X, y = columns_of(table(n=4, rows=60), "x0")
    model = sklearn.TreeboundClassifier(constraints=constraints, folds=2, steps=2).fit(X, y)
    assert {one.structure for one in model.candidates_} == kinds
    assert all(check(network, constraints=constraints) for network in model.networks_)
    for kind in {"naive", "tree", "augmented-bic", "joint", "prior"} - kinds:
        with pytest.raises(ContradictionError, match=f"structure='{kind}' cannot obey"):
            sklearn.TreeboundClassifier(constraints=constraints, structure=kind).fit(X, y)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_classifiers_fail_only_where_nothing_obeys(seed):
    sklearn = pytest.importorskip("treebound.sklearn")
    knowledge = random_constraints(random.Random(seed), 4)
    constraints = Constraints.from_dict(knowledge)
    X, y = columns_of(table(n=4, rows=40), "x3")
    model = sklearn.TreeboundClassifier(constraints=constraints, folds=2, steps=1, smoothing=PseudoCount())
    if not twin.is_possible(knowledge, names_of(4), 3):
        with pytest.raises(ContradictionError):
            model.fit(X, y)
        return
    model.fit(X, y)
    for network in model.networks_:
        chosen = [network.structure.parents[name] for name in names_of(4)]
        indices = [[names_of(4).index(p) for p in parents] for parents in chosen]
        assert twin.obeys(knowledge, names_of(4), indices)


def test_regressors_obey():
    sklearn = pytest.importorskip("treebound.sklearn")
    constraints = Constraints(required=["x3 -> x1"], forbidden=["number -> *"])
    X, y = columns_of(table(n=4, rows=60), "x0")
    numbers = pd.Series(np.arange(60.0) + (y == y[0]), name="number")
    model = sklearn.TreeboundRegressor(constraints=constraints, folds=2, steps=2, target_bins=3)
    model.fit(X, numbers)
    assert all(check(network, constraints=constraints) for network in model.networks_)
    assert "number" not in model.network_.parents["x1"]


def test_do_reports_the_arcs_that_constraints_settle():
    chain = Structure.from_parents({"x0": [], "x1": ["x0"], "x2": ["x1"]})
    data = table(n=3)
    free = fit(chain, data)
    known = fit(replace(chain, constraints=Constraints(tiers=[["x0"], ["x1"], ["x2"]])), data)
    assert free.uncertain_arcs("x1", "x2") == (("x1", "x2"),)
    assert free.settled_arcs("x1", "x2") == ()
    assert known.uncertain_arcs("x1", "x2") == ()
    assert known.settled_arcs("x1", "x2") == (("x1", "x2"),)
    assert "x1 -> x2 is settled by the constraints" in str(known.do({"x1": "a"}).posterior("x2"))


def test_costs_are_differences_of_scores():
    data = table(n=4, rows=200)
    known = Constraints(required=["x3 -> x1"], forbidden=["x0 -> x1", "x2 -> x0"])
    result = learn(data, 2, constraints=known, budget=STEPS, where=ONE)
    parents = result.structure.parent_indices
    rows, cards = data.codes.T.tolist(), data.schema.cardinalities

    def bic(v, chosen):
        return scoring.bic(v, sorted(chosen), rows, cards)

    costs = explain_constraints(result, data, score=Bic())
    by_arc = {(one.parent, one.child): one for one in costs}
    required = by_arc["x3", "x1"]
    assert required.cost == pytest.approx(bic(1, set(parents[1]) - {3}) - bic(1, parents[1]), abs=1e-6)
    for parent, child in ((0, 1), (2, 0)):
        gain = bic(child, {*parents[child], parent}) - bic(child, parents[child])
        found = by_arc.get((f"x{parent}", f"x{child}"))
        if found is not None:
            assert found.cost == pytest.approx(gain, abs=1e-6)
            assert "is forbidden" in found.reason
    assert costs.costs == tuple(sorted(costs, key=lambda one: -one.cost))
    frame = pd.DataFrame(
        {v.name: np.array(v.states)[codes] for v, codes in zip(data.schema, data.codes, strict=True)}
    )
    assert explain_constraints(result, frame[["x3", "x1", "x0", "x2"]]).costs == costs.costs
    with pytest.raises(ValueError, match="'x3'"):
        explain_constraints(result, frame.drop(columns="x3"))
    with pytest.raises(ValueError, match="without constraints"):
        explain_constraints(learn(data, 2, budget=STEPS, where=ONE), data)


@pytest.mark.parametrize("num_variables", [4, 60])
def test_plots_mark_required_arcs(num_variables):
    colors = pytest.importorskip("matplotlib.colors")
    from matplotlib.collections import LineCollection
    from matplotlib.patches import FancyArrowPatch

    from treebound.plot import plot_structure
    from treebound.plot._palette import ACCENT

    names = [f"x{v}" for v in range(num_variables)]
    chain = Structure.from_parents({n: [names[i - 1]] if i else [] for i, n in enumerate(names)})
    known = replace(chain, constraints=Constraints(required=["x0 -> x1"]))
    marked = colors.to_rgb(ACCENT)
    cases = [(chain, 0), (known, 1)]
    if num_variables == 4:
        cases.append((fit(known, table(n=4)), 1))  # boxes with tables
    for structure, expected in cases:
        ax = plot_structure(structure)
        arrows = [one for one in ax.patches if isinstance(one, FancyArrowPatch)]
        lines = [one for one in ax.collections if isinstance(one, LineCollection)]
        drawn = [one.get_edgecolor()[:3] for one in arrows]
        drawn += [tuple(row[:3]) for one in lines for row in one.get_edgecolor()]
        assert sum(colour == marked for colour in drawn) == expected

"""Arguments of the wrong type or range, and arguments that contradict each other: one sentence, no work."""

from __future__ import annotations

import math

import numpy as np
import pytest

import treebound
from treebound import (
    BackoffPrior,
    Bdeu,
    BdeuPrior,
    Bic,
    Budget,
    Constraints,
    DataError,
    Dataset,
    Discretise,
    Exhaustive,
    Independence,
    Local,
    MarginalPrior,
    PseudoCount,
    learn,
    save_cache,
)
from treebound.solvers import KAStar, Regrow, search
from treebound.structure import KTree, TreeDecomposition
from treebound.tables import save_table

pytestmark = pytest.mark.core

ROWS = {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10}
STEPS = Budget(steps=2)


@pytest.fixture(scope="module")
def table():
    return treebound.load(ROWS)


@pytest.fixture(scope="module")
def cache(table):
    return treebound.score(table).cache


@pytest.fixture(scope="module")
def network(table):
    return treebound.fit({"a": [], "b": ["a"]}, table)


# Whole numbers: what takes one, its smallest value, and its largest if there is one.
WHOLE = {
    "steps": (lambda n, w: Budget(steps=w), 1, 2**63 - 1),
    "islands": (lambda n, w: Regrow(w), 1, 1024),
    "max_nodes": (lambda n, w: KAStar(max_nodes=w), 1, 2**63 - 1),
    "max_parents": (lambda n, w: Exhaustive(w), 0, 2**31 - 1),
    "max_parents of independence": (lambda n, w: Independence(w), 0, 30),
    "memory_mb": (lambda n, w: Independence(memory_mb=w), 1, 2**31 - 1),
    "bins": (lambda n, w: Discretise("quantile", w), 2, 65536),
    "threads of score": (lambda n, w: treebound.score(ROWS, budget=STEPS, where=Local(threads=w)), 1, 1024),
    "threads of learn": (lambda n, w: learn(ROWS, 1, budget=STEPS, where=Local(threads=w)), 1, 1024),
    "threads of fit": (lambda n, w: treebound.fit({"a": [], "b": []}, ROWS, threads=w), 1, 1024),
    "threads": (lambda n, w: n.sample(1, threads=w), 1, 1024),
    "threads of rows": (
        lambda n, w: n.junction_tree.log_likelihood_rows(n.sample(1), threads=w), 1, 1024,
    ),
    "seed of learn": (lambda n, w: learn(ROWS, 1, budget=STEPS, seed=w), 0, 2**64 - 1),
    "seed of sample": (lambda n, w: n.sample(1, w), 0, 2**64 - 1),
    "seed of impute": (lambda n, w: n.impute({"a": [None], "b": [1]}, seed=w), 0, 2**64 - 1),
    "seed of random_network": (lambda n, w: treebound.random_network(2, seed=w), 0, 2**64 - 1),
    "num_rows": (lambda n, w: n.sample(w), 0, 2**40),
    "num_rows given evidence": (lambda n, w: n.sample(w, evidence={"a": 0}), 0, 2**40),
    "max_treewidth": (lambda n, w: learn(ROWS, w, budget=STEPS), 0, 2**63 - 1),
    "max_cells": (lambda n, w: learn(ROWS, constraints=Constraints(max_cells=w), budget=STEPS), 2, 2**63 - 1),
    "max_states of load": (lambda n, w: treebound.load(ROWS, max_states=w), 2, 65536),
    "num_variables": (lambda n, w: treebound.random_network(w), 1, 10_000_000),
    "max_bytes": (lambda n, w: treebound.JunctionTree(n, max_bytes=w), 0, None),
}  # fmt: skip


@pytest.mark.parametrize(
    "value", [1.5, 2.0, True, False, "3", None, np.float64(2), np.bool_(True), math.nan, [1]]
)
@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_must_be_whole(network, name, value):
    ask = WHOLE[name][0]
    takes_none = (
        "thread",
        "max_treewidth",
        "max_cells",
        "max_states",
        "max_bytes",
        "bins",
        "steps",
        "islands",
        "max_nodes",
    )
    if value is None and any(part in name for part in takes_none):
        return
    with pytest.raises(TypeError, match=rf"^{name.split()[0]} must be a whole number, got .*\.$"):
        ask(network, value)


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_have_a_range(network, name):
    ask, low, high = WHOLE[name]
    word = name.split()[0]
    with pytest.raises(ValueError, match=f"^{word} must be at least {low}.*, got {low - 1}\\.$"):
        ask(network, low - 1)
    ask(network, np.int64(low))
    if high is not None:
        with pytest.raises(ValueError, match=f"^{word} must be at most {high}, got {high + 1}\\.$"):
            ask(network, high + 1)
        if not any(part in name for part in ("thread", "num_rows", "memory", "num_variables")):
            ask(network, high)


# Collections, paths and functions: what takes one, something that is none, and what is said.
KINDS = {
    "na_values": (lambda n, w: treebound.load(ROWS, na_values=w), 5, "na_values must be a collection"),
    "an na_value": (lambda n, w: treebound.load(ROWS, na_values=[w]), 5, "each of na_values must be"),
    "na_values of rows": (
        lambda n, w: treebound.load(ROWS, schema=n.schema, na_values=w),
        5,
        "na_values must be",
    ),
    "a column": (lambda n, w: treebound.load({"a": w}), 5, "column 'a' must be a sequence of values"),
    "discretise": (lambda n, w: treebound.load(ROWS, discretise={w: None}), 5, "each column of discretise"),
    "variables": (lambda n, w: treebound.Schema(w), None, "variables must be a sequence"),
    "states": (lambda n, w: treebound.Variable("a", w), None, "states must be a sequence"),
    "edges of bins": (lambda n, w: treebound.Variable("a", "x", edges=w), 5, "edges must be a sequence"),
    "insertion_order": (lambda n, w: KTree(w, ()), None, "insertion_order must be a sequence"),
    "separators": (lambda n, w: KTree((0,), w), None, "separators must be a sequence"),
    "a separator": (lambda n, w: KTree((0,), [w]), 5, "each of separators must be a sequence"),
    "bags": (lambda n, w: TreeDecomposition(w, ()), None, "bags must be a sequence"),
    "edges of bags": (lambda n, w: TreeDecomposition(((0,),), w), None, "edges must be a sequence"),
    "parents": (lambda n, w: treebound.Structure.from_parents(w), None, "parents must be a sequence"),
    "parent_indices": (
        lambda n, w: treebound.Structure(("a",), w, n.structure.witness), None, "parent_indices must be a",
    ),
    **{
        name: (
            lambda n, w, name=name: treebound.Structure(
                **{"names": ("a",), "parent_indices": ((),), "decomposition": n.structure.witness, name: w}
            ),
            wrong, f"{name} must be a",
        )
        for name, wrong in [
            ("names", 5), ("decomposition", 5), ("insertion_order", 5), ("provenance", 5), ("score", "low"),
            ("score_rounding", "low"), ("local_scores", 5),
        ]
    },
    "parents by name": (lambda n, w: treebound.fit({"a": w}, ROWS), 5, "each of parents must be"),
    "parents of tables": (
        lambda n, w: treebound.BayesianNetwork.from_indices(n.schema, w, n.tables), None,
        "parents must be a sequence",
    ),
    "given": (lambda n, w: n.d_separated("a", "b", w), 5, "names must be a name"),
    "groups": (lambda n, w: n.junction_tree.joint_distributions(w), None, "groups must be a sequence"),
    "backend": (lambda n, w: n.sample(1).to_frame(w), None, "backend must be 'pandas'"),
    "pruning": (lambda n, w: treebound.score(ROWS, pruning=w), 5, "pruning must be names of rules"),
    "a rule": (lambda n, w: treebound.score(ROWS, pruning=[w]), [], "each of pruning must be the name"),
    "checkpoint": (lambda n, w: treebound.score(ROWS, checkpoint=w), 5, "checkpoint must be a function"),
    "local scores": (
        lambda n, w: treebound.Structure.from_parents(((),), local_scores=w), 5, "local_scores must be",
    ),
    "columns to drop": (lambda n, w: treebound.load(ROWS, drop=w), None, "drop must be a collection"),
    "where to score": (lambda n, w: treebound.score(ROWS, where=w), 5, "where must be Local"),
    "where to learn": (lambda n, w: treebound.learn(ROWS, where=w), 5, "where must be Local"),
    "where to estimate": (lambda n, w: treebound.estimate_memory(ROWS, where=w), 5, "where must be Local"),
    "sets": (lambda n, w: treebound.ParentSetCache.from_sets({"a": w}), 5, "each of sets must be"),
    "load_cache": (lambda n, w: treebound.load_cache(w), None, "path must be the path of a file"),
    "load_network": (lambda n, w: treebound.load_network(w), None, "path must be the path of a file"),
    "load_structure": (lambda n, w: treebound.load_structure(w), None, "path must be the path of a file"),
    "save_network": (lambda n, w: treebound.save_network(n, w), None, "path must be the path of a file"),
    "save_structure": (
        lambda n, w: treebound.save_structure(n.structure, w), None, "path must be the path of a file",
    ),
    "save_figure": (lambda n, w: treebound.plot.save_figure(n, w), None, "path must be the path of a file"),
    "save_answer": (
        lambda n, w: treebound.formats.save_answer(0.5, w, n.schema), None, "path must be the path of a file",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_what_is_of_another_kind_is_refused_by_a_sentence(network, name):
    ask, wrong, words = KINDS[name]
    with pytest.raises(TypeError, match=rf"^{words}.*, got .*\.$"):
        ask(network, wrong)


def test_parents_of_a_cache_are_names_or_indexes(cache):
    for wrong in (None, [None]):
        with pytest.raises(TypeError, match=r"parents? must be .*name.* got None\.$"):
            cache.score_of("a", wrong)


def test_an_order_holds_indexes(cache):
    with pytest.raises(TypeError, match=r"each of order must be an index, got 'x'\.$"):
        treebound.solvers.solve_order(cache, 1, ["x", 0])


NUMBERS = {
    "seconds": (lambda w: Budget(seconds=w), True),
    "equivalent_sample_size": (lambda w: Bdeu(w), False),
    "equivalent_sample_size of a prior": (lambda w: BdeuPrior(w), False),
    "alpha": (lambda w: PseudoCount(w), False),
    "weight": (lambda w: MarginalPrior(w), False),
    "weight of a prior that backs off": (lambda w: BackoffPrior(w), False),
    "concentration": (lambda w: treebound.random_network(2, concentration=w), False),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_must_be_finite_and_positive(name):
    ask, may_be_zero = NUMBERS[name]
    word = name.split()[0]
    for value in ("1", True, [1.0], 1j, np.bool_(True)):
        with pytest.raises(TypeError, match=f"^{word} must be a number, got "):
            ask(value)
    for value in (math.nan, math.inf, -math.inf, -1, 10**400, *([] if may_be_zero else [0])):
        with pytest.raises(ValueError, match=f"^{word} must be (positive and )?finite"):
            ask(value)
    for value in (1, 0.5, np.float32(0.5), np.int64(3)):
        ask(value)


def test_large_budgets_are_no_trouble(cache):
    for budget in (Budget(seconds=1e300, steps=1), Budget(seconds=0), Budget(seconds=0, steps=2**63 - 1)):
        assert search(cache, 1, budget=budget).structure
        assert treebound.score(ROWS, budget=budget).cache


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t, c: learn(c, 1, score=Bic()), "score applies only to tables, and the source is a cache"),
        (lambda t, c: learn(c, 1, score=c), "score applies only to tables, and the source is a cache"),
        (lambda t, c: treebound.score(t, score=Bdeu(), resume=c), r"holds the score Bic\(\), and Bdeu"),
    ],
)
def test_arguments_that_contradict_each_other_are_refused(table, cache, call, words):
    with pytest.raises(ValueError, match=words):
        call(table, cache)


def test_scored_parent_sets_hold_their_score(table):
    result = learn(table, 1, score=treebound.score(table, score=Bdeu(3)), budget=STEPS)
    assert result.verdict
    assert result.cache.score == Bdeu(3.0)


@pytest.mark.parametrize("kind", [str, lambda path: path])
@pytest.mark.parametrize("ending", ["tbc", "jkl", "jkl.gz", "TBC"])
def test_learn_takes_the_path_of_a_cache(tmp_path, cache, kind, ending):
    path = tmp_path / f"c.{ending}"
    save_cache(cache, path)
    result = learn(kind(path), 1, budget=STEPS)
    assert result.scoring is None
    assert result.cache.same_sets_as(cache)
    assert result.verdict.compared_with == ("cache",)


@pytest.mark.parametrize("value", ["bic", Bic, 3, {"name": "bic"}])
def test_scores_methods_budgets_and_caches_are_of_their_types(value):
    others = ("solver", "budget")[isinstance(value, str) : 1 if value == 3 else 2]  # names, and seconds
    for name in ("score", "start", "where", *others):
        with pytest.raises(TypeError, match=f"^{name} must be "):
            learn(ROWS, 1, **{name: value})
    for name in ("score", "parent_sets", "budget", "resume"):
        with pytest.raises(TypeError, match=f"^{name} must be "):
            treebound.score(ROWS, **{name: value})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t, c, n: treebound.check(t), "structure must be a Structure, what learn"),
        (lambda t, c, n: treebound.check(learn(c, 1, budget=STEPS).structure, t), "cache must be a"),
        (lambda t, c, n: treebound.check(learn(c, 1, budget=STEPS).structure, data=c), "data must be a"),
        (
            lambda t, c, n: learn(t, 1, start=Budget),
            "start must be a Structure or None, got the",
        ),
        (lambda t, c, n: search(c, 1, start=n), "start must be a Structure or None, got"),
        (lambda t, c, n: search(c, 1, data=ROWS), "data must be a Dataset, such as load"),
        (lambda t, c, n: c.same_sets_as(n), "other must be a ParentSetCache"),
        (lambda t, c, n: c.best(1.0), "variable must be a name or an index, got 1.0"),
        (lambda t, c, n: treebound.ParentSetCache.from_sets([1]), "sets must be a mapping"),
        (lambda t, c, n: treebound.Structure.from_parents([[]], cache=t), "cache must be a ParentSetCache"),
        (
            lambda t, c, n: treebound.solvers.solve_order(c, 1, 3),
            "order must be a sequence of indexes, got 3",
        ),
        (lambda t, c, n: treebound.Schema(("a",)), "a variable of a schema must be a Variable, got 'a'"),
        (
            lambda t, c, n: treebound.load(t, schema={}, missing="keep", on_absent="ignore").codes,
            "schema must be a Schema, got",
        ),
        (lambda t, c, n: treebound.BayesianNetwork.from_indices([1], (), ()), "schema must be a Schema, got"),
        (lambda t, c, n: treebound.JunctionTree(t), "network must be a BayesianNetwork, got"),
        (
            lambda t, c, n: treebound.formats.to_networkx(3),
            "source must be a Structure or a BayesianNetwork, got 3",
        ),
        (lambda t, c, n: treebound.formats.from_networkx(n), "graph must be a graph of networkx, got"),
        (
            lambda t, c, n: treebound.formats.network_from_networkx(b""),
            "graph must be a graph of networkx, got",
        ),
        (
            lambda t, c, n: treebound.formats.save_evidence({}, "never.evid", None),
            "schema must be a Schema, got",
        ),
        (
            lambda t, c, n: treebound.formats.save_answer([], "never", t.schema),
            "answer must be a number, or a",
        ),
        (lambda t, c, n: treebound.structure.treewidth_bounds({1: 2}), "neighbours must be a sequence"),
        (
            lambda t, c, n: treebound.structure.treewidth_bounds([[0.5]]),
            "a neighbour of 0 must be a whole number",
        ),
    ],
)
def test_objects_of_another_type_are_refused_in_a_sentence(table, cache, network, call, words):
    with pytest.raises(TypeError, match=f"^{words}.*\\.$"):
        call(table, cache, network)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: treebound.Schema.from_json({}), "a schema needs variables with names and states"),
        (lambda: treebound.Schema.from_json([1]), "a schema needs variables with names and states"),
        (
            lambda: treebound.structure.treewidth_bounds([[1], []]),
            "Neighbours must be others, and mutual; 0 has 1",
        ),
        (
            lambda: treebound.structure.treewidth_bounds([[0]]),
            "Neighbours must be others, and mutual; 0 has 0",
        ),
        (
            lambda: treebound.structure.treewidth_bounds([[7], []]),
            "a neighbour of 0 must be at most 1, got 7",
        ),
    ],
)
def test_objects_with_wrong_contents_are_refused_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=f"^{words}.*\\.$"):
        call()


def test_no_parents_means_none(table):
    for method in (Exhaustive(0), Independence(0)):
        result = treebound.score(table, parent_sets=method, pruning=None)
        assert result.cache.max_parents == 0
        assert result.report.sum_of_best == pytest.approx(result.cache.sum_of_best)


def test_a_table_without_rows_is_refused(table, cache):
    empty = Dataset(table.schema, np.zeros((2, 0), dtype=np.uint8))
    words = "^the table: at least one row is needed, got none$"
    for call in (
        lambda: treebound.score(empty),
        lambda: learn(empty, 1),
        lambda: learn(empty, 1, score=cache),
        lambda: treebound.fit({"a": [], "b": []}, empty),
        lambda: treebound.check(learn(cache, 1, budget=STEPS).structure, data=empty),
    ):
        with pytest.raises(DataError, match=words):
            call()
    for call in (treebound.load, treebound.score, lambda table: learn(table, 1)):
        with pytest.raises(DataError, match="there are no rows"):
            call({"a": [], "b": []})
    with pytest.raises(DataError, match="there are no rows"):
        treebound.fit(learn(table, 1, budget=STEPS), {"a": [], "b": []})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("learn", "c.tbc", "--cache", "d.tbc"), "--cache applies only to tables, and c.tbc is a cache"),
        (("learn", "c.tbc", "--bins", "median"), "--bins applies only to tables"),
        (("learn", "c.tbc", "--no-header"), "--no-header applies only to tables"),
        (("learn", "c.tbc", "--na-values", "?"), "--na-values applies only to tables"),
        (("learn", "t.csv", "--ess", 3), "--ess applies only to BDeu; add --score bdeu"),
        (("learn", "t.csv", "--ess", 3, "--score", "bic"), "--ess applies only to BDeu"),
        (("score", "t.csv", "--ess", 3), "--ess applies only to BDeu"),
        (("learn", "c.tbc", "--score", "bic"), "score applies only to tables, and the source is a cache"),
    ],
)
def test_the_command_refuses_what_it_would_ignore(run, tmp_path, monkeypatch, cache, words, message):
    monkeypatch.chdir(tmp_path)
    save_cache(cache, "c.tbc")
    save_table(treebound.load(ROWS), "t.csv")
    out = "o.tbc" if words[0] == "score" else "o.json"
    extra = () if words[0] == "score" else ("-k", 1)
    code, _, err = run(*words, "-o", out, *extra, "--steps", 2)
    assert code in (1, 2)
    assert message in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.tbc", "t.csv"]


@pytest.mark.parametrize("function", ["learn", "learn_density"])
@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"seconds": 10}, "budget=10"),
        ({"time": 5}, "budget=5"),
        ({"steps": 7}, r"budget=Budget\(steps=7\)"),
        ({"auto": True}, r"load\(table, auto=True\) as the table"),
        ({"discretise": "mdl"}, r"load\(table, discretise='mdl'\) as the table"),
    ],
)
def test_options_of_another_place_are_rejected_with_that_place(function, given, advice):
    found = getattr(treebound, function, None) or getattr(treebound.density, function)
    with pytest.raises(TypeError, match=f"{function} has no parameter '{next(iter(given))}'; pass {advice}"):
        found({"a": [1, 2] * 9, "b": [1, 2] * 9}, **given)

"""Hidden variables: fitted by EM from several starts, placed by structural EM, kept in files and figures."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import treebound as tb
from reference import em as reference
from treebound.inference import ExpectedCounts
from treebound.learning import Limits, RowsHere
from treebound.learning._pairwise_start import latent_classes
from treebound.learning._structural_em import StructuralEm
from treebound.network._em import Climb, TableRows, random_starts

STEPS = tb.Budget(steps=40)
NUM_COLUMNS, NUM_ROWS = 6, 800


def latent_table(num_classes: int, num_rows: int = NUM_ROWS, seed: int = 0) -> dict[str, list[str]]:
    """Columns that depend on a class that the table does not have."""
    rng = np.random.default_rng(seed)
    classes = rng.choice(num_classes, size=num_rows, p=rng.dirichlet(np.full(num_classes, 5.0)))
    chances = np.where(rng.random((NUM_COLUMNS, num_classes)) < 0.5, 0.1, 0.9)
    cells = rng.random((NUM_COLUMNS, num_rows)) < chances[:, classes]
    return {f"x{v}": np.where(column, "yes", "no").tolist() for v, column in enumerate(cells)}


TABLE = latent_table(3)
CLASSES = {"H": [], **{name: ["H"] for name in TABLE}}


def brute_log_likelihood(network: tb.BayesianNetwork, data: tb.Dataset) -> float:
    rows = tb.load(data, schema=network.schema, missing="keep").codes.T.tolist()
    return reference.expected_counts(
        network.parent_indices, network.tables, network.schema.cardinalities, rows, [1.0] * len(rows)
    )[1]


def test_each_step_is_that_of_the_twin_and_never_lowers_the_objective() -> None:
    data = tb.data.with_hidden(tb.load(TABLE), {"H": 3}).take(np.arange(60))
    structure = tb.Structure.from_parents(CLASSES)
    order = [data.schema.position(name) for name in structure.names]
    data = tb.Dataset(tb.Schema([data.schema[v] for v in order]), data.codes[order])
    rows = TableRows(structure.parent_indices, data.schema)
    assert rows.has_hidden
    assert rows.is_hidden.all()
    prior = np.full(sum(rows.sizes), 0.5)
    first = rows.normalised(prior)
    climb = Climb(ExpectedCounts(structure.parent_indices, data, threads=1), rows, prior)
    cuts = np.cumsum(rows.sizes)[:-1]
    starts = list(random_starts(rows, first, seed=4))
    assert len({start.tobytes() for start in starts}) == len(starts) == 10
    for start in starts[:3]:
        case = (structure.parent_indices, np.split(start, cuts), data.schema.cardinalities)
        known = (data.codes.T.tolist(), [1.0] * 60, np.split(prior, cuts))
        point = climb._at(start)
        assert point.objective == pytest.approx(reference.objective(*case, *known), rel=1e-9)
        step = np.concatenate(reference.em_step(*case, *known))
        np.testing.assert_allclose(point.next_tables, step, atol=1e-9)
        trace = climb.run(start).trace
        assert np.diff(trace).min() >= -1e-10 * abs(trace[-1])


def test_the_best_start_is_as_good_as_the_best_of_many_by_brute_force() -> None:
    table = {name: column[:40] for name, column in TABLE.items() if name in ("x0", "x1", "x2")}
    structure = {"H": [], "x0": ["H"], "x1": ["H"], "x2": ["H"]}
    network = tb.fit(structure, table, hidden={"H": 2}, smoothing=tb.PseudoCount(0.5))
    rows = tb.load(table, schema=network.schema, missing="keep").codes.T.tolist()
    case = (network.parent_indices, network.schema.cardinalities)
    prior = [np.full(one.size, 0.5) for one in network.tables]
    rng, best = np.random.default_rng(0), -math.inf
    for _ in range(6):
        tables = [rng.dirichlet(np.ones(2), size=one.size // 2).ravel() for one in network.tables]
        for _ in range(60):
            tables = reference.em_step(case[0], tables, case[1], rows, [1.0] * 40, prior)
        best = max(best, reference.objective(case[0], tables, case[1], rows, [1.0] * 40, prior))
    own = reference.objective(case[0], network.tables, case[1], rows, [1.0] * 40, prior)
    assert own >= best - 1e-3


def test_classes_are_recovered_in_the_order_of_their_size() -> None:
    truth = tb.BayesianNetwork.from_tables(
        {
            "H": {"0": 0.7, "1": 0.3},
            **{f"x{v}": {"0": {"no": 0.9, "yes": 0.1}, "1": {"no": 0.15, "yes": 0.85}} for v in range(5)},
        },
        parents={f"x{v}": ["H"] for v in range(5)},
    )
    table = truth.sample(5_000, 1).to_frame().drop(columns="H")
    for seed in (0, 1):
        found = tb.fit(truth.structure.parents, table, hidden={"H": 2}, seed=seed)
        assert found.posterior("H").array == pytest.approx([0.7, 0.3], abs=0.03)
        for v in range(5):
            own = found.posterior(f"x{v}", {"H": "1"})["yes"]
            assert own == pytest.approx(0.85, abs=0.04)
        assert found.provenance["em"]["starts"] == 10
    again = tb.fit(truth.structure.parents, table, hidden={"H": 2}, seed=1, threads=1)
    assert again == found


@pytest.mark.parametrize("criterion", ["bic", "held-out"])
def test_the_number_of_states_is_chosen(criterion: str) -> None:
    assert tb.fit(CLASSES, TABLE, hidden={"H": criterion}).schema["H"].cardinality == 3
    learned = tb.learn(TABLE, 1, budget=tb.Budget(steps=200), hidden={"H": criterion})
    assert learned.structure.schema["H"].cardinality == 3
    assert learned.verdict


def test_structural_em_places_a_hidden_variable() -> None:
    rows = tb.load(TABLE)
    result = tb.learn(rows, 2, budget=STEPS, hidden={"H": 3})
    plain = tb.learn(rows, 2, budget=STEPS)
    network = result.network
    assert result.score > plain.score
    exact = brute_log_likelihood(network, rows) - math.log(NUM_ROWS) / 2 * network.num_parameters
    assert result.score == pytest.approx(exact, rel=1e-9)
    assert result.verdict
    assert result.verdict.compared_with == ("observed cells", "EM")
    assert result.structure.schema.hidden == ("H",)
    scores = [improvement.score for improvement in result.search.trace]
    assert scores == sorted(scores)
    same = tb.learn(rows, 2, budget=STEPS, hidden={"H": 3}, where=tb.Local(threads=1))
    assert same.network == network
    fresh = tb.load(latent_table(3, seed=0), schema=network.schema)
    assert fresh.column("H").max() < 0


def test_the_first_structure_divides_columns_among_hidden_variables() -> None:
    rows = RowsHere(tb.data.with_hidden(tb.load(TABLE), {"A": 2, "B": 3}))
    first = latent_classes(rows, Limits(2, None))
    assert first.parents["A"] == ()
    assert first.parents["B"] == ("A",)
    owners = [first.parents[name] for name in TABLE]
    assert sorted(owners) == [("A",)] * 3 + [("B",)] * 3
    few = latent_classes(rows, Limits(2, 5))
    assert {few.parents[name] for name in (*TABLE, "B")} == {("A",), ()}
    assert latent_classes(rows, Limits(0, None)).num_arcs == 0


@pytest.mark.parametrize("criterion", ["bic", "held-out"])
def test_an_interrupted_choice_of_states_returns_the_best_so_far(criterion: str, monkeypatch) -> None:
    data, runs, whole = tb.load(latent_table(2)), [], StructuralEm.run

    def interrupted_once_there_are_two(self, *arguments):
        if len(runs) == 2:
            raise KeyboardInterrupt
        runs.append(whole(self, *arguments))
        return runs[-1]

    monkeypatch.setattr(StructuralEm, "run", interrupted_once_there_are_two)
    result = tb.learn(data, 2, hidden={"H": criterion}, budget=tb.Budget(steps=200))
    assert result.was_interrupted
    assert result.verdict
    assert result.structure in [run.structure for run in runs]
    assert result.network.schema["H"].is_hidden


def test_constraints_may_mention_hidden_variables() -> None:
    known = tb.Constraints(required=[("H", "x0")], roots=["H"], forbidden=[("H", "x3")])
    result = tb.learn(TABLE, 2, budget=STEPS, hidden={"H": 3}, constraints=known)
    assert result.verdict
    assert ("H", "x0") in result.structure.arcs
    assert result.structure.parents["H"] == ()


def test_hidden_and_missing_values_go_together() -> None:
    frame = tb.load(TABLE).to_frame()
    frame = frame.mask(np.random.default_rng(0).random(frame.shape) < 0.1)
    with pytest.raises(tb.DataError, match="missing"):
        tb.learn(frame, 1, budget=STEPS, hidden={"H": 3})
    result = tb.learn(frame, 1, budget=STEPS, missing="em", hidden={"H": 3})
    assert result.verdict
    network = tb.fit(CLASSES, frame, missing="em", hidden={"H": 3})
    assert network.num_rows == NUM_ROWS
    dropped = tb.fit(CLASSES, frame, missing="drop", hidden={"H": 3})
    assert dropped.num_rows == len(frame.dropna())
    assert not network.impute(frame).isna().any().any()


@pytest.mark.filterwarnings("error")
def test_tables_need_no_column_for_hidden_variables() -> None:
    network = tb.fit(CLASSES, TABLE, hidden={"H": 3})
    assert len(network.predict(TABLE, "x0")) == NUM_ROWS
    assert set(network.predict(TABLE, "H")) <= {"0", "1", "2"}
    assert network.predict({"x1": "yes", "x2": "no"}, "H") in ("0", "1", "2")
    assert tb.fit(network, TABLE).schema == network.schema
    more = network.update(TABLE)
    assert more.num_rows == 2 * NUM_ROWS
    array = np.array(list(TABLE.values())).T
    assert network.log_likelihood(array) == pytest.approx(network.log_likelihood(TABLE))


@pytest.mark.parametrize("ending", [".json", ".bif", ".xmlbif", ".net", ".xdsl", ".json.gz"])
def test_files_keep_hidden_variables(ending: str, tmp_path: Path) -> None:
    network = tb.fit(CLASSES, TABLE, hidden={"H": 3})
    path = tmp_path / f"network{ending}"
    tb.save_network(network, path)
    again = tb.load_network(path)
    assert again.schema["H"] == network.schema["H"]
    assert again.schema.hidden == ("H",)
    np.testing.assert_allclose(again.flat_tables.tables, network.flat_tables.tables, atol=1e-15)
    assert not tb.fit(again, TABLE).provenance["em"]["log_likelihood"] > 0


def test_structures_and_datasets_keep_them_and_uai_warns(tmp_path: Path) -> None:
    result = tb.learn(TABLE, 1, budget=STEPS, hidden={"H": 2})
    tb.save_structure(result.structure, tmp_path / "structure.json")
    again = tb.load_structure(tmp_path / "structure.json")
    assert again.schema.hidden == ("H",)
    assert tb.network.check_observed(again, tb.load(TABLE, schema=again.schema))
    with pytest.warns(UserWarning, match="which variables are hidden"):
        tb.save_network(result.network, tmp_path / "network.uai")


def test_figures_show_hidden_variables() -> None:
    pytest.importorskip("matplotlib")
    network = tb.fit(CLASSES, TABLE, hidden={"H": 2})
    for source, kind in itertools.product((network, network.structure), ("boxes", "dots")):
        if kind == "boxes" and source is not network:
            continue
        axes = tb.plot.plot_structure(source, tables=kind == "boxes")
        if kind == "boxes":
            styles = [patch.get_linestyle() for patch in axes.patches if hasattr(patch, "get_boxstyle")]
            assert styles.count("--") == 1
        else:
            styles = axes.collections[-1].get_linestyle()
            assert sum(dashes is not None for _, dashes in styles) == 1


@pytest.mark.parametrize(
    ("hidden", "message"),
    [
        ({"H": 1}, "'H' needs a number of states from 2 to 1,024, 'bic' or 'held-out', got 1"),
        ({"H": "many"}, "got 'many'"),
        ({"H": True}, "got True"),
        ({"": 2}, "must not be empty"),
        (["H"], "must be a mapping from names to numbers of states"),
        ({"x0": 2}, "'x0': is a column of the table"),
    ],
)
def test_bad_hidden_variables_are_named(hidden: object, message: str) -> None:
    for act in (lambda: tb.learn(TABLE, 1, hidden=hidden), lambda: tb.fit(CLASSES, TABLE, hidden=hidden)):
        with pytest.raises((ValueError, TypeError), match=message):
            act()


def test_what_hidden_variables_cannot_do_is_named() -> None:
    with pytest.raises(tb.DataError, match="there is none"):
        tb.fit(CLASSES, TABLE, hidden={"G": 2})
    with pytest.raises(ValueError, match="'H' is hidden, and missing='keep' would count nothing"):
        tb.fit(CLASSES, TABLE, hidden={"H": 2}, missing="keep")
    with pytest.raises(ValueError, match="Hidden variables need a table"):
        tb.learn(tb.score(TABLE), 1, hidden={"H": 2})
    with pytest.raises(tb.DataError, match="hidden="):
        tb.fit(CLASSES, {**TABLE, "H": [None] * NUM_ROWS}, missing="em")


def test_the_command_learns_and_fits_with_hidden_variables(run, tmp_path: Path) -> None:
    table, network, refitted = (tmp_path / name for name in ("table.csv", "network.json", "refitted.bif"))
    tb.load(TABLE).to_frame().to_csv(table, index=False)
    learning = ("learn", table, "-k", "1", "--steps", "40", "-o", network)
    code, out, err = run(*learning, "--hidden", "H=3", "--json")
    assert code == 0, err
    assert json.loads(out)["variables"] == NUM_COLUMNS + 1
    code, _, err = run("fit", network, table, "-o", refitted, "--hidden", "H=bic", "--seed", "2")
    assert code == 0, err
    assert tb.load_network(refitted).schema.hidden == ("H",)
    code, _, err = run(*learning, "--hidden", "H")
    assert code == 2
    assert "--hidden must read NAME=STATES" in err


def test_a_hidden_variable_of_one_row_with_values():
    result = tb.learn({"a": ["x", None]}, 1, missing="em", hidden={"H": 2}, budget=tb.Budget(steps=1))
    assert set(result.network.schema.names) == {"a", "H"}


def test_no_start_outlasts_the_seconds():
    """Each start climbs a dozen steps, on a large table for longer than the budget."""
    table = {f"q{i}": ["yes", "no", "no", "yes"][i:] + ["yes", "no", "no", "yes"][:i] for i in range(4)}
    graph = {"H": [], **{name: ["H"] for name in table}}
    network = tb.fit(graph, table, hidden={"H": 2}, budget=tb.Budget(seconds=1e-9))
    assert network.provenance["em"]["steps"] == 1

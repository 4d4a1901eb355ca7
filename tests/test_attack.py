"""The attack itself: its parts hold on a few cases, its truth is true, what is wrong is caught and shrunk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import attack
import treebound
from attack import _run, inference, truth
from attack._laws import Finding, law_of
from attack._parts import PARTS, part_of
from attack._worker import Worker, is_starved

# Commands in children of their own take seconds each.
NUM_CASES = {
    "printing": 3,
    "kills": 1, "forks": 3, "limits": 1, "determinism": 1, "leakage": 2, "round_trips": 3, "readers": 40,
}  # fmt: skip
SEED = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One folder for all, since some parts prepare large files in it."""
    return tmp_path_factory.mktemp("attack")


@pytest.mark.parametrize("name", PARTS)
def test_the_laws_of_every_part_hold_on_a_few_cases(name, folder):
    with Worker(name, folder) as worker:
        for number in range(NUM_CASES.get(name, 10)):
            assert worker.check(_run.case_of(SEED, name, number)) is None


@pytest.mark.parametrize("name", PARTS)
def test_cases_print_replay_and_shrink(name):
    part = part_of(name)
    case = part.make(Random("1"))
    assert part.make(Random("1")) == case
    assert repr(case).startswith("Case(")
    assert all(smaller != case for smaller in part.shrink(case))


class Here:
    """Checks cases in this process, where the package has been made wrong."""

    def __init__(self, part):
        self.part = part

    def check(self, case):
        try:
            part_of(self.part).check(case)
        except Exception as error:
            return Finding(law_of(error), str(error))
        return None


def first_broken(name):
    """The first case that breaks a law, shrunk, and the law."""
    worker = Here(name)
    for number in range(200):
        case = _run.case_of(1, name, number)
        finding = worker.check(case)
        if finding is not None:
            return finding.law, _run.shrunk(worker, case, finding)
    pytest.fail("nothing was caught")


def test_a_score_off_by_a_thousandth_is_caught_and_shrunk(monkeypatch):
    right = treebound.score

    def wrong(*arguments, **options):
        result = right(*arguments, **options)
        cache = result.cache
        return replace(result, cache=replace(cache, scores=cache.scores - 1e-3))

    monkeypatch.setattr(treebound, "score", wrong, raising=False)
    law, case = first_broken("scores")
    assert law == "scores are those of the definition"
    assert len(case.table.columns) == 1
    assert case.table.num_rows == 1


def test_a_posterior_that_is_not_normalised_is_caught_and_shrunk(monkeypatch):
    right = treebound.JunctionTree.posterior

    def wrong(self, variables, evidence=None):
        found = right(self, variables, evidence)
        return replace(found, array=found.array * 1.000001)

    monkeypatch.setattr(treebound.JunctionTree, "posterior", wrong)
    law, case = first_broken("inference")
    assert law == "posterior is that of enumeration"
    assert len(case.cards) == 1


def test_a_search_that_ignores_the_bound_is_caught_and_shrunk(monkeypatch):
    import treebound.solvers

    right = treebound.solvers.search

    def wrong(cache, max_treewidth, **options):
        return right(cache, None if max_treewidth is None else max_treewidth + 1, **options)

    monkeypatch.setattr(treebound.solvers, "search", wrong)
    law, case = first_broken("solvers")
    assert law == "the witness is within the bound"
    assert len(case.sets) <= 3


def test_an_imputation_that_changes_an_observed_cell_is_caught(monkeypatch):
    right = treebound.BayesianNetwork.impute

    def wrong(self, table, **options):
        return {name: ["s0"] * len(cells) for name, cells in right(self, table, **options).items()}

    monkeypatch.setattr(treebound.BayesianNetwork, "impute", wrong)
    law, case = first_broken("incomplete")
    assert law == "observed cells stay as they are"
    assert len(case.table.columns) == 1


def test_a_mixture_with_other_weights_is_caught(monkeypatch):
    from treebound.network import Mixture

    mixtures = part_of("mixtures")
    monkeypatch.setattr(
        mixtures, "mixture_of", lambda case: Mixture(map(inference.network_of, case.networks))
    )
    law, case = first_broken("mixtures")
    assert law.endswith("is that of enumeration")
    assert len(case.networks) > 1


def test_bins_that_see_the_held_out_rows_are_caught(monkeypatch):
    from treebound.sklearn._labelled import Labelled

    def wrong(self, train, test):
        return self.training.part(train), self.training.part(test)

    monkeypatch.setattr(Labelled, "split", wrong)
    case = part_of("leakage").Case(1, 300, 24, 2, 0.0, "supervised", "naive", 3)
    finding = Here("leakage").check(case)
    assert finding is not None
    assert finding.law == "noise scores like noise"


def test_a_reader_that_fails_inside_is_caught(monkeypatch):
    def wrong(path):
        raise IndexError("list index out of range")

    monkeypatch.setattr(treebound, "load_network", wrong, raising=False)
    law, _ = first_broken("readers")
    assert law.startswith("unexpected IndexError")


def test_a_umask_that_changes_for_other_threads_is_caught(monkeypatch):
    monkeypatch.setattr(treebound, "save_network", lambda network, path: os.umask(0), raising=False)
    forks = part_of("forks")
    case = forks.Case(1, 2, 1, askers=0, savers=1, children=0, files=500, umask=0o022)
    assert "umask" in Here("forks").check(case).law


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_process_is_starved_only_if_it_is_ready_and_had_little_time():
    with subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) as busy:
        try:
            while is_starved(busy.pid, 0.05) or not is_starved(busy.pid, 1e9):
                time.sleep(0.01)  # until it had that much time
            os.kill(busy.pid, signal.SIGSTOP)
            while is_starved(busy.pid, 1e9):
                time.sleep(0.01)  # until it is stopped, and so not ready
        finally:
            busy.kill()


def test_a_umask_that_is_read_by_setting_it_is_caught(monkeypatch):
    from treebound import _files

    right = _files._opener

    def wrong(target):
        os.umask(os.umask(0))
        return right(target)

    monkeypatch.setattr(_files, "_opener", wrong)
    law, _ = first_broken("forks")
    assert "umask" in law


@pytest.mark.parametrize(
    ("case", "law"),
    [
        (("fine", 0), None),
        (("crash", 0), "does not crash (SIGABRT)"),
        (("hang", 0), "ends in time"),
        (("hunger", 0), "unexpected MemoryError in _faulty.check: "),
        (("broken", 50), "numbers are small"),
    ],
)
def test_crashes_hangs_and_hunger_are_findings_and_the_next_case_goes_on(case, law, tmp_path):
    with Worker("_faulty", tmp_path) as worker:
        finding = worker.check(case)
        assert (finding and finding.law) == law
        assert worker.check(("fine", 0)) is None


def test_a_broken_case_shrinks_to_the_smallest(tmp_path):
    with Worker("_faulty", tmp_path) as worker:
        case = ("broken", 97)
        assert _run.shrunk(worker, case, worker.check(case)) == ("broken", 10)


def test_the_run_tells_a_table_and_where_to_replay(capsys, monkeypatch):
    monkeypatch.setitem(PARTS, "_faulty", 1.0)
    assert _run.run(["_faulty"], seed=3, seconds=1.0) == 1
    told = capsys.readouterr().out
    assert "attack " in told
    assert "broken: numbers are small" in told
    where = told.split("--replay ")[1].split()[0]
    assert _run.replay(where) == 1


def test_truth_on_graphs_that_everybody_knows():
    circle = [(), (0,), (1,), (2,)]
    assert truth.treewidth(circle) == 1
    assert truth.treewidth([(), (), (), (0, 1, 2)]) == 3
    assert truth.treewidth([(), (0,), (0,), (1, 2)]) == 2
    assert not truth.is_acyclic([(1,), (0,)])
    assert truth.is_decomposition([{0, 1}, {1, 2}], [(0, 1)], [(), (0,), (1,)])
    assert not truth.is_decomposition([{0, 1}, {1, 2}, {2, 0}], [(0, 1), (1, 2)], [(), (0,), (1,)])
    assert not truth.is_decomposition([{0, 1}, {2}], [(0, 1)], [(), (0,), (1,)])


def test_truth_on_a_network_that_can_be_done_by_hand():
    joint = truth.joint([(), (0,)], [[0.25, 0.75], [0.5, 0.5, 1.0, 0.0]], [2, 2])
    assert {states: float(value) for states, value in joint.items()} == {
        (0, 0): 0.125,
        (0, 1): 0.125,
        (1, 0): 0.75,
        (1, 1): 0.0,
    }
    assert float(truth.marginal(joint, [1])[(0,)]) == 0.875
    assert truth.log(truth.weighted(joint, {0: [1e-300, 0]})[(0, 0)]) == pytest.approx(-692.8549692)


def test_the_attack_says_how_it_is_run():
    assert "python -m tests.attack" in attack.__doc__


@pytest.mark.parametrize(
    ("called", "arguments"),
    [
        ("tree.joint_distributions", {"groups": "[1, 2]"}),
        ("tree.joint_distributions", {"groups": "[[2**32]]"}),
        ("tb.formats.load_answer", {"path": "2**63", "schema": "schema"}),
        ("tb.formats.load_evidence", {"path": "iter([])", "schema": "schema"}),
        ("tb.load", {"table": "rows", "delimiter": "object()"}),
        ("tb.load", {"table": "rows", "schema": "schema", "delimiter": "[]"}),
        ("tb.random_network", {"num_variables": "4", "max_parents": "2**63-1"}),
        ("tb.random_network", {"num_variables": "4", "max_treewidth": "np.uint64(2**64-1)"}),
        ("tree.posterior_rows", {"target": "-0.0", "rows": "codes"}),
        ("tb.plot.plot_trace", {"result": "()", "ax": "np.array([None])"}),
    ],
)
def test_arguments_that_once_failed_inside_are_refused(called, arguments):
    part_of("arguments").check(part_of("arguments").Case(called, tuple(arguments.items())))

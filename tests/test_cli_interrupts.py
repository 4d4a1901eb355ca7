"""Ctrl-C and SIGTERM end a verb at once: exit code 130, and nothing half-written."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import treebound
from treebound import _core

pytestmark = pytest.mark.core

# A child that says when its work begins, and begins it in earnest only when a signal has come.
CHILD = """
import contextlib, signal, sys, time
import treebound._files, treebound._run

def announce():
    print("at work", file=sys.stderr, flush=True)

execute = treebound._run.execute
def announced(phase, run, work, *rest, **options):
    def wait_then_work():
        announce()
        while not run.stop_requested:
            time.sleep(0.001)
        return work()
    options["is_long"] = True
    return execute(phase, run, wait_then_work, *rest, **options)
treebound._run.execute = announced

atomic_write = treebound._files.atomic_write
@contextlib.contextmanager
def announced_write(path):
    with atomic_write(path) as file:
        file.write(b"half")
        announce()
        while True:
            signal.pause()
        yield file
if sys.argv[1] == "convert":
    treebound._files.atomic_write = announced_write

from treebound.cli import main
main(sys.argv[1:])
"""
VERBS = {
    "sample": ["net.json", "-n", "1000", "-o", "out.csv"],
    "sample given evidence": ["net.json", "-n", "1000", "-o", "out.csv", "-e", "X0=1"],
    "evaluate": ["net.json", "table.csv", "-o", "out.csv"],
    "predict": ["net.json", "table.csv", "-t", "X1", "-o", "out.csv"],
    "impute": ["net.json", "gaps.csv", "-o", "out.csv"],
    "impute by draws": ["net.json", "gaps.csv", "-o", "out.csv", "--strategy", "draw"],
    "fit": ["net.json", "table.csv", "-o", "out.json"],
    "convert": ["net.json", "out.bif"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    network = treebound.random_network(6, max_treewidth=2, max_states=2, seed=1)
    treebound.save_network(network, tmp_path / "net.json")
    frame = network.sample(200, seed=1).to_frame()
    frame.to_csv(tmp_path / "table.csv", index=False)
    frame.mask(np.random.default_rng(1).random(frame.shape) < 0.2).to_csv(tmp_path / "gaps.csv", index=False)
    return tmp_path


@pytest.mark.parametrize(("number", "had_file"), [(signal.SIGINT, False), (signal.SIGTERM, True)])
@pytest.mark.parametrize("verb", VERBS)
def test_a_signal_ends_a_verb_and_leaves_the_files_alone(
    folder: Path, verb: str, number: signal.Signals, had_file: bool
) -> None:
    words = [verb.split()[0], *VERBS[verb]]
    if had_file:
        name = next(word for word in words if word.startswith("out."))
        (folder / name).write_text("what was there")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *words], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    assert child.stderr.readline() == "at work\n"
    child.send_signal(number)
    _, told = child.communicate(timeout=60)
    assert (child.returncode, told) == (130, "")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def work_of(name: str, run: _core.Run) -> None:
    network = treebound.random_network(6, max_treewidth=2, max_states=2, seed=1)
    rows = np.full((6, 5000), -1, dtype=np.int32)
    flat, tree = network.flat_tables, network.junction_tree._tree
    families = (flat.cardinalities, flat.parent_offsets, flat.parents, flat.table_offsets)
    tables = (flat.cardinalities, flat.topological_order, *families[1:], flat.tables)
    {
        "sample_rows": lambda: _core.sample_rows(*tables, 0, run, np.empty(rows.shape, dtype=np.uint8)),
        "count_families": lambda: _core.count_families(*families, rows, np.zeros(0), run),
        "sample": lambda: tree.sample(0, run, rows.copy()),
        "log_likelihood_rows": lambda: tree.log_likelihood_rows(rows, run),
        "posterior_rows": lambda: tree.posterior_rows(0, rows, run),
        "most_probable_rows": lambda: tree.most_probable_rows(rows, run, rows.copy()),
        "sample_rows_given": lambda: tree.sample_rows_given(rows, 0, run, rows.copy()),
    }[name]()


WORK = (
    "sample_rows",
    "count_families",
    "sample",
    "log_likelihood_rows",
    "posterior_rows",
    "most_probable_rows",
    "sample_rows_given",
)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", WORK)
def test_work_counts_what_is_done_and_stops_when_asked_to(name: str, threads: int) -> None:
    run = _core.Run(np.inf, _core.Run.NO_LIMIT, threads)
    work_of(name, run)
    assert run.num_finished == (6 if name == "count_families" else 5000)
    stopped = _core.Run(np.inf, _core.Run.NO_LIMIT, threads)
    stopped.request_stop()
    with contextlib.suppress(_core.Stopped):
        work_of(name, stopped)
    assert stopped.num_finished == 0


def test_a_signal_takes_effect_inside_a_long_call() -> None:
    long_call = (
        "import sys\n"
        "from treebound import _core\n"
        "with _core.ExitOnSignals(130):\n"
        "    print('at work', file=sys.stderr, flush=True)\n"
        "    sum(range(10**15))\n"
    )
    child = subprocess.Popen([sys.executable, "-c", long_call], stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    assert child.stderr.readline() == "at work\n"
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130


def test_signals_mean_what_they_did_before_when_the_work_is_done() -> None:
    with _core.ExitOnSignals(130):
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)

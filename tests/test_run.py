"""The run control: who watches work of the core, how it is stopped, and what reaches the caller."""

from __future__ import annotations

import _thread
import subprocess
import sys
import threading

import pytest

from treebound import Budget
from treebound._run import complete, execute, new_run

pytestmark = pytest.mark.core


def wait_for_stop(run):
    """Work that ends only when it is asked to."""
    while not run.should_stop:
        threading.Event().wait(0.001)
    return "stopped"


def test_the_result_of_the_work_is_returned():
    run = new_run(None, 1)
    assert execute("work", run, lambda: 7) == 7
    assert not run.stop_requested


def test_short_work_is_done_in_the_calling_thread():
    here = threading.get_ident()
    assert execute("work", new_run(None, 1), threading.get_ident, is_long=False) == here
    assert execute("work", new_run(None, 1), threading.get_ident) != here


def test_work_is_done_in_the_calling_thread_if_there_is_no_other(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    assert execute("work", new_run(None, 1), threading.get_ident) == threading.get_ident()


def test_an_exception_of_the_work_reaches_the_caller():
    def fail():
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        execute("work", new_run(None, 1), fail)


@pytest.mark.parametrize("is_long", [True, False])
def test_want_of_memory_is_said_in_one_sentence(is_long):
    def fail():
        raise MemoryError

    sentence = r"^There is not enough memory for scoring with 3 threads; fewer need less\.$"
    with pytest.raises(MemoryError, match=sentence):
        execute("scoring", new_run(None, 3), fail, is_long=is_long)


def test_an_interrupt_asks_for_a_stop_and_waits():
    def on_tick():
        raise KeyboardInterrupt

    run = new_run(None, 1)
    assert execute("work", run, lambda: wait_for_stop(run), on_tick) == "stopped"
    assert run.stop_requested


def test_work_that_must_be_whole_raises_the_interrupt():
    def work():
        run.request_stop()
        return "half"

    run = new_run(None, 1)
    with pytest.raises(KeyboardInterrupt):
        complete("work", run, work)


def test_an_exception_of_the_watcher_stops_the_work_and_is_raised():
    def on_tick():
        raise LookupError("no bar")

    run = new_run(None, 1)
    with pytest.raises(LookupError, match="no bar"):
        execute("work", run, lambda: wait_for_stop(run), on_tick)
    assert run.should_stop


def test_a_run_without_time_should_stop_at_once():
    assert new_run(Budget(seconds=0), 1).should_stop
    assert not new_run(Budget(steps=1), 1).should_stop
    assert not new_run(None, 1).should_stop


def test_limits_of_a_run():
    run = new_run(Budget(steps=9), 4)
    assert (run.max_steps, run.num_threads) == (9, 4)
    assert new_run(None, 1).max_steps == 2**64 - 1


DAEMON_SEARCH = """
import threading
import treebound as tb
table = tb.random_network(40, seed=1).sample(200, seed=1)
begun = threading.Event()
learn = lambda: tb.learn(table, 3, budget=60, progress=lambda _: begun.set())
threading.Thread(target=learn, daemon=True).start()
begun.wait()
"""

DAEMON_QUERIES = """
import threading
import treebound as tb
network = tb.random_network(100, max_treewidth=8, seed=1)
begun = threading.Event()
def ask():
    while True:
        network.marginals()
        begun.set()
threading.Thread(target=ask, daemon=True).start()
begun.wait()
"""


@pytest.mark.parametrize("script", [DAEMON_SEARCH, DAEMON_QUERIES], ids=["search", "queries"])
def test_a_daemon_thread_in_the_core_ends_with_the_interpreter(script):
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=300
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")

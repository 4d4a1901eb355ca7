"""Forked children: a tree that another thread was using answers there too, and correctly."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.core

# A process of its own, since forking one with the threads of a test runner is not safe.
_SCRIPT = """
import os, signal, sys, threading
import treebound as tb

network = tb.random_network(30, max_treewidth=3, seed=1)
name, label = "X3", network.schema["X7"].states[0]
expected = network.posterior(name, {"X7": label}).array
tree, is_over = network.junction_tree, threading.Event()
in_use = sys.argv[1] == "in use"

def query():
    with tree._given(tree._findings({"X1": network.schema["X1"].states[0]})):
        entered.set()
        is_over.wait()

entered = threading.Event()
thread = threading.Thread(target=query)
if in_use:
    thread.start()
    entered.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    found = network.posterior(name, {"X7": label}).array
    again = tree.posterior(name).array.sum()
    os._exit(0 if abs(found - expected).max() < 1e-12 and abs(again - 1) < 1e-12 else 1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
is_over.set()
if in_use:
    thread.join()
assert abs(network.posterior(name, {"X7": label}).array - expected).max() < 1e-12
sys.exit(code)
"""


@pytest.mark.parametrize("state", ["in use", "not in use"])
def test_a_child_answers_although_another_thread_was_asking_when_it_was_forked(state):
    words = [sys.executable, "-W", "ignore", "-c", _SCRIPT, state]  # newer Pythons warn of forks with threads
    ended = subprocess.run(words, capture_output=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")

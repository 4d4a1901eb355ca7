"""What all tests share: how Hypothesis runs, and the command line run in this process.

Hypothesis has no deadlines, since machines are shared and speed is the business of benchmarks/. The tests run
the same examples every time, so that a change alone decides whether they pass. For new examples:
``pytest -m hypothesis --hypothesis-profile=fresh``, or the environment variable ``HYPOTHESIS_PROFILE``.
"""

import gc
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

import rain
from treebound.cli import main

settings.register_profile(
    "fresh", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("same", settings.get_profile("fresh"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A runner that was started in the background ignores Ctrl-C, and the tests of it would wait in vain.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config):
    """Let everything go that the tests have made.

    Hypothesis leaves a function in ``gc.callbacks`` for good, and libraries keep functions of tests in their
    caches. The loader of their modules is pytest's, which knows the session and so the values of all test
    modules: they would outlive the interpreter, and nanobind would report them as leaked.
    """
    gc.callbacks.clear()
    session = config.pluginmanager.get_plugin("session")
    for item in session.items if session else ():
        vars(item).clear()  # the values of its parameters
    for name, module in list(sys.modules.items()):
        if name.startswith("tests.test_"):
            vars(module).clear()


@pytest.fixture
def rain_files(monkeypatch, tmp_path):
    """A folder to work in, with the files of the network of rain."""
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    monkeypatch.chdir(tmp_path)
    rain.write_files(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command line; its exit code, output and errors."""
    monkeypatch.setenv("COLUMNS", "300")

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        return left.value.code or 0, out, err

    return run

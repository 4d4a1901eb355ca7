"""What all tests share: Hypothesis without deadlines, and the command line run in this process.

Machines are shared, and speed is the business of benchmarks/.
"""

import signal

import pytest
from hypothesis import HealthCheck, settings

from treebound.cli import main

settings.register_profile(
    "treebound", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("treebound")

# A runner that was started in the background ignores Ctrl-C, and the tests of it would wait in vain.
signal.signal(signal.SIGINT, signal.default_int_handler)


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

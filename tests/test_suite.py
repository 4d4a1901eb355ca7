"""Laws of the suite itself."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_a_run_of_the_tests_leaves_nothing_alive():
    """One test keeps networks in its module, another runs Hypothesis: together they used to leak."""
    chosen = [
        "test_network_filling.py::test_a_column_without_a_known_cell_holds_what_its_states_stand_for",
        "test_data_discretise.py::test_extreme_ranges_do_not_overflow",
    ]
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        *(str(HERE / one) for one in chosen),
    ]
    ended = subprocess.run(words, cwd=HERE.parent, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    assert "leaked" not in ended.stderr

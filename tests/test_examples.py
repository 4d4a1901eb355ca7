"""Every script in examples/ runs without a warning and prints something, and so does the notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
GALLERY = (EXAMPLES.parent / "docs" / "_extensions" / "gallery_pages.py").read_text()
ORDER = re.findall(r'"(\w+)",', GALLERY.split("ORDER = [")[1].split("]")[0])
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))
SECONDS = 300  # of a machine that is busy otherwise


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_script_runs(script, tmp_path):
    if "sklearn" in (EXAMPLES / script).read_text():
        pytest.importorskip("sklearn")
    command = [sys.executable, "-W", "error", str(EXAMPLES / script)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=SECONDS, env=_environment()
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not list(tmp_path.iterdir())


def test_the_notebook_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    stored = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert (
        sum("image/png" in output.get("data", {}) for output in stored) >= 3
    )  # readers see it without a kernel
    resources = {"metadata": {"path": str(tmp_path)}}
    client.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    shown = [kind for output in outputs for kind in output.get("data", {})]
    assert shown.count("image/png") >= 3  # plots show themselves
    assert shown.count("text/html") >= 5


def test_every_script_has_a_title_and_a_place_in_the_gallery():
    assert sorted(f"{name}.py" for name in ORDER) == SCRIPTS
    for script in SCRIPTS:
        assert re.match(r'"""\n(.+)\n=+\n\n.+', (EXAMPLES / script).read_text()), script


def _environment() -> dict[str, str]:
    """Without what colours or widens output, and with text as it is written here."""
    return {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "MPLBACKEND": "agg"}

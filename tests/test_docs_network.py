"""The examples of the pages on networks, answers, structures, resampling and estimators run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize(
    "page",
    [
        "network.md",
        "sklearn.md",
        "inference.md",
        "structure.md",
        "resampling.md",
        "density.md",
        "constraints.md",
        "missing.md",
    ],
)
def test_examples_of_the_page_run(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page == "sklearn.md":
        pytest.importorskip("sklearn")
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(), re.DOTALL):
        exec(block, names)
    printed = capsys.readouterr().out
    assert printed or page == "structure.md"
    for shown in re.findall(r"# first (.+)$", (PAGES / page).read_text(), re.MULTILINE):
        assert shown in printed

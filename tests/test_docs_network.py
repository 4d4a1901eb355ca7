"""The examples of the pages on networks, answers, structures, resampling and estimators run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize(
    "page",
    [
        "guide/query.md",
        "guide/sklearn.md",
        "inference.md",
        "guide/structures.md",
        "guide/treewidth.md",
        "guide/density.md",
        "guide/constraints.md",
        "guide/missing.md",
    ],
)
def test_examples_of_the_page_run(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page == "guide/sklearn.md":
        pytest.importorskip("sklearn")
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(), re.DOTALL):
        exec(block, names)
    printed = capsys.readouterr().out
    assert printed or page == "guide/structures.md"
    for shown in re.findall(r"# first (.+)$", (PAGES / page).read_text(), re.MULTILINE):
        assert shown in printed

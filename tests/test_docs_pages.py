"""The code on every page runs and prints what the page shows; blocks that are not run give a reason."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from pages import ROOT, PageError, blocks, check_page, pages, rewrite

PAGES = {str(path.relative_to(ROOT)): path for path in pages()}
MOST_NOT_RUN = 12


@pytest.mark.parametrize("name", PAGES)
def test_the_page_shows_what_its_code_prints(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    text = PAGES[name].read_text("utf-8")
    for library in ("sklearn", "pandas", "matplotlib", "polars", "networkx", "dask"):
        if library in text:
            pytest.importorskip(library)
    check_page(PAGES[name], tmp_path)


def test_few_blocks_are_not_run():
    not_run = [block.place for path in PAGES.values() for block in blocks(path) if block.reason_not_run]
    assert len(not_run) <= MOST_NOT_RUN, not_run


def page_of(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(textwrap.dedent(text))
    return page


RIGHT = {
    "output": "```python\nx = 2\nprint(x)\n```\n\n```text\n2\n```\n",
    "names are shared": "```python\nx = 2\n```\n\nThen:\n\n```python\nprint(x + 1)\n```\n\n```text\n3\n```\n",
    "dots": "```python\nprint('took 3.1 s')\n```\n\n```text\ntook ... s\n```\n",
    "console": "```console\n$ echo one\none\n$ echo two \\\n    three\ntwo three\n```\n",
    "setup": "<!-- setup\nx = 3\n-->\n\n```python\nprint(x)\n```\n\n```text\n3\n```\n",
    "not run": "<!-- not run: needs a cluster -->\n```python\n1 / 0\n```\n",
    "a failing command": "<!-- exits with 3 -->\n```console\n$ exit 3\n```\n",
    "install": "```sh\npip install '.[io,plot]'  # with extras\nmake test\n```\n",
    "shown only": "```toml\n[a]\n```\n",
}
WRONG = {
    "other output": "```python\nprint(2)\n```\n\n```text\n3\n```\n",
    "no output shown": "```python\nprint(2)\n```\n",
    "output shown that is not printed": "```python\nx = 2\n```\n\n```text\n2\n```\n",
    "console": "```console\n$ echo one\ntwo\n```\n",
    "no prompt": "```console\necho one\n```\n",
    "exit code": "```sh\nexit 1\n```\n",
    "no language": "```\nprint(2)\n```\n",
    "no reason": "<!-- not run: -->\n```python\nprint(2)\n```\n",
    "no such extra": "```sh\npip install '.[fast]'\n```\n",
    "not a checkout": "```sh\npip install treebound\n```\n",
    "no such target": "```sh\nmake coffee\n```\n",
    "no such script": "```sh\npython tests/coffee.py\n```\n",
    "no such benchmark": "```sh\npython benchmarks/run.py coffee\n```\n",
    "warnings": "```python\nimport warnings\nwarnings.warn('old', DeprecationWarning)\n```\n",
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_page_is_accepted(name, tmp_path):
    check_page(page_of(tmp_path, RIGHT[name]), tmp_path)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_page_is_rejected(name, tmp_path):
    with pytest.raises((PageError, Warning)):
        check_page(page_of(tmp_path, WRONG[name]), tmp_path)


@pytest.mark.parametrize("name", ["other output", "no output shown", "console"])
def test_outputs_are_put_into_the_page(name, tmp_path):
    page = page_of(tmp_path, WRONG[name])
    assert rewrite(page, tmp_path) == 1
    check_page(page, tmp_path)
    assert rewrite(page, tmp_path) == 0

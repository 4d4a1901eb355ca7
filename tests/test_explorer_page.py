"""The scripts of the page as text: imports resolve, data never becomes code, nothing comes from outside."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "src" / "treebound" / "explorer" / "page"
SCRIPTS = sorted(PAGE.glob("*.js"))
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|let) (\w+)", re.MULTILINE)
DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|DOMParser"
)
LARGEST = 200_000  # bytes of the whole page


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_imports_name_what_the_other_file_exports_and_are_used(script):
    text = script.read_text()
    assert text.count("\nimport ") + text.startswith("import ") == len(IMPORT.findall(text))
    for names, file in IMPORT.findall(text):
        exported = set(EXPORT.findall((PAGE / file).read_text()))
        wanted = {name.strip() for name in names.split(",")}
        assert wanted <= exported, f"{file} does not export {wanted - exported}"
        rest = IMPORT.sub("", text)
        unused = {name for name in wanted if not re.search(rf"\b{name}\b", rest)}
        assert not unused, f"{script.name} imports {unused} and does not use it"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_exports_are_used_somewhere(script):
    others = "".join(
        names for path in SCRIPTS for names, file in IMPORT.findall(path.read_text()) if file == script.name
    )
    unused = [name for name in EXPORT.findall(script.read_text()) if not re.search(rf"\b{name}\b", others)]
    assert unused == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_turns_text_into_markup_or_code(script):
    assert DANGEROUS.findall(script.read_text()) == []


def test_nothing_comes_from_outside():
    for path in PAGE.iterdir():
        addresses = set(re.findall(r"https?://[^\s\"')`]+", path.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name


def test_the_page_has_no_inline_scripts_styles_or_handlers():
    text = (PAGE / "index.html").read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", text) == []


def test_the_page_is_small():
    assert sum(path.stat().st_size for path in PAGE.iterdir()) < LARGEST


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_parse(script):
    done = subprocess.run(
        ["node", "--check", "--input-type=module"],
        input=script.read_text(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

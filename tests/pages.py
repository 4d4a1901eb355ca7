"""Runs the code of a documentation page and compares what it prints with what the page shows.

    python tests/pages.py docs/guide/query.md            report each block that prints something else
    python tests/pages.py --write docs/guide/query.md    put what is printed into the page

docs/development/pages.md has the rules for writers.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import tomllib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300  # of a machine that is busy otherwise
NOT_RUN = re.compile(r"not run: (\S.+)")
EXITS = re.compile(r"exits with (\d+)")
# Code that is run and not shown, a fence with the remark above it, and the text that it prints.
PARTS = re.compile(
    r"^<!-- setup\n(?P<setup>.*?)^-->$"
    r"|(?:^ *<!-- (?P<remark>[^\n]*?) -->\n+)?"
    r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<body>.*?)^ *```$"
    r"(?:\n+(?P=indent)```text\n(?P<shown>.*?)^ *```$)?",
    re.MULTILINE | re.DOTALL,
)
# Other languages are shown and not run; a directive such as {figure} is a matter of Sphinx.
SHOWN = {"text", "toml", "json", "csv", "bibtex", "yaml", "cpp", "r", "html"}


class PageError(AssertionError):
    """A block that does not run, prints something else than is shown, or breaks the rules."""


@dataclass(frozen=True)
class Block:
    """A piece of code on a page, with what the page shows of its output."""

    page: Path
    line: int
    language: str
    code: str
    shown: str | None
    span: tuple[int, int]  # where in the page the shown output is
    remark: str = ""

    @property
    def place(self) -> str:
        return f"{self.page.name}, line {self.line}"

    @property
    def reason_not_run(self) -> str | None:
        found = NOT_RUN.fullmatch(self.remark)
        return found[1] if found else None


def pages() -> list[Path]:
    """The README and all pages of the site that are written by hand."""
    written = (path for path in sorted((ROOT / "docs").rglob("*.md")) if "generated" not in path.parts)
    return [ROOT / "README.md", *(path for path in written if "gallery" not in path.parts)]


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in PARTS.finditer(text):
        if found["setup"] is not None:
            line = text.count("\n", 0, found.start("setup")) + 1
            yield Block(page, line, "setup", found["setup"], None, (0, 0))
            continue
        line = text.count("\n", 0, found.start("body")) + 1
        language = found["language"].strip()
        indented = found["shown"] if language == "python" else None
        shown = None if indented is None else textwrap.dedent(indented)
        yield Block(
            page,
            line,
            language,
            textwrap.dedent(found["body"]),
            shown,
            found.span("shown"),
            found["remark"] or "",
        )


def check_page(page: Path, folder: Path) -> None:
    """Run all blocks of a page in order inside a folder, and raise `PageError` at the first difference."""
    for block, printed in run_page(page, folder):
        wanted = block.code if block.language == "console" else block.shown or ""
        if not is_same(wanted, printed):
            raise PageError(f"{block.place}: the page shows\n{wanted}\nand this is printed:\n{printed}")


def is_same(shown: str, printed: str) -> bool:
    """Whether the lines are equal, where ... stands for anything."""
    return doctest.OutputChecker().check_output(trimmed(shown), trimmed(printed), doctest.ELLIPSIS)


def trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def run_page(page: Path, folder: Path) -> Iterator[tuple[Block, str]]:
    """Each block that is run and compared, with what it printed; a transcript for a console."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        check_rules(block)
        if block.reason_not_run is not None:
            continue
        with contextlib.chdir(folder):
            if block.language in ("python", "setup"):
                printed = run_python(block, names)
                if block.language == "python":
                    yield block, printed
            elif block.language == "console":
                yield block, run_console(block)
            elif block.language == "sh":
                for command in commands_of(block.code):
                    run_command(command, block)


def check_rules(block: Block) -> None:
    known = {"python", "setup", "console", "sh", *SHOWN}
    if block.language not in known and not block.language.startswith("{"):
        raise PageError(f"{block.place}: a block of {block.language!r}; expected one of {sorted(known)}")
    if block.language == "console" and not block.code.startswith("$ "):
        raise PageError(f"{block.place}: a console block begins with '$ ' and a command")


def run_python(block: Block, names: dict[str, object]) -> str:
    code = compile("\n" * (block.line - 1) + block.code, str(block.page), "exec")
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as printed:
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*json keeps everything", UserWarning)
        exec(code, names)
    return printed.getvalue()


def commands_of(code: str) -> list[str]:
    """The commands of a block of sh, without comments; a backslash joins a line with the next."""
    joined = code.replace("\\\n", "")
    return [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def run_console(block: Block) -> str:
    """The block as a terminal would show it now."""
    transcript = ""
    for given in re.findall(r"^\$ (?:.*\\\n)*.*\n", block.code, re.MULTILINE):
        output = run_command(given.removeprefix("$ ").replace("\\\n", ""), block)
        transcript += given + trimmed(output)
    return transcript


def run_command(command: str, block: Block) -> str:
    """What a command prints to both streams; commands of a checkout are only looked up."""
    if is_of_checkout(command):
        return ""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        "NO_COLOR": "1",
        "COLUMNS": "88",
        "MPLBACKEND": "agg",
    }
    done = subprocess.run(
        command,
        shell=True,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        timeout=SECONDS,
    )
    exits = EXITS.fullmatch(block.remark)
    expected = int(exits[1]) if exits else 0
    if done.returncode != expected:
        raise PageError(f"{block.place}: exit code {done.returncode} of: {command}\n{done.stdout}")
    return done.stdout


def is_of_checkout(command: str) -> bool:
    """Whether a command belongs to a checkout; its extras, targets, scripts and benchmarks must be there."""
    words = shlex.split(command, comments=True)
    if words[:2] == ["pip", "install"]:
        check_all(extras_of(words[2:]), set(project()["optional-dependencies"]), command)
    elif words[:1] == ["make"]:
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        check_all({word for word in words[1:] if "=" not in word}, targets, command)
    elif words[:1] == ["python"] and re.match(r"(benchmarks|tests|docs|examples)/", words[1]):
        check_script(words, command)
    else:
        return words[:3] == ["python", "-m", "benchmarks.paper"]
    return True


def check_script(words: list[str], command: str) -> None:
    """A script of the checkout must be there, and so must the benchmarks that run.py is to run."""
    if not (ROOT / words[1]).exists():
        raise PageError(f"there is no {words[1]} of {command!r}")
    if words[1] == "benchmarks/run.py":
        names = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
        check_all({word for word in words[2:] if not word.startswith("-")}, names, command)


def extras_of(words: list[str]) -> set[str]:
    """The extras of `pip install '.[io,plot]'`: treebound is not on PyPI, hence installed from a checkout."""
    (what, *others) = [word for word in words if not word.startswith("-")]
    named = re.fullmatch(r"\.(?:\[([a-z,]+)\])?", what)
    if not named or not set(others) <= {"pandas"}:
        raise PageError(f"pip installs the checkout, '.' or '.[extra]', got {' '.join(words)}")
    return set(named[1].split(",")) if named[1] else set()


def project() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def check_all(named: set[str], there: set[str], command: str) -> None:
    if not named <= there:
        raise PageError(f"{sorted(named - there)} of {command!r} is not one of {sorted(there)}")


def rewrite(page: Path, folder: Path) -> int:
    """Put what is printed into the page, and return in how many places it changed."""
    text = page.read_text("utf-8")
    changed = 0
    for block, printed in reversed(list(run_page(page, folder))):
        if block.language == "console" and not is_same(block.code, printed):
            text = text.replace(block.code, printed, 1)
            changed += 1
        elif block.language == "python" and not is_same(block.shown or "", printed):
            start, end = block.span
            if block.shown is None:
                start = end = text.index("```\n", text.index(block.code) + len(block.code)) + 4
                text = f"{text[:start]}\n```text\n{trimmed(printed)}```\n{text[end:]}"
            else:
                text = text[:start] + trimmed(printed) + text[end:]
            changed += 1
    page.write_text(text, "utf-8")
    return changed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    given = parser.parse_args()
    os.environ.setdefault("MPLBACKEND", "agg")
    failed = False
    for page in given.pages:
        with tempfile.TemporaryDirectory() as folder:
            try:
                if given.write:
                    print(f"{page}: {rewrite(page.resolve(), Path(folder))} outputs changed")
                else:
                    check_page(page.resolve(), Path(folder))
                    print(f"{page}: as shown")
            except PageError as error:
                failed = True
                print(f"{page}: {error}")
    sys.exit(failed)


if __name__ == "__main__":
    main()

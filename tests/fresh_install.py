"""Installs a wheel into a fresh environment without a compiler, and learns and asks a network there.

``python tests/fresh_install.py FOLDER`` takes the wheel of FOLDER that fits the Python it is run with.
Nothing but the new environment is on the path, so that nothing can be compiled and no other copy is found.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROWS = "rain,wet\n" + "yes,yes\n" * 45 + "yes,no\n" * 5 + "no,no\n" * 45 + "no,yes\n" * 5
COMPILERS = ("cc", "gcc", "g++", "c++", "clang", "clang++", "cmake", "ninja")
LEARN = ["learn", "t.csv", "-k", "1", "--steps", "50", "-o", "network.json", "--quiet"]
ASK = ["query", "network.json", "-t", "wet", "-e", "rain=yes", "--json"]

NO_TESTING = "from importlib.util import find_spec; assert not find_spec('treebound._core_testing')"


def main(folder: Path) -> None:
    """Install, learn, ask, and compare the answer with the rows."""
    with tempfile.TemporaryDirectory() as temporary:
        there = Path(temporary)
        venv.create(there / "env", with_pip=True)
        commands = there / "env" / "bin"
        # Where packages come from is the caller's; PYTHONPATH and compilers are not.
        kept = ("PIP_", "SSL_", "HOME")
        settings = {key: value for key, value in os.environ.items() if key.startswith(kept)}
        settings["PATH"] = str(commands)
        found = [name for name in COMPILERS if shutil.which(name, path=settings["PATH"])]
        assert not found, found

        def run(*words: str) -> str:
            done = subprocess.run(
                [str(commands / words[0]), *words[1:]],
                cwd=there,
                env=settings,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
            return done.stdout

        run("pip", "install", "-q", "--no-index", "--no-deps", "--find-links", str(folder), "treebound")
        run("pip", "install", "-q", "--only-binary", ":all:", "--find-links", str(folder), "treebound")
        (there / "t.csv").write_text(ROWS)
        run("treebound", *LEARN)
        probability = json.loads(run("treebound", *ASK))["posteriors"]["wet"]["yes"]
        assert abs(probability - 0.9) < 0.01, probability
        run(
            "python",
            "-c",
            "from importlib.util import find_spec; assert not find_spec('treebound._core_testing')",
        )
        version = ".".join(map(str, sys.version_info[:3]))
        print(f"Python {version}: {run('treebound', '--version').strip()}, P(wet | rain) = {probability:.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

"""The command line in a child: started after its imports, within limits, and signalled at a chosen moment."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# Imports come first, so that signals and limits meet our own code; only then the line "ready" is printed.
_STARTER = """
import importlib, resource, sys
from treebound.cli import main
words = sys.argv[3:]
importlib.import_module("treebound.cli." + words[0])
import treebound._core, numpy, rich.table, rich.console
if words[0] != "convert":
    import pyarrow.parquet
numpy.ones((200, 200)) @ numpy.ones((200, 200))  # BLAS takes its buffers, and gives up by itself without them
memory_mb, file_bytes = map(int, sys.argv[1:3])
if memory_mb:
    pages = int(open("/proc/self/statm").read().split()[0])
    size = pages * resource.getpagesize() + (memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
if file_bytes:
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
print("ready", flush=True)
main(words)
"""


class Outcome(NamedTuple):
    """How a command ended; ``code`` is None if it had to be killed after ``patience`` seconds."""

    code: int | None
    out: str
    err: str
    seconds: float  # after the signal, or after the start if there was none


def command(
    words: list[str],
    *,
    memory_mb: int = 0,
    file_bytes: int = 0,
    signal_number: int = 0,
    delay: float = 0.0,
    patience: float = 60.0,
    hash_seed: int | None = None,
) -> Outcome:
    """Run ``treebound`` with these words; 0 stands for no limit and no signal."""
    environment = dict(os.environ, COLUMNS="200")
    if hash_seed is not None:
        environment["PYTHONHASHSEED"] = str(hash_seed)
    # Not files: a limit on their size would hold for these too.
    child = subprocess.Popen(
        [sys.executable, "-c", _STARTER, str(memory_mb), str(file_bytes), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        preexec_fn=_default_signals,
    )
    assert child.stdout is not None
    child.stdout.readline()
    if signal_number:
        _await_handler(child)
        time.sleep(delay)
        child.send_signal(signal_number)
    began = time.monotonic()
    code: int | None
    try:
        out, err = child.communicate(timeout=patience)
        code = child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        code = None
    words_told = (part.decode(errors="replace") for part in (out, err))
    return Outcome(code, *words_told, time.monotonic() - began)


def _await_handler(child: subprocess.Popen[bytes]) -> None:
    """Wait until the command catches SIGTERM: before that, and once it is done, any program dies of it."""
    bit = 1 << (signal.SIGTERM - 1)
    while child.poll() is None:
        lines = Path(f"/proc/{child.pid}/status").read_text().splitlines()
        caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt")), 0)
        if caught & bit:
            return
        time.sleep(0.001)


def _default_signals() -> None:
    """A runner in the background ignores Ctrl-C, and its children would too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@functools.cache
def world() -> Path:
    """A folder with a table, a structure, a network and a cache that keep every verb busy for a while."""
    import treebound
    from treebound.tables import save_table

    folder = Path(os.environ.get("ATTACK_FOLDER") or tempfile.mkdtemp(prefix="attack-"))
    done = folder / "done"
    if done.exists():
        return folder
    network = treebound.random_network(40, max_treewidth=3, max_states=4, seed=1)
    rows = network.sample(20_000, seed=1)
    save_table(rows, folder / "table.csv")
    _write_gaps(folder / "table.csv", folder / "gaps.csv")
    found = treebound.learn(rows, 3, budget=treebound.Budget(steps=3), where=treebound.Local(threads=1))
    treebound.save_cache(found.cache, folder / "cache.tbc")
    treebound.save_structure(found.structure, folder / "structure.json")
    treebound.save_network(network, folder / "network.json")
    large = treebound.random_network(2000, max_treewidth=3, seed=1)
    treebound.save_network(large, folder / "large.json")
    done.touch()
    return folder


def _write_gaps(source: Path, target: Path) -> None:
    """The table with every seventh cell left out."""
    lines = source.read_text().splitlines()
    gaps = [lines[0]]
    for row, line in enumerate(lines[1:]):
        cells = line.split(",")
        gaps.append(",".join("" if (row + place) % 7 == 0 else cell for place, cell in enumerate(cells)))
    target.write_text("\n".join(gaps) + "\n")

"""Threads query a network and save it while children are forked and files are created next to them."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ._laws import expect

SECONDS = 120.0
MEMORY_MB = None

_CHILD_SECONDS = 30
_NEAR = 1e-12
_RACE_SECONDS = 0.002


class Case(NamedTuple):
    """A random network, how many threads use it, how many children and files are made, and the umask."""

    seed: int
    variables: int
    treewidth: int
    askers: int
    savers: int
    children: int
    files: int
    umask: int


def make(random: Random) -> Case:
    """Draw small networks, whose locks change hands often, and larger ones, which keep them long."""
    return Case(
        random.randrange(2**32),
        random.choice([2, 10, 60]),
        random.choice([1, 3, 6]),
        random.randint(0, 3),
        random.randint(0, 3),
        random.randint(1, 5),
        random.choice([1, 50]),
        random.choice([0o000, 0o022, 0o027, 0o077]),
    )


def check(case: Case) -> None:
    """Fork and create files while the threads are busy."""
    import treebound

    network = treebound.random_network(case.variables, max_treewidth=case.treewidth, seed=case.seed)
    evidence = {network.schema.names[0]: network.schema[0].states[0]}
    expected = network.marginals(evidence).flat
    before = os.umask(case.umask)
    try:
        with tempfile.TemporaryDirectory() as name, _slow_umask(), _busy(case, network, Path(name)):
            for _ in range(case.children):
                _check_child(network, evidence, expected)
            _check_files(case, Path(name))
    finally:
        after = os.umask(before)
    expect(after == case.umask, "the umask stays as it was", oct(after))
    found = network.marginals(evidence).flat
    expect(abs(found - expected).max() <= _NEAR, "the parent answers as before", case)


@contextmanager
def _slow_umask() -> Iterator[None]:
    """Let other threads run after each change of the umask: between two calls in a row they rarely would."""
    change = os.umask

    def change_and_wait(mask: int) -> int:
        before = change(mask)
        time.sleep(_RACE_SECONDS)
        return before

    os.umask = change_and_wait
    try:
        yield
    finally:
        os.umask = change


@contextmanager
def _busy(case: Case, network: Any, folder: Path) -> Iterator[None]:
    """Keep the threads at work."""
    import treebound

    is_over = threading.Event()

    def ask(number: int) -> None:
        random = Random(number)
        while not is_over.is_set():
            v = random.randrange(case.variables)
            network.marginals({network.schema.names[v]: network.schema[v].states[0]})

    def save(number: int) -> None:
        while not is_over.is_set():
            treebound.save_network(network, folder / f"{number}.json")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(case.askers)]
    threads += [threading.Thread(target=save, args=(number,)) for number in range(case.savers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def _check_child(network: Any, evidence: dict[str, str], expected: Any) -> None:
    child = os.fork()
    if child == 0:
        code = 2
        try:
            signal.alarm(_CHILD_SECONDS)
            found = network.marginals(evidence).flat
            code = int(not abs(found - expected).max() <= _NEAR)
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    expect(code != -signal.SIGALRM, "a forked child answers in time", code)
    expect(code == 0, "a forked child answers as its parent does", code)


def _check_files(case: Case, folder: Path) -> None:
    """Files that this thread creates have the umask of the process, whatever others write meanwhile."""
    for number in range(case.files):
        path = folder / f"plain {number}"
        path.touch()
        mode = path.stat().st_mode & 0o777
        expect(mode == 0o666 & ~case.umask, "a file has the umask of the process", oct(mode))
    for path in folder.glob("*.json"):
        mode = path.stat().st_mode & 0o777
        expect(mode == 0o666 & ~case.umask, "a saved file has the umask of the process", oct(mode))


def shrink(case: Case) -> Iterator[Case]:
    """Fewer of everything."""
    for field in ("askers", "savers"):
        if getattr(case, field) > 0:
            yield case._replace(**{field: getattr(case, field) - 1})
    for field in ("children", "files"):
        if getattr(case, field) > 1:
            yield case._replace(**{field: 1})
    if case.variables > 2:
        yield case._replace(variables=2)

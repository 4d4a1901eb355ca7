"""Too little memory and threads that cannot be started: an end in time, with a sentence, not with a crash."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from ._commands import command, world
from ._laws import expect
from ._verbs import VERBS
from .kills import is_sentence

SECONDS = 200.0
MEMORY_MB = None

_TAKES_THREADS = {"score", "learn", "learn cache", "fit"}
_MOST_THREADS = 1024  # more are a usage error


class Case(NamedTuple):
    """A verb, the address space that it may add to what its imports take, and the number of threads."""

    verb: str
    memory_mb: int
    threads: int  # 0: as it likes


def make(random: Random) -> Case:
    """Draw a limit; one million threads come only with little room for them."""
    verb = random.choice(sorted(VERBS))
    memory_mb = random.choice([random.randint(1, 60), random.randint(1, 400), random.randint(100, 1500)])
    threads = random.choice([0, 1, 2, 16, 64, 500, 1_000_000]) if verb in _TAKES_THREADS else 0
    return Case(verb, memory_mb, threads)


def check(case: Case) -> None:
    """Run within the limits."""
    verb = VERBS[case.verb]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"out{verb.ending}"
        words = verb.fill(world(), out)
        if case.threads:
            words += ["--threads", str(case.threads)]  # the last one counts
        ended = command(words, memory_mb=case.memory_mb, patience=60)
        expect(ended.code is not None, f"{case.verb} ends in time", ended.err[-500:])
        is_ours = "cannot allocate memory for thread-local data" not in ended.err  # glibc gives up by itself
        codes = (0, 1, 2) if case.threads > _MOST_THREADS else (0, 1)
        expect(
            not is_ours or ended.code in codes,
            f"{case.verb} does not crash",
            (ended.code, ended.err[-800:]),
        )
        expect("Traceback" not in ended.err, f"{case.verb} gives no traceback", ended.err[-1500:])
        if ended.code == 1:
            expect(is_sentence(ended.err), f"{case.verb} says what is wrong in a sentence", ended.err[-500:])
        if ended.code == 0:
            expect(out.exists() and verb.is_whole(out.read_bytes()), f"{case.verb} writes a whole file")


def shrink(case: Case) -> Iterator[Case]:
    """Fewer threads, rounder memory."""
    for threads in (1, 16):
        if threads < case.threads:
            yield case._replace(threads=threads)
    for memory_mb in (50, 100, 300):
        if memory_mb < case.memory_mb:
            yield case._replace(memory_mb=memory_mb)

"""Signals and full disks at random moments of every verb that writes, then resume: files stay whole."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from ._commands import Outcome, command, world
from ._laws import expect
from ._verbs import VERBS

SECONDS = 240.0
MEMORY_MB = None

_OLD = b"what was there before"
_PROMPT_SECONDS = 10.0
_INTERRUPTED = 130


class Case(NamedTuple):
    """A verb, and what befalls it: a signal after a delay, or files of at most so many bytes."""

    verb: str
    signal: str  # "": none
    delay: float
    file_bytes: int  # 0: no limit
    has_old: bool


def make(random: Random) -> Case:
    """Draw a verb and a blow."""
    verb = random.choice(sorted(VERBS))
    has_old = random.random() < 0.5
    if random.random() < 0.25:
        return Case(verb, "", 0.0, random.choice([1, 1000, 50_000, 1_000_000]), has_old)
    name = random.choice(["SIGKILL", "SIGTERM", "SIGINT"])
    return Case(verb, name, round(random.choice([0.05, 0.5, 3.0]) * random.random(), 4), 0, has_old)


def check(case: Case) -> None:
    """Run, hit, look at the files, resume."""
    verb = VERBS[case.verb]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"out{verb.ending}"
        if case.has_old:
            out.write_bytes(_OLD)
        words = verb.fill(world(), out)
        number = int(getattr(signal, case.signal)) if case.signal else 0
        ended = command(
            words, file_bytes=case.file_bytes, signal_number=number, delay=case.delay, patience=90
        )
        _check_files(case, ended, out)
        if not (case.signal and ended.out):  # a signal after the last word meets Python, not us
            _check_end(case, ended)
        if verb.is_anytime and out.exists() and out.read_bytes() != _OLD:
            again = command([*words, "--resume"], patience=90)
            expect(again.code == 0, f"{case.verb} resumes", again)
            expect(verb.is_whole(out.read_bytes()), f"{case.verb} resumes to a whole file")


def _check_end(case: Case, ended: Outcome) -> None:
    expect(ended.code is not None, f"{case.verb} ends after {case.signal or 'a full disk'}", ended)
    expect("Traceback" not in ended.err, f"{case.verb} gives no traceback after {case.signal}", ended.err)
    if case.signal == "SIGKILL":
        allowed = {0, -9}
    elif case.signal:
        allowed = {0, _INTERRUPTED}
        is_prompt = ended.seconds < _PROMPT_SECONDS
        expect(is_prompt, f"{case.verb} ends promptly after {case.signal}", ended.seconds)
    else:
        allowed = {0, 1}
    expect(
        ended.code in allowed,
        f"exit code of {case.verb} after {case.signal or 'a full disk'}",
        ended,
    )
    if ended.code == 1:
        expect(is_sentence(ended.err), f"{case.verb} says what is wrong in a sentence", ended.err)


def is_sentence(told: str) -> bool:
    """Whether an error is one line that starts with our name and says something."""
    lines = told.strip().splitlines()
    return bool(lines) and lines[-1].startswith("treebound: ") and len(lines[-1]) > 20 and len(lines) <= 3


def _check_files(case: Case, ended: Outcome, out: Path) -> None:
    verb = VERBS[case.verb]
    if case.signal != "SIGKILL":
        beside = [
            path.name for path in out.parent.iterdir() if path != out and not path.name.endswith(".names")
        ]
        expect(
            not beside, f"{case.verb} leaves nothing beside OUT after {case.signal or 'a full disk'}", beside
        )
    data = out.read_bytes() if out.exists() else None
    is_as_before = data == (_OLD if case.has_old else None)
    is_new = data is not None and data != _OLD
    expect(is_as_before or is_new, f"{case.verb} does not take away what was there", data and data[:60])
    expect(
        not is_new or verb.is_whole(data or b""),
        f"{case.verb} writes whole files or none",
        (data or b"")[-60:],
    )
    expect(ended.code != 0 or is_new, f"{case.verb} ends well only with a new file", ended)


def shrink(case: Case) -> Iterator[Case]:
    """Rounder numbers."""
    if case.has_old:
        yield case._replace(has_old=False)
    for delay in (0.0, 0.01, 0.1, 0.5):
        if case.signal and delay < case.delay:
            yield case._replace(delay=delay)

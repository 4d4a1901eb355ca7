"""A child process that checks cases, one after another, and is replaced when it dies or hangs."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import struct
import subprocess
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from ._laws import Finding, law_of
from ._parts import part_of

_SIZE = struct.Struct("<Q")
_PACKAGE = __package__ or ""
_ROOT = Path(__file__).resolve().parents[_PACKAGE.count(".") + 1]


class Worker:
    """Checks cases of one part in a child process."""

    def __init__(self, part: str, folder: Path) -> None:
        self.part, self.folder = part, folder
        self.seconds = part_of(part).SECONDS
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def check(self, case: Any) -> Finding | None:
        """What the case breaks; None if all laws hold."""
        child = self._child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        packed = pickle.dumps(case)
        try:
            child.stdin.write(_SIZE.pack(len(packed)) + packed)
            child.stdin.flush()
            ready, _, _ = select.select([child.stdout], [], [], self.seconds)
            while not ready and is_starved(child.pid, self.seconds):
                ready, _, _ = select.select([child.stdout], [], [], 1.0)
            if not ready:
                self.stop()
                return Finding("ends in time", f"no end within {self.seconds} seconds")
            size = child.stdout.read(_SIZE.size)
            if len(size) == _SIZE.size:
                return pickle.loads(child.stdout.read(*_SIZE.unpack(size)))  # type: ignore[no-any-return]
        except BrokenPipeError:
            pass
        child.wait()
        code = child.returncode
        self.stop()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Finding(f"does not crash ({how})", f"the process that checked ended with {how}")

    def stop(self) -> None:
        """End the child, and what it started."""
        if self._child is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.communicate()
        self._child = None

    def _start(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", f"{_PACKAGE}._worker", self.part]
        # Temporary files of a child that is killed go with the folder of the run.
        places = dict(os.environ, TMPDIR=str(self.folder), ATTACK_FOLDER=str(self.folder))
        child = subprocess.Popen(
            words,
            cwd=_ROOT,
            env=places,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._child = child
        assert child.stdout is not None
        child.stdout.read(1)  # it is there: starting does not count
        return child


def is_starved(group: int, seconds: float) -> bool:
    """Whether a group of processes is ready to run and has not had so many seconds of a busy machine."""
    spent, is_ready = 0.0, False
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                spent += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
                is_ready = is_ready or fields[0] in "RD"
    return is_ready and spent < seconds


def _serve(name: str) -> None:
    """Check cases from standard input; answers go to what was standard output, which prints then miss."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    part = part_of(name)
    if part.MEMORY_MB is not None:
        size = part.MEMORY_MB << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers.write(b".")
    answers.flush()
    while size_read := sys.stdin.buffer.read(_SIZE.size):
        case = pickle.loads(sys.stdin.buffer.read(*_SIZE.unpack(size_read)))
        packed = pickle.dumps(_finding(part, case))
        answers.write(_SIZE.pack(len(packed)) + packed)
        answers.flush()


def _finding(part: Any, case: Any) -> Finding | None:
    try:
        part.check(case)
    except Exception as error:
        seen = "".join(traceback.format_exception(error)[-6:])
        return Finding(law_of(error), seen)
    return None


if __name__ == "__main__":
    _serve(sys.argv[1])

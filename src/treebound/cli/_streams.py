"""Standard output and errors as the shell left them: closed, or of an encoding that has few characters."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


def prepare_streams() -> None:
    """Escape characters that cannot be encoded, and make sure that there are streams to print to.

    Python has None for a stream that is closed, and prints nothing there. A result that is lost is an error;
    notes and progress are not.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open for as long as Python runs)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_ClosedOutput(), encoding="utf-8", write_through=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _ClosedOutput(io.RawIOBase):
    """Rejects what is written to it."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise OSError("standard output is closed. Redirect it to a file or a pipe.")

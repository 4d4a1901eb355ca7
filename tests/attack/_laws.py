"""Laws that are broken: a name for the law, which shrinking keeps, and what was seen."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import NamedTuple


class Finding(NamedTuple):
    """A law that a case broke, and what was seen."""

    law: str
    seen: str


class Broken(AssertionError):
    """A law does not hold."""

    def __init__(self, law: str, seen: str) -> None:
        super().__init__(law, seen)
        self.law, self.seen = law, seen

    def __str__(self) -> str:
        return f"{self.law}: {self.seen}"


def expect(holds: bool, law: str, seen: object = "") -> None:
    """Raise ``Broken`` unless the law holds."""
    if not holds:
        raise Broken(law, str(seen))


def law_of(error: BaseException) -> str:
    """The name of a broken law; an exception that nobody expected is named by its type and its place."""
    if isinstance(error, Broken):
        return error.law
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "treebound" in Path(frame.filename).parts]
    frame = (inside or frames)[-1]
    words = re.sub(r"'[^']*'|\"[^\"]*\"|[\d.,+-]+", "_", str(error))
    return f"unexpected {type(error).__name__} in {Path(frame.filename).stem}.{frame.name}: {words[:80]}"

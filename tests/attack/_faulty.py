"""A part that breaks every law of a part, to test that the attack notices."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from random import Random

from ._laws import expect

SECONDS = 2.0
MEMORY_MB = 2000


def make(random: Random) -> tuple[str, int]:
    """Draw a number that may be too large."""
    return "broken", random.randrange(100)


def check(case: tuple[str, int]) -> None:
    """Do what the case says."""
    match case[0]:
        case "crash":
            os.abort()
        case "hang":
            time.sleep(60)
        case "hunger":
            bytearray(4 << 30)
        case "broken":
            expect(case[1] < 10, "numbers are small", case[1])


def shrink(case: tuple[str, int]) -> Iterator[tuple[str, int]]:
    """Smaller numbers."""
    for number in (case[1] // 2, case[1] - 1):
        if 0 <= number < case[1]:
            yield case[0], number

"""A reader of BIF as short as the format allows: one pattern per kind of block, one row at a time."""

from __future__ import annotations

import re


def read(text: str) -> tuple[dict, dict]:
    """States by variable; and by child its parents with, by their joint states, its probabilities."""
    states = {
        name: labels.replace(",", " ").split()
        for name, labels in re.findall(r"variable (\S+) \{\s*type discrete \[ \d+ \] \{([^}]*)\};", text)
    }
    families = {}
    for head, body in re.findall(r"probability \(([^)]*)\) \{([^}]*)\}", text):
        child, *parents = re.split(r"[\s,|]+", head.strip())
        rows = {}
        for key, numbers in re.findall(r"(?:\(([^)]*)\)|table)\s+([^;]*);", body):
            rows[tuple(key.replace(",", " ").split())] = [float(number) for number in numbers.split(",")]
        families[child] = (parents, rows)
    return states, families

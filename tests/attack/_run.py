"""The loop: parts take turns by their shares of the time; what breaks is shrunk and told at once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from ._laws import Finding
from ._parts import PARTS, part_of
from ._worker import Worker

_TURN_SECONDS = 8.0  # a turn costs the start of a child
_SHRINK_SECONDS = 20.0
_REPLAY_SHRINK_SECONDS = 180.0
_SHOWN = 1000


@dataclass
class Tally:
    """What a part has done so far."""

    cases: int = 0
    failures: int = 0
    seconds: float = 0.0
    laws: dict[str, str] = field(default_factory=dict)  # broken law -> where to replay it


def run(names: list[str], seed: int, seconds: float) -> int:
    """Attack for so long, print the table; 1 if any law was broken."""
    print(f"attack with seed {seed} on {', '.join(names)}", flush=True)
    ends = time.monotonic() + seconds
    tallies = {name: Tally() for name in names}
    with TemporaryDirectory(prefix="attack-") as folder:
        while time.monotonic() < ends:
            name = min(names, key=lambda name: tallies[name].seconds / PARTS[name])
            until = min(ends, time.monotonic() + _TURN_SECONDS)
            _take_turn(Worker(name, Path(folder)), seed, tallies[name], until)
    _print_table(tallies, seed)
    return int(any(tally.failures for tally in tallies.values()))


def replay(where: str) -> int:
    """Check one case again, shrunk if it still breaks a law."""
    seed, name, number = where.split(":")
    case = case_of(int(seed), name, int(number))
    print(f"{case!r}"[:_SHOWN])
    with TemporaryDirectory(prefix="attack-") as folder, Worker(name, Path(folder)) as worker:
        finding = worker.check(case)
        if finding is None:
            print("all laws hold")
            return 0
        _tell(where, finding, shrunk(worker, case, finding, _REPLAY_SHRINK_SECONDS))
    return 1


def case_of(seed: int, name: str, number: int) -> Any:
    """A case by its address: the same in every run."""
    return part_of(name).make(Random(f"{seed}:{name}:{number}"))


def shrunk(worker: Worker, case: Any, finding: Finding, seconds: float = _SHRINK_SECONDS) -> Any:
    """A smallest case that breaks the same law, as far as time allows."""
    part = part_of(worker.part)
    ends = time.monotonic() + seconds
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for smaller in part.shrink(case):
            if time.monotonic() > ends:
                return case
            found = worker.check(smaller)
            if found is not None and found.law == finding.law:
                case, is_smaller = smaller, True
                break
    return case


def _take_turn(worker: Worker, seed: int, tally: Tally, ends: float) -> None:
    name, began = worker.part, time.monotonic()
    with worker:
        while time.monotonic() < ends:
            number = tally.cases
            case = case_of(seed, name, number)
            tally.cases += 1
            finding = worker.check(case)
            if finding is None:
                continue
            tally.failures += 1
            if finding.law not in tally.laws:
                tally.laws[finding.law] = f"{seed}:{name}:{number}"
                _tell(tally.laws[finding.law], finding, shrunk(worker, case, finding))
    tally.seconds += time.monotonic() - began


def _tell(where: str, finding: Finding, case: Any) -> None:
    print(f"\nBROKEN {where}  {finding.law}\n{finding.seen.strip()[-_SHOWN:]}")
    print(f"smallest case found: {case!r}"[:_SHOWN], flush=True)


def _print_table(tallies: dict[str, Tally], seed: int) -> None:
    print(f"\nseed {seed}\n{'attack':<14}{'cases':>10}{'failures':>10}{'seconds':>10}")
    for name, tally in tallies.items():
        print(f"{name:<14}{tally.cases:>10,}{tally.failures:>10,}{tally.seconds:>10.0f}")
    for tally in tallies.values():
        for law, where in tally.laws.items():
            print(f"broken: {law}\n  python -m tests.attack --replay {where}")

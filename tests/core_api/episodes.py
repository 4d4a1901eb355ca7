"""Episodes: made from a seed, run in a process of their own, and shrunk when they fail."""

from __future__ import annotations

import faulthandler
import os
import pickle
import random
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core_api.machines import MACHINES, Machine, Operation

LENGTH = 200  # operations of an episode
CHECK_EVERY = 8  # operations between comparisons of everything


@dataclass(frozen=True)
class Episode:
    """A machine, made anew from its seed, and what is done to it."""

    machine: type[Machine]
    seed: str
    operations: tuple[Operation, ...]

    def run(self) -> None:
        """Raise AssertionError where core and twin differ."""
        machine = self.machine(random.Random(self.seed))
        for i, operation in enumerate(self.operations, 1):
            machine.apply(operation)
            if i % CHECK_EVERY == 0:
                machine.check()
        machine.check()


def make_episode(seed: int, number: int, machines: Sequence[type[Machine]] = MACHINES) -> Episode:
    """The episode of this number: the same for the same seed."""
    name = f"{seed}-{number}"
    source = random.Random(f"operations {name}")
    machine = source.choice(machines)
    operations = tuple(
        (source.choice(machine.OPERATIONS), source.getrandbits(32), source.getrandbits(32))
        for _ in range(LENGTH)
    )
    return Episode(machine, name, operations)


def fault_of(run: Callable[[], None], *, is_quiet: bool = False) -> str | None:
    """Why it fails, in a process of its own; None if it does not."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        faulthandler.disable()
        if is_quiet:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        fault = None
        try:
            run()
        except BaseException:
            fault = traceback.format_exc()
        with os.fdopen(send, "wb") as pipe:
            pickle.dump(fault, pipe)
        os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    fault: str | None = pickle.loads(answer)
    return fault


def shrink(episode: Episode, fails: Callable[[Episode], bool]) -> Episode:
    """Leave operations out while it still fails: halves first, then smaller parts, at last one by one."""
    operations = episode.operations
    size = max(len(operations) // 2, 1)
    while True:
        start, is_shorter = 0, False
        while start < len(operations):
            rest = operations[:start] + operations[start + size :]
            if fails(Episode(episode.machine, episode.seed, rest)):
                operations, is_shorter = rest, True
            else:
                start += size
        if size == 1 and not is_shorter:
            return Episode(episode.machine, episode.seed, operations)
        size = max(size // 2, 1)


def report(episode: Episode) -> str:
    """Shrink a failing episode and say how it fails."""
    small = shrink(episode, lambda tried: fault_of(tried.run, is_quiet=True) is not None)
    lines = [f"episode {episode.seed} of {episode.machine.__name__} fails after these operations:"]
    lines += [f"  {operation}" for operation in small.operations]
    return "\n".join([*lines, fault_of(small.run) or "it failed before, but not again"])


def run_episodes(seed: int, numbers: range, group: int = 200) -> str | None:
    """Run episodes, many in a process; the report of the first that fails."""
    for first in range(numbers.start, numbers.stop, group):
        part = range(first, min(first + group, numbers.stop))

        def run_part(part: range = part) -> None:
            for number in part:
                make_episode(seed, number).run()

        if fault_of(run_part) is None:
            continue
        for number in part:
            episode = make_episode(seed, number)
            if fault_of(episode.run) is not None:
                return report(episode)
        return f"episodes {part.start} to {part.stop - 1} of seed {seed} fail together, but none alone"
    return None


def num_episodes(operations: int) -> int:
    """So many that at least this number of operations is made."""
    return -(-operations // LENGTH)


def main(operations: int, seed: int, number: int | None) -> None:
    """Run, or replay one episode; exit with 1 and a report if it fails."""
    numbers = range(num_episodes(operations)) if number is None else range(number, number + 1)
    failure = run_episodes(seed, numbers)
    if failure is not None:
        sys.exit(failure)
    print(f"{len(numbers) * LENGTH:,} operations in {len(numbers):,} episodes agree with their twins")

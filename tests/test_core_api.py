"""The random tester of the core: a short run of it, and proof that it finds, replays and shrinks faults."""

from __future__ import annotations

import os
import signal

import pytest

from core_api import episodes
from core_api.machines import MACHINES, Arcs, Machine, Network

pytestmark = pytest.mark.core


def test_the_core_agrees_with_its_twins():
    assert episodes.run_episodes(7, range(episodes.num_episodes(4_000))) is None


def test_an_episode_is_the_same_each_time():
    assert episodes.make_episode(3, 5) == episodes.make_episode(3, 5)
    assert episodes.make_episode(3, 5) != episodes.make_episode(3, 6)
    assert {episodes.make_episode(3, i).machine for i in range(40)} == set(MACHINES)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_operation_is_drawn_and_exists(machine):
    episode = episodes.make_episode(1, 1, [machine])
    assert {name for name, _, _ in episode.operations} == set(machine.OPERATIONS)


class Forgetful(Network):
    """The twin forgets all parents when they are kept."""

    OPERATIONS = tuple(name for name in Network.OPERATIONS if name != "improve_whole")

    def keep(self, a, b):
        super().keep(a, b)
        if any(self.twin.parents(family) for family in self.network.chosen):
            self.network.chosen[:] = map(self.twin.empty, range(self.n))


class Mortal(Arcs):
    """The process ends when a variable gets parents."""

    def replace(self, a, b):
        super().replace(a, b)
        if self.parents[a % self.n]:
            os.kill(os.getpid(), signal.SIGABRT)


def first_failing(machine: type[Machine]) -> episodes.Episode:
    tried = (episodes.make_episode(2, number, [machine]) for number in range(20))
    return next(episode for episode in tried if episodes.fault_of(episode.run) is not None)


def test_a_difference_is_found_and_shrunk_to_what_it_takes():
    found = first_failing(Forgetful)
    small = episodes.shrink(found, lambda tried: episodes.fault_of(tried.run) is not None)
    names = [name for name, _, _ in small.operations]
    assert len(names) == 2
    assert names[0] in ("place", "place_best")
    assert names[1] in ("keep", "load")
    assert "AssertionError" in episodes.report(found)


def test_a_process_that_dies_is_a_fault_like_any_other():
    found = first_failing(Mortal)
    said = episodes.report(found)
    assert "ended by SIGABRT" in said
    assert said.count("('replace'") == 1

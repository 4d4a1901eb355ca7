"""Taking up a scoring run where an earlier one was interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.constraints import Constraints
from treebound.data import Dataset
from treebound.scoring._coverage import Coverage
from treebound.scoring._local_scores import Score
from treebound.scoring._origin import check_score, check_table
from treebound.scoring.cache import CacheError, ParentSetCache

# What a run remembers of the sets that it has visited; see ScoringJob.save_visited.
_VISITED = [
    "best",
    "configurations",
    "loss",
    "members",
    "num_visited",
    "parent_term",
    "score",
    "size",
    "status",
]


def check_same_job(
    cache: ParentSetCache,
    data: Dataset,
    score: Score,
    coverage: Coverage,
    constraints: Constraints | None,
) -> None:
    """Reject a cache that was made from other rows, or with another score, coverage or other constraints."""
    if cache.score is None or cache.fingerprint is None:
        raise CacheError(
            "The cache to resume does not say what it was made of, as a .tbc cache of a run does."
        )
    check_table(cache, data)
    check_score(cache, score)
    if cache.coverage != coverage:
        raise CacheError(f"The cache to resume has {cache.coverage}, expected {coverage}.")
    if (cache.constraints or None) != (constraints or None):
        raise CacheError("The cache to resume was scored under other constraints; score the table again.")


def visited_of(cache: ParentSetCache, variables: NDArray[np.uint32]) -> dict[str, NDArray[Any]] | None:
    """What an interrupted cache remembers of some of its variables, in the same arrays."""
    if cache.resume is None:
        return None
    arrays = _checked(cache.resume)
    wanted = np.zeros(cache.num_variables, dtype=np.bool_)
    wanted[variables] = True
    of_set = np.repeat(wanted, arrays["num_visited"])
    of_member = np.repeat(of_set, arrays["size"])
    return {
        name: np.where(wanted, array, 0)
        if name == "num_visited"
        else array[of_member if name == "members" else of_set]
        for name, array in arrays.items()
    }


def joined_visited(
    parts: Sequence[tuple[NDArray[np.uint32], dict[str, NDArray[Any]]]],
) -> dict[str, NDArray[Any]]:
    """What several jobs remember of their variables, as one job of all would."""
    num_visited = np.sum([part["num_visited"] for _, part in parts], axis=0)
    owner = np.full(len(num_visited), -1)
    for number, (variables, _) in enumerate(parts):
        owner[variables] = number
    pieces: dict[str, list[NDArray[Any]]] = {name: [] for name in _VISITED}
    starts = [_starts(part) for _, part in parts]
    for v in np.flatnonzero(num_visited).tolist():
        number = int(owner[v])
        part, (sets, members) = parts[number][1], starts[number]
        for name in _VISITED:
            if name != "num_visited":
                places = members if name == "members" else sets
                pieces[name].append(part[name][places[v] : places[v + 1]])
    empty = {name: array[:0] for name, array in parts[0][1].items()}
    joined = {name: np.concatenate([empty[name], *found]) for name, found in pieces.items()}
    return joined | {"num_visited": num_visited}


def _starts(part: dict[str, NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the sets of each variable begin, and their members."""
    sets = np.concatenate([[0], np.cumsum(part["num_visited"])])
    members = np.concatenate([[0], np.cumsum(part["size"], dtype=np.int64)])
    return sets, members[sets]


def _checked(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    if set(arrays) != set(_VISITED):
        raise CacheError(
            f"The cache to resume was written by another version: expected the arrays {_VISITED}, "
            f"got {sorted(arrays)}. Score the table again."
        )
    return arrays


def restore(job: _core.ScoringJob, cache: ParentSetCache) -> None:
    """Give a new job what an earlier one had done."""
    if cache.resume is not None:
        restore_visited(job, _checked(cache.resume))
        for v in np.flatnonzero(cache.complete).tolist():
            job.restore_state_finished(v)
        return
    for v in np.flatnonzero(cache.complete).tolist():
        first, last = cache.set_offsets[v : v + 2]
        begin = cache.parent_offsets[first]
        ends = cache.parent_offsets[first + 1 : last + 1] - begin
        parents = cache.parents[begin : cache.parent_offsets[last]]
        job.restore_finished(v, np.array(cache.scores[first:last]), ends, np.array(parents))


def restore_visited(job: _core.ScoringJob, visited: dict[str, NDArray[Any]]) -> None:
    """Give a new job the sets that an earlier one had visited."""
    job.restore_visited(**{name: np.ascontiguousarray(array) for name, array in visited.items()})

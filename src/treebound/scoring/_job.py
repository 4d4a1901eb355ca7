"""The core's job of scoring parent sets, for all variables of a table or for some of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound.scoring._local_scores import Score
from treebound.scoring._methods import ParentSetSearch
from treebound.scoring._rules import RuleName, rules_in_core


def new_job(
    rows: _core.Dataset,
    parent_sets: ParentSetSearch,
    score: Score,
    rules: Iterable[RuleName],
    families: _core.FamilyRules,
    variables: NDArray[np.uint32] | None = None,
    pairs: _core.PairTerms | None = None,
) -> _core.ScoringJob:
    """A job for some variables, ascending; None means all. ``pairs`` are those of the same rows and score.

    ``families`` says which sets may be scored.
    """
    num_variables = rows.num_variables
    return _core.ScoringJob(
        rows,
        score._in_core(rows.num_rows),
        parent_sets._in_core(),
        parent_sets.max_parents,
        rules_in_core(rules),
        families,
        parent_sets._max_visited(num_variables),
        parent_sets._max_pairs(),
        np.arange(num_variables, dtype=np.uint32) if variables is None else variables,
        pairs,
    )


def steps_of_turn(parent_sets: ParentSetSearch, turn: int, steps_left: int, num_unfinished: int) -> int:
    """How many steps each variable may take in a turn, counted from 1, of a run with a budget of steps."""
    return _core.ScoringJob.steps_of_turn(parent_sets._in_core(), turn, steps_left, num_unfinished)

"""Networks made for a class: the class is a parent of every feature, and features depend on each other.

With the class in every family, what is left to choose are the arcs among the features, by scores given the
class. A structure of treewidth w among the features becomes one of width w + 1: the class joins every bag.
Naive Bayes has no arcs among features; the tree-augmented network has the best tree (Friedman, Geiger and
Goldszmidt 1997, section 4.1), which is found exactly; and more parents make what Sahami (1996) calls a
k-dependence classifier, here within the bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from treebound._budget import Budget
from treebound.constraints import Constraints, merged
from treebound.sklearn._class_constraints import class_constraints, feature_constraints
from treebound.sklearn._class_scores import ClassScores, ParentIndices
from treebound.solvers import ChowLiu, search
from treebound.structure import Structure

Penalty: TypeAlias = Literal["likelihood", "aic", "bic"]


def cost_of(penalty: Penalty, num_rows: int) -> float:
    """What a free parameter costs, in nats."""
    return {"likelihood": 0.0, "aic": 1.0, "bic": math.log(num_rows) / 2}[penalty]


def augmented(
    scores: ClassScores,
    width: int,
    penalty: Penalty,
    budget: Budget,
    seed: int,
    threads: int,
    constraints: Constraints | None = None,
) -> Structure:
    """A structure whose features have treewidth ``width`` at most, so all of it has one more.

    It obeys ``constraints`` next to those of the class; ContradictionError if that is impossible.
    """
    data, target = scores.data, scores.target
    names = data.schema.names
    found: Sequence[ParentIndices] = [()] * target
    order: Sequence[int] = range(target)
    if width > 0 and target > 1:
        best = _among_features(scores, width, penalty, budget, seed, threads, constraints)
        found, order = best.parent_indices, best.elimination_order
    structure = Structure.from_parents(
        [*((*chosen, target) for chosen in found), ()],
        names=names,
        elimination_order=[*order, target],
        schema=data.schema,
        provenance={"class": names[target], "penalty": penalty, "seed": seed},
    )
    return replace(structure, constraints=merged(constraints, class_constraints(names)))


def _among_features(
    scores: ClassScores,
    width: int,
    penalty: Penalty,
    budget: Budget,
    seed: int,
    threads: int,
    constraints: Constraints | None,
) -> Structure:
    """The arcs among the features: the best tree, or a search that starts from it where a tree may be."""
    cost = cost_of(penalty, scores.data.num_rows)
    left = None if constraints is None else feature_constraints(constraints, scores.data.schema.names)
    best = None
    if width == 1 or left is None or _may_be_tree(left, scores.data.schema.names[: scores.target]):
        cache = scores.cache(1, cost, left)
        best = search(cache, 1, solver=ChowLiu(), budget=Budget(steps=1), threads=threads).structure
    if best is None or width > 1:
        cache = scores.cache(width, cost, left)
        best = search(cache, width, budget=budget, seed=seed, threads=threads, start=best).structure
    return best


def _may_be_tree(constraints: Constraints, features: Sequence[str]) -> bool:
    required = constraints.compile(features).required.values()
    return not constraints.adjacent and all(len(parents) <= 1 for parents in required)

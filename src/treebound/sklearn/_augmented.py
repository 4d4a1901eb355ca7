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
from treebound.constraints import Constraints
from treebound.sklearn._class_scores import ClassScores, ParentIndices
from treebound.solvers import ChowLiu, search
from treebound.structure import Structure

Penalty: TypeAlias = Literal["likelihood", "aic", "bic"]


def cost_of(penalty: Penalty, num_rows: int) -> float:
    """What a free parameter costs, in nats."""
    return {"likelihood": 0.0, "aic": 1.0, "bic": math.log(num_rows) / 2}[penalty]


def augmented(
    scores: ClassScores, width: int, penalty: Penalty, budget: Budget, seed: int, threads: int
) -> Structure:
    """A structure whose features have treewidth ``width`` at most, so all of it has one more."""
    data, target = scores.data, scores.target
    found: Sequence[ParentIndices] = [()] * target
    order: Sequence[int] = range(target)
    if width > 0 and target > 1:
        cost = cost_of(penalty, data.num_rows)
        cache = scores.cache(1, cost)
        best = search(cache, 1, solver=ChowLiu(), budget=Budget(steps=1), threads=threads).structure
        if width > 1:
            cache = scores.cache(width, cost)
            best = search(cache, width, budget=budget, seed=seed, threads=threads, start=best).structure
        found, order = best.parent_indices, best.elimination_order
    names = data.schema.names
    structure = Structure.from_parents(
        [*((*chosen, target) for chosen in found), ()],
        names=names,
        elimination_order=[*order, target],
        schema=data.schema,
        provenance={"class": names[target], "penalty": penalty, "seed": seed},
    )
    return replace(structure, constraints=_constraints(names, target))


def _constraints(names: Sequence[str], target: int) -> Constraints:
    """The class is a parent of every feature and has none itself."""
    features = [(names[target], name) for name in names[:target]]
    return Constraints(required=features, roots=[names[target]])

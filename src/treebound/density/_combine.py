"""Members joined to one model, with the weights that fit the held-out rows best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.density._member import Member, mixed_logs, weights_by_em
from treebound.density._smooth import SmoothMixture
from treebound.density._split import Split
from treebound.network import BayesianNetwork, Mixture, SharedMixture

# A member with less is left out, which makes the model smaller and loses nothing that held-out rows show.
_LEAST_WEIGHT = 0.01
# Table entries of all components together: 64 megabytes.
_MOST_CELLS = 1 << 23
_FEWEST_POINTS, _MOST_POINTS = 128, 4096

Combined = BayesianNetwork | Mixture | SharedMixture


@dataclass(frozen=True, eq=False)
class Combination:
    """One model, the weight of each member in it, and the log-likelihoods of the held-out rows."""

    model: Combined
    members: tuple[Member, ...]
    weights: NDArray[np.float64]
    valid_logs: NDArray[np.float64]


def combine(members: Sequence[Member], split: Split) -> Combination:
    """Weigh the members by EM, make finite mixtures of those that count, and weigh these again."""
    weights = weights_by_em(_logs_of(members))
    kept = np.flatnonzero(weights >= _LEAST_WEIGHT).tolist()
    num_points = _num_points([members[i] for i in kept])
    finished = {i: members[i].finite(num_points, split) for i in kept}
    listed = tuple(finished[i][0] if i in finished else one for i, one in enumerate(members))
    logs = _logs_of([listed[i] for i in kept])
    found = weights_by_em(logs)
    weights = np.zeros(len(members))
    weights[kept] = found
    model = _joined([(weight, finished[i][1]) for weight, i in zip(found.tolist(), kept, strict=True)])
    return Combination(model, listed, weights, mixed_logs(logs, found))


def _logs_of(members: Sequence[Member]) -> NDArray[np.float64]:
    return np.stack([one.valid_logs for one in members], axis=1)


def _num_points(members: Sequence[Member]) -> int:
    """Return the largest power of two of points with which the tables of all smooth mixtures fit."""
    cells = sum(one.source.num_cells for one in members if isinstance(one.source, SmoothMixture))
    points = _MOST_POINTS
    while points > _FEWEST_POINTS and points * cells > _MOST_CELLS:
        points //= 2
    return points


def _joined(parts: Sequence[tuple[float, BayesianNetwork | SharedMixture]]) -> Combined:
    """Return the mixture of all; shared mixtures over the same structure become one."""
    groups: dict[int, list[tuple[float, BayesianNetwork | SharedMixture]]] = {}
    for weight, model in parts:
        key = id(model.structure) if isinstance(model, SharedMixture) else id(model)
        groups.setdefault(key, []).append((weight, model))
    weights = [sum(weight for weight, _ in group) for group in groups.values()]
    models = [_one_of(group) for group in groups.values()]
    return models[0] if len(models) == 1 else Mixture(models, weights)


def _one_of(group: list[tuple[float, BayesianNetwork | SharedMixture]]) -> BayesianNetwork | SharedMixture:
    shared = [(weight, model) for weight, model in group if isinstance(model, SharedMixture)]
    if len(shared) < 2:
        return group[0][1]
    total = sum(weight for weight, _ in shared)
    weights = np.concatenate([weight / total * model.weights for weight, model in shared])
    tables = zip(*(model.tables for _, model in shared), strict=True)
    return SharedMixture(shared[0][1].structure, weights, tuple(map(np.concatenate, tables)))

"""Members joined to one model, with the weights that fit the held-out rows best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treebound.density._member import Member, mixed_logs, weights_by_em
from treebound.density._split import Split
from treebound.network import BayesianNetwork, Mixture, SharedMixture

# A member with less is dropped, which makes the model smaller and loses nothing that held-out rows show.
_LEAST_WEIGHT = 0.02

Combined = BayesianNetwork | Mixture | SharedMixture


@dataclass(frozen=True, eq=False)
class Combination:
    """One model, the weight of each member in it, and the mean log-likelihood of the held-out rows."""

    model: Combined
    members: tuple[Member, ...]
    weights: NDArray[np.float64]
    valid_log_likelihood: float


def combine(members: Sequence[Member], split: Split) -> Combination:
    """Weigh the members by EM, drop those that hardly count, weigh the others again and join them."""
    logs = np.stack([one.valid_logs for one in members], axis=1)
    # Searches may find the same network twice.
    distinct = np.unique(logs, axis=1, return_index=True)[1]
    weights = np.zeros(len(members))
    weights[distinct] = weights_by_em(logs[:, distinct], split.valid_weights)
    kept = np.flatnonzero(weights >= _LEAST_WEIGHT).tolist()
    found = weights_by_em(logs[:, kept], split.valid_weights)
    weights[:] = 0
    weights[kept] = found
    model = _joined([(weight, members[i].model()) for weight, i in zip(found.tolist(), kept, strict=True)])
    return Combination(model, tuple(members), weights, split.valid_mean(mixed_logs(logs[:, kept], found)))


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

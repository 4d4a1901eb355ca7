"""Mixtures of models: weighted components that answer every query together."""

from treebound.network.mixture._mixture import Mixture
from treebound.network.mixture._shared import SharedMixture

__all__ = ["Mixture", "SharedMixture"]

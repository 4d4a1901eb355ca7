"""Mixtures of models: weighted components that are queried together."""

from treebound.network.mixture._mixture import Mixture
from treebound.network.mixture._shared import SharedMixture

__all__ = ["Mixture", "SharedMixture"]

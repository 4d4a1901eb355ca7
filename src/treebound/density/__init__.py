"""Densities: mixtures trained to give held-out rows the highest probability, and exact in every query."""

from treebound.density._learn_density import learn_density
from treebound.density._result import DensityMember, DensityResult

__all__ = ["DensityMember", "DensityResult", "learn_density"]

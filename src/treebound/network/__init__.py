"""Structures with tables: Bayesian networks fitted to rows, random ones, and the questions they answer."""

from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._fit import fit
from treebound.network._random_networks import inverted_tree, random_network
from treebound.network._smoothing import BdeuPrior, MarginalPrior, MaximumLikelihood, PseudoCount

__all__ = [
    "BayesianNetwork",
    "BdeuPrior",
    "MarginalPrior",
    "MaximumLikelihood",
    "PseudoCount",
    "fit",
    "inverted_tree",
    "random_network",
]

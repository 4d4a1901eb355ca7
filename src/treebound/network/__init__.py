"""Structures with tables: Bayesian networks fitted to rows, random ones, and the questions they answer."""

from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._divergence import kl_divergence
from treebound.network._fit import DEFAULT_SMOOTHING, fit
from treebound.network._impute import ImputeStrategy
from treebound.network._random_networks import random_inverted_tree, random_network
from treebound.network._smoothing import (
    SMOOTHING_IN_WORDS,
    BdeuPrior,
    MarginalPrior,
    MaximumLikelihood,
    PseudoCount,
    Smoothing,
)

__all__ = [
    "DEFAULT_SMOOTHING",
    "SMOOTHING_IN_WORDS",
    "BayesianNetwork",
    "BdeuPrior",
    "ImputeStrategy",
    "MarginalPrior",
    "MaximumLikelihood",
    "PseudoCount",
    "Smoothing",
    "fit",
    "kl_divergence",
    "random_inverted_tree",
    "random_network",
]

"""Structures with tables: Bayesian networks fitted to rows, random ones, and the questions they answer."""

from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._divergence import kl_divergence
from treebound.network._fit import (
    DEFAULT_SMOOTHING,
    Families,
    check_sizes,
    families_of,
    fit,
    network_of_counts,
)
from treebound.network._impute import ImputeStrategy
from treebound.network._names import position_of
from treebound.network._random_networks import random_inverted_tree, random_network
from treebound.network._smoothing import (
    SMOOTHING_IN_WORDS,
    BackoffPrior,
    BdeuPrior,
    MarginalPrior,
    MaximumLikelihood,
    PseudoCount,
    Smoothing,
)

__all__ = [
    "DEFAULT_SMOOTHING",
    "SMOOTHING_IN_WORDS",
    "BackoffPrior",
    "BayesianNetwork",
    "BdeuPrior",
    "Families",
    "ImputeStrategy",
    "MarginalPrior",
    "MaximumLikelihood",
    "PseudoCount",
    "Smoothing",
    "check_sizes",
    "families_of",
    "fit",
    "kl_divergence",
    "network_of_counts",
    "position_of",
    "random_inverted_tree",
    "random_network",
]

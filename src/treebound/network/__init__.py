"""Structures with tables: Bayesian networks, random ones, and rows sampled from them."""

from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._random_networks import inverted_tree, random_network

__all__ = ["BayesianNetwork", "inverted_tree", "random_network"]

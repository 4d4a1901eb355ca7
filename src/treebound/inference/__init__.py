"""Exact answers from networks: posteriors, probabilities, explanations and draws, given any findings."""

from treebound.inference._answers import MostProbable, Posterior, Sensitivity
from treebound.inference._errors import ImpossibleEvidence, InferenceError
from treebound.inference._information import kl_divergence
from treebound.inference._junction_tree import JunctionTree

__all__ = [
    "ImpossibleEvidence",
    "InferenceError",
    "JunctionTree",
    "MostProbable",
    "Posterior",
    "Sensitivity",
    "kl_divergence",
]

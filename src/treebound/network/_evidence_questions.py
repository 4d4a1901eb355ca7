"""Questions about single cases: evidence goes in, exact probabilities come out.

Evidence maps names of variables to what is known about them: a state, or likelihoods of its states. The
junction tree is built by the first question and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from treebound.data import Schema
from treebound.inference import (
    Evidence,
    JunctionTree,
    Marginals,
    MostProbable,
    ParameterSensitivity,
    Posterior,
)

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork
    from treebound.network._explanation import Explanation


class EvidenceQuestions:
    """The part of a network that answers about single cases."""

    schema: Schema

    @cached_property
    def junction_tree(self) -> JunctionTree:
        """The junction tree that answers all questions; make one yourself to set its limit of memory."""
        return JunctionTree(cast("BayesianNetwork", self))

    def marginals(self, evidence: Evidence | None = None) -> Marginals:
        """Distribution of every variable given the evidence, by name."""
        return self.junction_tree.marginals(evidence)

    def posterior(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Posterior:
        """Distribution of one variable, or the joint one of several, given the evidence."""
        return self.junction_tree.posterior(variables, evidence)

    def log_probability(self, evidence: Evidence) -> float:
        """Natural logarithm of the probability of the evidence."""
        return self.junction_tree.log_probability(evidence)

    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """The most probable state of all variables together, given the evidence."""
        return self.junction_tree.most_probable(evidence)

    def parameter_sensitivity(
        self, target: str, state: Any, evidence: Evidence | None = None, *, most: int | None = 20
    ) -> list[ParameterSensitivity]:
        """How the posterior of a state depends on the numbers in the tables, the most influential first."""
        return self.junction_tree.parameter_sensitivity(target, state, evidence, most=most)

    def explain(self, target: str, evidence: Evidence | None = None) -> Explanation:
        """What each piece of evidence does to the distribution of a variable."""
        from treebound.network._explanation import explain

        return explain(cast("BayesianNetwork", self), target, evidence)

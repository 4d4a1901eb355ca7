"""Structures with tables: Bayesian networks fitted to rows, random ones, and queries."""

from treebound.network._anomaly import surprises
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._check_observed import OwnCheck, Promises, Recomputed, check_observed
from treebound.network._divergence import kl_divergence
from treebound.network._em import observed_rows, warn_of_empty_rows
from treebound.network._explanation import Explanation
from treebound.network._fit import (
    DEFAULT_SMOOTHING,
    EM_PRIORS,
    EmRun,
    check_sizes,
    family_counts,
    fit,
    network_of_counts,
    observed_score,
    structure_to_fit,
)
from treebound.network._hidden_states import HELD_OUT, choose_states, held_out, with_states
from treebound.network._impute import ImputeStrategy, check_strategy, fills_of
from treebound.network._intervention import note_on_arc, note_on_settled
from treebound.network._model import Model
from treebound.network._names import position_of
from treebound.network._random_networks import random_inverted_tree, random_network
from treebound.network._rows_to_fit import (
    FitMissing,
    check_columns,
    check_not_hidden,
    check_observed_columns,
)
from treebound.network._smoothing import (
    SMOOTHING_IN_WORDS,
    BackoffPrior,
    BdeuPrior,
    MarginalPrior,
    MaximumLikelihood,
    PseudoCount,
    Smoothing,
)
from treebound.network.mixture import Mixture, SharedMixture

__all__ = [
    "DEFAULT_SMOOTHING",
    "EM_PRIORS",
    "HELD_OUT",
    "SMOOTHING_IN_WORDS",
    "BackoffPrior",
    "BayesianNetwork",
    "BdeuPrior",
    "EmRun",
    "Explanation",
    "FitMissing",
    "ImputeStrategy",
    "MarginalPrior",
    "MaximumLikelihood",
    "Mixture",
    "Model",
    "OwnCheck",
    "Promises",
    "PseudoCount",
    "Recomputed",
    "SharedMixture",
    "Smoothing",
    "check_columns",
    "check_not_hidden",
    "check_observed",
    "check_observed_columns",
    "check_sizes",
    "check_strategy",
    "choose_states",
    "family_counts",
    "fills_of",
    "fit",
    "held_out",
    "kl_divergence",
    "network_of_counts",
    "note_on_arc",
    "note_on_settled",
    "observed_rows",
    "observed_score",
    "position_of",
    "random_inverted_tree",
    "random_network",
    "structure_to_fit",
    "surprises",
    "warn_of_empty_rows",
    "with_states",
]

"""The checker for structures learned from rows with missing values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from treebound._arguments import check_type
from treebound.constraints import Constraints
from treebound.data import Dataset
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._em import observed_rows
from treebound.network._fit import fit, observed_score
from treebound.scoring import DEFAULT_SCORE, Bic, Score
from treebound.structure import Fault, FaultKind, Structure, Verdict, check, close

# Runs of EM that were stopped at other moments differ by less than this share of the score.
_EM_TOLERANCE = 1e-5


def check_observed(
    checked: Structure | BayesianNetwork,
    data: Dataset,
    max_treewidth: int | None = None,
    *,
    score: Score = DEFAULT_SCORE,
    constraints: Constraints | None = None,
    threads: int | None = None,
) -> Verdict:
    """Check a structure whose score is that of the observed cells of incomplete rows.

    The log-likelihood is computed row by row, with other code than EM. A structure without CPTs is fitted
    by EM first; its score is not compared if it has hidden variables, since EM may find another optimum.

    Parameters
    ----------
    checked : Structure or BayesianNetwork
        What to check, such as ``learn(table, missing="em").network``.
    data : Dataset
        The rows.
    max_treewidth : int, optional
        Treewidth limit, in addition to that of the structure.
    score : Bic
        The score to compute.
    constraints : Constraints, optional
        What the structure must obey, in addition to its own constraints and limits.
    threads : int, optional
        Number of threads; None uses all cores.

    Returns
    -------
    Verdict
    """
    check_type("score", score, Bic, "Bic(): no other score is defined for observed cells")
    assert isinstance(score, Bic)
    rows = observed_rows(data)
    wanted = Promises(max_treewidth, score, constraints)

    def log_likelihood(network: BayesianNetwork) -> float:
        return math.fsum(network.log_likelihood_rows(rows, threads=threads).tolist())

    if isinstance(checked, BayesianNetwork):
        return wanted.verdict_on(checked, log_likelihood, rows.num_rows)
    verdict = wanted.without_score(checked)
    has_hidden = checked.schema is not None and bool(checked.schema.hidden)
    if not verdict or checked.score is None or has_hidden:
        return verdict
    network = replace(fit(checked, rows, missing="em", threads=threads), structure=checked)
    found = wanted.verdict_on(network, log_likelihood, rows.num_rows, _EM_TOLERANCE * abs(checked.score))
    return replace(found, compared_with=(*found.compared_with, "EM"))


@dataclass(frozen=True)
class Promises:
    """What a network must keep whose score is that of observed cells."""

    max_treewidth: int | None
    score: Bic
    constraints: Constraints | None

    def without_score(self, structure: Structure) -> Verdict:
        """Check the structure alone."""
        bare = replace(structure, score=None)
        return check(bare, max_treewidth=self.max_treewidth, constraints=self.constraints)

    def verdict_on(
        self,
        network: BayesianNetwork,
        log_likelihood: Callable[[BayesianNetwork], float],
        num_rows: int,
        slack: float = 0.0,
    ) -> Verdict:
        """Check the structure and its score, with a log-likelihood that does not come from EM."""
        verdict, claimed = self.without_score(network.structure), network.structure.score
        if not verdict or claimed is None:
            return verdict
        true_score = observed_score(network, log_likelihood(network), num_rows, self.score)
        faults: tuple[Fault, ...] = ()
        if not close(claimed, true_score, slack):
            message = f"the structure reports {claimed}, but the observed cells give {true_score}"
            faults = (Fault(FaultKind.SCORES, message),)
        return replace(verdict, faults=faults, score=claimed, compared_with=("observed cells",))

"""The checker for structures learned from rows with missing values."""

from __future__ import annotations

import math
from dataclasses import replace

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
    max_cells: int | None = None,
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
    max_treewidth, max_cells : int, optional
        Limits, in addition to those of the structure.
    score : Bic
        The score to compute.
    constraints : Constraints, optional
        What the structure must obey, in addition to its own.
    threads : int, optional
        Number of threads; None uses all cores.

    Returns
    -------
    Verdict
    """
    check_type("score", score, Bic, "Bic(): no other score is defined for observed cells")
    assert isinstance(score, Bic)
    structure = checked.structure if isinstance(checked, BayesianNetwork) else checked
    bare = replace(structure, score=None)
    verdict = check(bare, max_treewidth=max_treewidth, max_cells=max_cells, constraints=constraints)
    claimed = structure.score
    has_hidden = structure.schema is not None and bool(structure.schema.hidden)
    if not verdict or claimed is None or (has_hidden and not isinstance(checked, BayesianNetwork)):
        return verdict
    rows = observed_rows(data)
    network, slack = checked, 0.0
    if not isinstance(network, BayesianNetwork):
        network, slack = fit(structure, rows, missing="em", threads=threads), _EM_TOLERANCE * abs(claimed)
    logs = network.log_likelihood_rows(rows, threads=threads)
    true_score = observed_score(network, math.fsum(logs.tolist()), rows.num_rows, score)
    faults: tuple[Fault, ...] = ()
    if not close(claimed, true_score, slack):
        message = f"the structure reports {claimed}, but the observed cells give {true_score}"
        faults = (Fault(FaultKind.SCORES, message),)
    return replace(verdict, faults=faults, score=claimed, compared_with=("observed cells",))

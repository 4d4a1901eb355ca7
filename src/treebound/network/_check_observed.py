"""The checker for structures learned from rows with missing values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_type
from treebound.constraints import Constraints
from treebound.data import Dataset
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._em import observed_rows
from treebound.network._fit import DEFAULT_SMOOTHING, EM_PRIORS, fit, observed_score
from treebound.network._own_em import OwnEm
from treebound.network._smoothing import Smoothing
from treebound.scoring import DEFAULT_SCORE, Bic, Score
from treebound.structure import Fault, FaultKind, Structure, Verdict, check, close
from treebound.tables import load

# Runs of EM that were stopped at other moments differ by less than this share of the score.
_EM_TOLERANCE = 1e-5
# Two computations of the log-probability of a row differ by less, absolutely or relatively.
_ROW_TOLERANCE = 1e-8
#: Rows times joint states of all bags: what the checker computes by itself in about half a minute.
MOST_CELLS = 3e8


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

    The checker has an EM of its own, in plain numpy, which shares no code with learning. It computes the
    log-likelihood of the observed cells again; if the CPTs are said to be those of EM, a step of its own must
    gain next to nothing. A structure without CPTs gets them from :func:`fit`; its score is not compared if it
    has hidden variables, since EM may find another optimum. Of large tables the checker's own code sees a
    sample of the rows, and the verdict says so.

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
    if isinstance(checked, BayesianNetwork):
        network, slack = checked, 0.0
    else:
        verdict = wanted.without_score(checked)
        has_hidden = checked.schema is not None and bool(checked.schema.hidden)
        if not verdict or checked.score is None or has_hidden:
            return verdict
        prior = _prior_of(checked.provenance) or DEFAULT_SMOOTHING
        network = fit(checked, rows, missing="em", smoothing=prior, threads=threads)
        network = replace(network, structure=checked)
        slack = _EM_TOLERANCE * abs(checked.score)
    own = OwnCheck(load(rows, schema=network.schema, missing="keep"), MOST_CELLS, threads)
    return wanted.verdict_on(network, own, rows.num_rows, slack)


class Recomputed(NamedTuple):
    """The log-likelihood of all rows, what it was compared with, and what is wrong apart from it."""

    log_likelihood: float
    compared_with: tuple[str, ...]
    rows_compared: int | None = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, eq=False)
class OwnCheck:
    """What the checker computes by itself, for at most so many cells: rows times joint states of all bags."""

    data: Dataset
    most_cells: float
    threads: int | None = None

    def __call__(self, network: BayesianNetwork) -> Recomputed:
        """Return the log-likelihood of the observed cells of all rows."""
        own = OwnEm(network.structure, network.schema.cardinalities)
        if own.is_possible and own.cells_per_row * self.data.num_rows <= self.most_cells:
            return self._of_all_rows(network, own)
        logs = network.log_likelihood_rows(self.data, threads=self.threads)
        total, size = math.fsum(logs.tolist()), int(self.most_cells // own.cells_per_row)
        if not own.is_possible or size == 0:
            return Recomputed(total, ("observed cells",))
        chosen = np.linspace(0, self.data.num_rows - 1, size).astype(np.intp)
        found = own.log_likelihoods(own.shaped(network.tables), self.data.codes[:, chosen])
        wrong = np.flatnonzero(~np.isclose(found, logs[chosen], rtol=_ROW_TOLERANCE, atol=_ROW_TOLERANCE))
        faults: tuple[Fault, ...] = ()
        if len(wrong):
            row, true, other = chosen[wrong[0]] + 1, found[wrong[0]], logs[chosen[wrong[0]]]
            message = f"row {row} has log-probability {true}, but its query returns {other}"
            faults = (Fault(FaultKind.SCORES, message),)
        return Recomputed(total, ("observed cells", "sample"), size, faults)

    def _of_all_rows(self, network: BayesianNetwork, own: OwnEm) -> Recomputed:
        tables, codes = own.shaped(network.tables), self.data.codes
        smoothing = _prior_of(network.provenance)
        if smoothing is None or not _is_of_em(network):
            logs = own.log_likelihoods(tables, codes)
            return Recomputed(math.fsum(logs.tolist()), ("observed cells", "inference"))
        prior = [
            np.broadcast_to(smoothing.pseudo_counts(counts), counts.shape)
            for counts in own.complete_counts(codes)
        ]
        moved, logs = own.step(tables, codes, prior)
        before = math.fsum(logs.tolist())
        after = math.fsum(own.log_likelihoods(moved, codes).tolist())
        gain = after + _log_prior(moved, prior) - before - _log_prior(tables, prior)
        faults: tuple[Fault, ...] = ()
        # Rows that are certain have a log-likelihood of zero, and a gain by rounding.
        if not gain <= _EM_TOLERANCE * abs(before) + _ROW_TOLERANCE * self.data.num_rows:
            message = f"EM has not converged: a step from these CPTs gains {gain}"
            faults = (Fault(FaultKind.SCORES, message),)
        return Recomputed(before, ("observed cells", "EM"), faults=faults)


def _is_of_em(network: BayesianNetwork) -> bool:
    """Whether the CPTs are said to be those that EM converges to."""
    return bool(network.provenance.get("em", {}).get("converged"))


def _prior_of(facts: Mapping[str, Any]) -> Smoothing | None:
    """The prior that was used, if it is one of those that learning chooses from."""
    return next((prior for prior in EM_PRIORS if repr(prior) == facts.get("smoothing")), None)


def _log_prior(tables: Sequence[NDArray[np.float64]], prior: Sequence[NDArray[np.float64]]) -> float:
    with np.errstate(divide="ignore"):
        return math.fsum(float((own * np.log(table)).sum()) for table, own in zip(tables, prior, strict=True))


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
        recompute: Callable[[BayesianNetwork], Recomputed],
        num_rows: int,
        slack: float = 0.0,
    ) -> Verdict:
        """Check the structure and its score, with a log-likelihood that does not come from learning."""
        verdict, claimed = self.without_score(network.structure), network.structure.score
        if not verdict or claimed is None:
            return verdict
        found = recompute(network)
        true_score = observed_score(network, found.log_likelihood, num_rows, self.score)
        faults = found.faults
        if not close(claimed, true_score, slack):
            message = f"the structure reports {claimed}, but the observed cells give {true_score}"
            faults = (Fault(FaultKind.SCORES, message), *faults)
        return replace(
            verdict,
            faults=faults,
            score=claimed,
            compared_with=found.compared_with,
            rows_compared=found.rows_compared,
        )

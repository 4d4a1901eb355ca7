"""A state of all variables with its probability in a model, marked as an approximate maximum."""

from __future__ import annotations

import numpy as np

from treebound.data import Dataset
from treebound.inference import Evidence, MostProbable, findings_of
from treebound.network._model import Model
from treebound.network.mixture._weights import logs_of


def approximate(model: Model, assignment: dict[str, str], evidence: Evidence | None) -> MostProbable:
    """Return a state as the approximate most probable one, with its probabilities in the model."""
    schema, findings = model.schema, findings_of(evidence, model.schema)
    codes = [variable.states.index(assignment[variable.name]) for variable in schema]
    likelihoods = np.array([findings.soft[v][codes[v]] for v in findings.soft])
    row = Dataset(schema, np.array(codes)[:, None])
    log_joint = float(model.log_likelihood_rows(row)[0] + logs_of(likelihoods).sum())
    return MostProbable(
        assignment,
        log_joint,
        log_joint - model.log_probability(evidence or {}),
        findings.describe(schema),
        is_exact=False,
    )

"""Interventions by graph surgery (Pearl 2009, section 3.2): what sets a variable cuts it off from its causes.

The arcs into the variable go, and its table becomes a point. The moral graph loses edges and gains none, so
that the elimination order still proves the treewidth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from treebound._arguments import check_type
from treebound.inference import code_of
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._names import position_of


def mutilated(network: BayesianNetwork, settings: Mapping[str, Any]) -> BayesianNetwork:
    """The network in which some variables are set to states, whatever their parents are."""
    check_type("settings", settings, Mapping, "a mapping from names to states, as in {'rain': 'yes'}")
    parents, tables = list(network.parent_indices), list(network.tables)
    before = network.provenance.get("do")
    set_to = dict(before) if isinstance(before, dict) else {}
    for name, state in settings.items():
        v = position_of(name, network.schema)
        variable = network.schema[v]
        code = code_of(state, variable)
        parents[v], tables[v] = (), np.zeros(variable.cardinality)
        tables[v][code] = 1.0
        set_to[name] = variable.states[code]
    structure = replace(
        network.structure, parent_indices=tuple(parents), local_scores=None, score=None, constraints=None
    )
    provenance = {**network.provenance, "do": set_to}
    observed = network if network.observed is None else network.observed
    return BayesianNetwork(structure, tuple(tables), provenance=provenance, observed=observed)

"""Hypothesis generators: small mixtures of all forms, with their joint distribution by enumeration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import treebound as tb
from reference import mixture as reference
from strategies_inference import networks_over, random_table, schemas


@dataclass(frozen=True, eq=False)
class MixtureCase:
    """A mixture and the joint distribution of its variables."""

    model: tb.network.Mixture | tb.network.SharedMixture
    joint: np.ndarray


@st.composite
def shared_over(draw: st.DrawFn, schema: tb.Schema) -> tb.network.SharedMixture:
    """A mixture over the structure of any network, zeros in weights and tables included."""
    structure = draw(networks_over(schema)).structure
    weights = draw(_weights())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cards = schema.cardinalities
    tables = []
    for child, family in enumerate(structure.parent_indices):
        rows = int(np.prod([cards[v] for v in family], dtype=int))
        tables.append([random_table(rng, cards[child], rows) for _ in weights])
    return tb.network.SharedMixture(structure, weights, tables)


@st.composite
def mixtures_over(draw: st.DrawFn, schema: tb.Schema, depth: int = 1) -> tb.network.Mixture:
    """Networks, shared mixtures and mixtures, weighted."""
    kinds = [networks_over(schema), shared_over(schema)]
    if depth:
        kinds.append(mixtures_over(schema, depth - 1))
    weights = draw(_weights())
    return tb.network.Mixture([draw(st.one_of(kinds)) for _ in weights], weights)


@st.composite
def mixture_cases(draw: st.DrawFn) -> MixtureCase:
    """A mixture of either form."""
    schema = draw(schemas(max_variables=4))
    model = draw(st.one_of(shared_over(schema), mixtures_over(schema)))
    return MixtureCase(model, joint_of(model))


@st.composite
def rows_over(draw: st.DrawFn, schema: tb.Schema, max_rows: int = 5) -> np.ndarray:
    """Codes of a few rows, -1 for missing cells."""
    num_rows = draw(st.integers(0, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lowest = draw(st.sampled_from([-1, 0]))
    columns = [rng.integers(lowest, card, num_rows) for card in schema.cardinalities]
    return np.array(columns, dtype=np.int32).reshape(len(schema), num_rows)


def joint_of(model: tb.BayesianNetwork | tb.network.Mixture | tb.network.SharedMixture) -> np.ndarray:
    """The joint distribution of any model by enumeration."""
    cards = model.schema.cardinalities
    if isinstance(model, tb.BayesianNetwork):
        return reference.joint([1.0], [(model.parent_indices, model.tables)], cards)
    if isinstance(model, tb.network.SharedMixture):
        parts = [
            (model.structure.parent_indices, [table[c] for table in model.tables])
            for c in range(model.num_components)
        ]
        return reference.joint(model.weights, parts, cards)
    return reference.weighted_sum(model.weights, [joint_of(one) for one in model.components])


@st.composite
def _weights(draw: st.DrawFn) -> list[float]:
    raw = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0]), min_size=1, max_size=3).filter(any))
    return [weight / sum(raw) for weight in raw]

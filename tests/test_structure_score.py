"""The score of any structure on any table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound
from reference import scoring as reference
from strategies_structure import dags
from treebound import Bdeu, Bic, Dataset, Local, Schema, Structure, Variable

pytestmark = pytest.mark.core


@given(parents=dags(max_variables=4, max_parents=2), data=st.data())
def test_scores_are_those_of_the_families(parents, data):
    n = len(parents)
    cards = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.tuples(*(st.integers(0, c - 1) for c in cards)), min_size=1, max_size=8))
    schema = Schema(
        tuple(Variable(f"v{v}", tuple(map(str, range(c))), "integer") for v, c in enumerate(cards))
    )
    table = Dataset(schema, np.array(rows, dtype=np.uint8).T)
    structure = Structure.from_parents(parents, names=schema.names, max_treewidth=3)
    score = data.draw(st.sampled_from([Bic(), Bdeu(), Bdeu(7.5)]))
    found = treebound.structure.score_structure(structure, table, score=score)
    for v, family in enumerate(parents):
        if isinstance(score, Bic):
            expected = reference.bic(v, family, rows, cards)
        else:
            expected = reference.bdeu(v, family, rows, cards, score.equivalent_sample_size)
        assert found.local_scores[v] == pytest.approx(expected, abs=1e-9)
    assert found.score == pytest.approx(math.fsum(found.local_scores))
    assert (found.parents, found.witness, found.max_treewidth) == (structure.parents, structure.witness, 3)
    assert treebound.check(found, data=table, score=score)


def test_columns_are_found_by_name_and_read_with_the_schema_of_the_structure():
    table = treebound.random_network(5, max_treewidth=2, seed=2).sample(200, seed=1).to_frame()
    result = treebound.learn(table, 2, budget=treebound.Budget(steps=20), where=Local(threads=1))
    shuffled = table[["X4", "X0", "X3", "X1", "X2"]]
    assert treebound.structure.score_structure(result, shuffled).score == pytest.approx(result.score)
    by_name = {name: list(chosen) for name, chosen in result.structure.parents.items()}
    assert treebound.structure.score_structure(by_name, shuffled).score == pytest.approx(result.score)
    network = treebound.fit(result, table)
    assert treebound.structure.score_structure(network, table).score == pytest.approx(result.score)
    part = treebound.structure.score_structure({"X1": ["X3"], "X3": []}, table)
    assert part.names == ("X1", "X3")
    with pytest.raises(treebound.DataError, match="'X9': there is none"):
        treebound.structure.score_structure({"X9": []}, table)
    with pytest.raises(treebound.DataError, match="X1"):
        treebound.structure.score_structure(result, table.drop(columns="X1"))
    with pytest.raises(TypeError, match=r"score must be Bic\(\) or Bdeu\(\)"):
        treebound.structure.score_structure(result, table, score="bic")

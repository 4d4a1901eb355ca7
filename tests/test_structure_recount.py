"""The checker's own count of scores against the slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import scoring as reference
from strategies_scoring import make_dataset, rows_of, small_datasets
from treebound import Bdeu, Bic
from treebound.structure._recount import recount, recount_table


@st.composite
def families(draw):
    """A table, a child and any parents in any order."""
    data = draw(small_datasets(max_variables=6, max_rows=60))
    child, *parents = draw(st.permutations(range(data.num_variables)))
    return data, child, parents[: draw(st.integers(0, len(parents)))]


@settings(max_examples=50)
@given(family=families())
def test_bic_is_recounted(family):
    data, child, parents = family
    expected = reference.bic(child, parents, rows_of(data), data.schema.cardinalities)
    assert recount(data, Bic(), child, parents) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=50)
@given(family=families(), size=st.floats(0.1, 100))
def test_bdeu_is_recounted(family, size):
    data, child, parents = family
    expected = reference.bdeu(child, parents, rows_of(data), data.schema.cardinalities, size)
    assert recount(data, Bdeu(size), child, parents) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(family=families(), size=st.floats(0.1, 100))
def test_a_table_of_counts_gives_the_same(family, size):
    data, child, parents = family
    members, cards = [*parents, child], data.schema.cardinalities
    counts = np.array(reference.count_set(members, rows_of(data), cards), dtype=np.int64)
    table = counts.reshape(-1, cards[child])
    for score in (Bic(), Bdeu(size)):
        assert recount_table(table, score) == pytest.approx(recount(data, score, child, parents), abs=1e-9)


def test_more_joint_states_than_an_integer_holds():
    num_variables, card = 12, 200
    columns = [[(7 * row + v) % card for row in range(40)] for v in range(num_variables)]
    data = make_dataset(columns, [card] * num_variables)
    parents = list(range(1, num_variables))
    for score, twin in ((Bic(), reference.bic), (Bdeu(2.0), lambda *a: reference.bdeu(*a, 2.0))):
        expected = twin(0, parents, rows_of(data), [card] * num_variables)
        assert recount(data, score, 0, parents) == pytest.approx(expected, rel=1e-9, abs=1e-9)

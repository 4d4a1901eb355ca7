"""A network checks what it is made of, and says what is wrong in words that help."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import graphs
from treebound.data import Schema, Variable
from treebound.network import BayesianNetwork, random_network
from treebound.structure import find_cycle
from treebound.structure._graph import orderable

COIN = [0.5, 0.5]


def schema(*cardinalities: int) -> Schema:
    return Schema(tuple(Variable(f"V{v}", tuple(map(str, range(r)))) for v, r in enumerate(cardinalities)))


# V0 has 2 states; V1 has 3 and the parent V0; V2 has 2 and both as parents.
PARENTS = ((), (0,), (1, 0))
TABLES = ([0.25, 0.75], [0.2, 0.3, 0.5, 1.0, 0.0, 0.0], [0.5, 0.5] * 6)


def test_a_valid_network_keeps_what_it_was_given():
    network = BayesianNetwork(schema(2, 3, 2), PARENTS, TABLES, (2, 1, 0))
    assert network.parent_indices == PARENTS
    assert [table.tolist() for table in network.tables] == list(TABLES)
    assert network.arc_indices == ((0, 1), (1, 2), (0, 2))
    assert network.parents == {"V0": (), "V1": ("V0",), "V2": ("V1", "V0")}
    assert network.arcs == (("V0", "V1"), ("V1", "V2"), ("V0", "V2"))
    assert network.num_arcs == 3
    assert network.num_parameters == 1 + 2 * 2 + 6 * 1
    assert network.elimination_order == (2, 1, 0)
    assert repr(network) == "<BayesianNetwork: 3 variables, 3 arcs, 11 parameters>"


def test_a_network_cannot_be_changed():
    own = np.array([0.25, 0.75])
    network = BayesianNetwork(schema(2), [[]], [own])
    own[:] = 0
    assert network.tables[0].tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match="read-only"):
        network.tables[0][0] = 1
    with pytest.raises(AttributeError):
        network.parent_indices = ()


def test_networks_are_equal_if_everything_is():
    network = BayesianNetwork(schema(2, 3, 2), PARENTS, TABLES)
    again = pickle.loads(pickle.dumps(network))
    assert again == network
    assert not again.tables[0].flags.writeable
    assert network != BayesianNetwork(schema(2, 3, 2), PARENTS, TABLES, (2, 1, 0))
    assert network != BayesianNetwork(schema(2, 3, 2), ((), (0,), (0, 1)), TABLES)
    assert network != BayesianNetwork(schema(2, 3, 2), PARENTS, ([0.75, 0.25], *TABLES[1:]))
    assert network != TABLES


@pytest.mark.parametrize(
    ("parents", "tables", "message"),
    [
        (((),), (COIN,), "Expected the parents of 2 variables, got 1."),
        (((), (2,)), (COIN, COIN * 2), "parents of 'V1' (variable 1) must be indices from 0 to 1, got (2,)."),
        (
            ((-1,), ()),
            (COIN * 2, COIN),
            "parents of 'V0' (variable 0) must be indices from 0 to 1, got (-1,).",
        ),
        (
            ((), (1,)),
            (COIN, COIN * 2),
            "'V1' (variable 1) must be different and other than itself, got (1,).",
        ),
        (((), (0, 0)), (COIN, COIN * 4), "must be different and other than itself, got (0, 0)."),
        (((1,), (0,)), (COIN * 2, COIN * 2), "must not form a cycle, got 'V0' -> 'V1' -> 'V0'."),
        (((), ()), (COIN,), "Expected the tables of 2 variables, got 1."),
        (
            ((), (0,)),
            (COIN, COIN),
            "The table of 'V1' (variable 1) must be a flat array of 4 numbers, 2 states times 2 joint states "
            "of its 1 parents, got an array of shape (2,).",
        ),
        (((), (0,)), (COIN, [COIN, COIN]), "got an array of shape (2, 2)."),
        (
            ((), (0,)),
            (COIN, [1, 0, 1.5, -0.5]),
            "'V1' (variable 1) must hold probabilities, got -0.5 at position 3.",
        ),
        (((), ()), (COIN, [np.nan, 1]), "'V1' (variable 1) must hold probabilities, got nan at position 0."),
        (
            ((), (0,)),
            (COIN, [1, 0, 0.5, 0.4]),
            "'V1' (variable 1) must sum to 1 for each joint state of its parents, got 0.9 for joint state 1.",
        ),
        (((), ()), (COIN, [np.inf, 0]), "must sum to 1 for each joint state of its parents, got inf"),
    ],
)
def test_errors_name_what_was_expected_what_came_and_where(parents, tables, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        BayesianNetwork(schema(2, 2), parents, tables)


def test_a_table_too_large_to_exist_is_refused_like_any_other():
    with pytest.raises(ValueError, match=rf"must be a flat array of {2**71} numbers"):
        BayesianNetwork(schema(*[2] * 71), [()] * 70 + [tuple(range(70))], [COIN] * 71)


@pytest.mark.parametrize("order", [(0,), (0, 0), (1, 2), (0, 1, 2)])
def test_an_elimination_order_is_a_permutation(order):
    with pytest.raises(ValueError, match=r"elimination_order must hold each index from 0 to 1 once"):
        BayesianNetwork(schema(2, 2), ((), ()), (COIN, COIN), order)


@pytest.mark.parametrize("parents", [((), (0.5,)), ((), ("V0",))])
def test_parents_are_integers(parents):
    with pytest.raises(TypeError):
        BayesianNetwork(schema(2, 2), parents, (COIN, COIN * 2))


digraphs = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n).map(
        lambda sets: [tuple(sorted(s - {v})) for v, s in enumerate(sets)]
    )
)


@given(digraphs)
def test_cycles_are_refused_and_shown(parents):
    cards = [2 + v % 2 for v in range(len(parents))]
    tables = [
        [1 / cards[v]] * (cards[v] * int(np.prod([cards[p] for p in family])))
        for v, family in enumerate(parents)
    ]
    if graphs.is_acyclic(parents):
        order = orderable(parents)
        assert sorted(order) == list(range(len(parents)))
        assert all(order.index(p) < order.index(v) for v, family in enumerate(parents) for p in family)
        assert BayesianNetwork(schema(*cards), parents, tables).parent_indices == tuple(parents)
    else:
        cycle = find_cycle(parents)
        assert cycle[0] == cycle[-1]
        assert len(set(cycle)) == len(cycle) - 1 >= 2
        assert all(u in parents[v] for u, v in pairwise(cycle))
        with pytest.raises(ValueError, match="cycle"):
            BayesianNetwork(schema(*cards), parents, tables)


@pytest.mark.core
@given(st.data())
def test_any_damage_to_a_table_is_noticed(data):
    network = random_network(5, seed=data.draw(st.integers(0, 50)))
    v = data.draw(st.integers(0, 4))
    tables = [table.copy() for table in network.tables]
    damage = data.draw(st.sampled_from(["shift", "negative", "nan", "longer", "shorter"]))
    i = data.draw(st.integers(0, tables[v].size - 1))
    if damage == "shift":
        tables[v][i] += data.draw(st.floats(0.0101, 1))  # less is rounding
    elif damage == "negative":
        tables[v][i] = -1e-9
    elif damage == "nan":
        tables[v][i] = np.nan
    elif damage == "longer":
        tables[v] = np.append(tables[v], 0.0)
    else:
        tables[v] = np.delete(tables[v], i)
    with pytest.raises(ValueError, match=f"'X{v}' \\(variable {v}\\)"):
        BayesianNetwork(network.schema, network.parent_indices, tables)

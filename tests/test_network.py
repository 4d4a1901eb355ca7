"""A network checks what it is made of, and says what is wrong in words that help."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import graphs
from treebound._ordering import orderable
from treebound.data import Schema, Variable
from treebound.network import BayesianNetwork, random_network
from treebound.structure import Structure, TreeDecomposition, find_cycle

COIN = [0.5, 0.5]


def schema(*cardinalities: int) -> Schema:
    return Schema(tuple(Variable(f"V{v}", tuple(map(str, range(r)))) for v, r in enumerate(cardinalities)))


# V0 has 2 states; V1 has 3 and the parent V0; V2 has 2 and both as parents.
PARENTS = ((), (0,), (0, 1))
TABLES = ([0.25, 0.75], [0.2, 0.3, 0.5, 1.0, 0.0, 0.0], [0.5, 0.5] * 6)


def test_a_valid_network_keeps_what_it_was_given():
    network = BayesianNetwork.from_indices(schema(2, 3, 2), PARENTS, TABLES, (2, 1, 0))
    assert network.parent_indices == PARENTS
    assert [table.tolist() for table in network.tables] == list(TABLES)
    assert network.arc_indices == ((0, 1), (0, 2), (1, 2))
    assert network.parents == {"V0": (), "V1": ("V0",), "V2": ("V0", "V1")}
    assert network.arcs == (("V0", "V1"), ("V0", "V2"), ("V1", "V2"))
    assert network.num_arcs == 3
    assert network.num_parameters == 1 + 2 * 2 + 6 * 1
    assert network.structure.treewidth == 2
    assert sorted(network.elimination_order) == [0, 1, 2]
    assert repr(network) == "<BayesianNetwork: 3 variables, 3 arcs, 11 parameters>"


def test_tables_follow_their_parents_into_ascending_order():
    by_state = np.arange(1, 25, dtype=float).reshape(3, 2, 2, 2)  # V1, V0, V3, V2
    by_state /= by_state.sum(axis=-1, keepdims=True)
    coin, die = [0.5, 0.5], [0.2, 0.3, 0.5]
    network = BayesianNetwork.from_indices(
        schema(2, 3, 2, 2), ((), (), (1, 0, 3), ()), [coin, die, by_state.ravel(), coin]
    )
    assert network.parent_indices == ((), (), (0, 1, 3), ())
    np.testing.assert_array_equal(network.tables[2].reshape(2, 3, 2, 2), by_state.transpose(1, 0, 2, 3))


def test_a_network_cannot_be_changed():
    own = np.array([0.25, 0.75])
    network = BayesianNetwork.from_indices(schema(2), [[]], [own])
    own[:] = 0
    assert network.tables[0].tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match="read-only"):
        network.tables[0][0] = 1
    with pytest.raises(AttributeError):
        network.parent_indices = ()


def test_networks_are_equal_if_everything_is():
    network = BayesianNetwork.from_indices(schema(2, 3, 2), PARENTS, TABLES)
    again = pickle.loads(pickle.dumps(network))
    assert again == network
    assert not again.tables[0].flags.writeable
    assert network == BayesianNetwork.from_indices(schema(2, 3, 2), PARENTS, TABLES, (2, 1, 0))
    assert network != replace(network, num_rows=3)
    assert network != BayesianNetwork.from_indices(schema(2, 3, 2), ((), (0,), (0,)), (*TABLES[:2], COIN * 2))
    assert network != BayesianNetwork.from_indices(schema(2, 3, 2), PARENTS, ([0.75, 0.25], *TABLES[1:]))
    assert network != TABLES


@pytest.mark.parametrize(
    ("parents", "tables", "message"),
    [
        (((),), (COIN,), "2 variables need as many parent sets, got 1."),
        (((), (2,)), (COIN, COIN * 2), "Parents of 'V1' must be in 0..1, got [2]."),
        (
            ((-1,), ()),
            (COIN * 2, COIN),
            "Parents of 'V0' must be in 0..1, got [-1].",
        ),
        (
            ((), (1,)),
            (COIN, COIN * 2),
            "Parents of 'V1' must be others, each once, got ['V1'].",
        ),
        (((), (0, 0)), (COIN, COIN * 4), "must be others, each once, got ['V0', 'V0']."),
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
        BayesianNetwork.from_indices(schema(2, 2), parents, tables)


def test_a_table_too_large_to_exist_is_refused_like_any_other():
    with pytest.raises(ValueError, match=rf"must be a flat array of {2**71} numbers"):
        BayesianNetwork.from_indices(schema(*[2] * 71), [()] * 70 + [tuple(range(70))], [COIN] * 71)


@pytest.mark.parametrize("order", [(0,), (0, 0), (1, 2), (0, 1, 2)])
def test_an_elimination_order_is_a_permutation(order):
    with pytest.raises(ValueError, match=r"An elimination order must hold each of 2 variables once"):
        BayesianNetwork.from_indices(schema(2, 2), ((), ()), (COIN, COIN), order)


@pytest.mark.parametrize("bags", [((0,),), ((0, 1, 2),), ((0, 5), (1,))])
def test_a_proof_must_cover_the_variables_of_the_network(bags):
    edges = ((0, 1),) if len(bags) > 1 else ()
    structure = Structure(("V0", "V1"), ((), ()), TreeDecomposition(bags, edges), schema=schema(2, 2))
    with pytest.raises(ValueError, match="must hold each of 2 variables and no others"):
        BayesianNetwork(structure, (COIN, COIN))


@pytest.mark.parametrize("parents", [((), (0.5,)), ((), ("V0",))])
def test_parents_are_integers(parents):
    with pytest.raises(TypeError):
        BayesianNetwork.from_indices(schema(2, 2), parents, (COIN, COIN * 2))


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
        assert BayesianNetwork.from_indices(schema(*cards), parents, tables).parent_indices == tuple(parents)
    else:
        cycle = find_cycle(parents)
        assert cycle[0] == cycle[-1]
        assert len(set(cycle)) == len(cycle) - 1 >= 2
        assert all(u in parents[v] for u, v in pairwise(cycle))
        with pytest.raises(ValueError, match="cycle"):
            BayesianNetwork.from_indices(schema(*cards), parents, tables)


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
        BayesianNetwork.from_indices(network.schema, network.parent_indices, tables)

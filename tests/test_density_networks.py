"""Single networks of a density: tables that back off, against slow twins, and structures with many arcs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treebound as tb
from reference import density as reference
from treebound.density._backoff import _WEIGHTS, backed_off, smoothed
from treebound.density._saturated import by_entropy, complete, is_small, saturated


@st.composite
def families(draw: st.DrawFn) -> tuple[list[int], np.ndarray]:
    """States of up to three parents and of a variable, and rows of them."""
    states = draw(st.lists(st.integers(2, 3), min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(*(st.integers(0, n - 1) for n in states)), min_size=1, max_size=12))
    return states, np.array(rows)


def information_order(rows: np.ndarray, states: list[int]) -> list[int]:
    """Parents, those first that say least, or nothing if two say the same: then either order is right."""
    gains = []
    for parent in range(len(states) - 1):
        pairs = np.zeros((states[parent], states[-1]))
        np.add.at(pairs, (rows[:, parent], rows[:, -1]), 1)
        totals = np.broadcast_to(pairs.sum(axis=1, keepdims=True), pairs.shape)
        seen = pairs > 0
        gains.append(float((pairs[seen] * np.log(pairs[seen] / totals[seen])).sum()))
    if len({round(gain, 9) for gain in gains}) < len(gains):
        return []
    return sorted(range(len(gains)), key=gains.__getitem__)


@given(drawn=families())
@settings(max_examples=150)
def test_tables_back_off_with_the_weight_that_predicts_left_out_rows_best(
    drawn: tuple[list[int], np.ndarray],
) -> None:
    states, rows = drawn
    order = information_order(rows, states)
    if len(states) > 1 and not order:
        return
    counts = np.zeros(states)
    np.add.at(counts, tuple(rows.T), 1)
    table, left_out = smoothed(counts)
    plain = rows.tolist()
    by_weight = [reference.left_out(plain, states, order, weight) for weight in _WEIGHTS.tolist()]
    assert left_out == pytest.approx(max(by_weight), rel=1e-9)
    assert table.sum(axis=-1) == pytest.approx(1)
    near = [w for w, log in zip(_WEIGHTS.tolist(), by_weight, strict=True) if log > max(by_weight) - 1e-9]
    for cell in np.ndindex(*states):
        wanted = [reference.backed_off(plain, cell, states, order, weight) for weight in near]
        assert min(abs(table[cell] - one) for one in wanted) < 1e-9


def test_networks_take_row_weights_and_columns_of_one_state() -> None:
    rng = np.random.default_rng(1)
    schema = tb.Schema(
        (tb.Variable("a", ("x",)), tb.Variable("b", ("no", "yes")), tb.Variable("c", tuple("uvw")))
    )
    codes = np.stack([np.zeros(60, dtype=int), rng.integers(0, 2, 60), rng.integers(0, 3, 60)])
    once = tb.Dataset(schema, codes)
    halves = tb.Dataset(schema, codes, np.full(60, 0.5))
    structure = complete(schema, by_entropy(once))
    one, two = (backed_off(structure, rows, 1) for rows in (once, halves))
    assert two.left_out == pytest.approx(one.left_out)
    assert [table.tolist() for table in one.network.tables] == [
        table.tolist() for table in two.network.tables
    ]
    assert two.network.num_rows == 30


def test_saturated_structures_stay_within_the_bags_and_have_no_cycle() -> None:
    rows = tb.random_network(12, max_treewidth=3, max_states=3, seed=2).sample(400, seed=2)
    found = tb.learn(rows, 3, budget=tb.Budget(steps=50)).structure
    full = saturated(found, tb.load(rows, schema=found.schema))
    verdict = tb.check(full, max_treewidth=3)
    assert verdict, str(verdict)
    assert full.num_arcs > found.num_arcs
    bags = {frozenset(bag) for bag in full.witness.bags}
    assert all(
        any({child, *family} <= bag for bag in bags) for child, family in enumerate(full.parent_indices)
    )


def test_saturated_tables_keep_the_parents_that_say_most(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    schema = tb.Schema(tuple(tb.Variable(name, ("no", "yes")) for name in "abcd"))
    codes = rng.integers(0, 2, (4, 500))
    codes[3] = np.where(rng.random(500) < 0.9, codes[1], codes[3])
    rows = tb.Dataset(schema, codes)
    order = complete(schema, [0, 1, 2, 3])
    monkeypatch.setattr("treebound.density._saturated._MOST_CELLS", 16)
    full = saturated(order, rows)
    assert all(len(family) <= 1 for family in full.parent_indices)
    assert {1, 3} in [{child, *family} for child, family in enumerate(full.parent_indices)]


def test_few_columns_may_have_all_arcs_if_the_rows_are_many() -> None:
    schema = tb.Schema(tuple(tb.Variable(f"v{v}", ("no", "yes")) for v in range(5)))
    assert is_small(tb.Dataset(schema, np.zeros((5, 32), dtype=int)))
    assert not is_small(tb.Dataset(schema, np.zeros((5, 31), dtype=int)))
    wide = tb.Schema(tuple(tb.Variable(f"v{v}", ("no", "yes")) for v in range(18)))
    assert not is_small(tb.Dataset(wide, np.zeros((18, 300_000), dtype=int)))


def test_a_complete_network_joins_where_columns_depend_on_all_others() -> None:
    """The parity of four columns: no smaller network sees it."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 2, (5, 2000))
    codes[4] = codes[:4].sum(axis=0) % 2
    schema = tb.Schema(tuple(tb.Variable(f"v{v}", ("no", "yes")) for v in range(5)))
    result = tb.learn_density(tb.Dataset(schema, codes), budget=tb.Budget(steps=60))
    assert result.members[0].name.startswith("network with all arcs")
    assert result.valid_log_likelihood > -4 * np.log(2) - 0.05

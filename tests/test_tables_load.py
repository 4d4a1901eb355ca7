"""Loading text against a slow twin, and laws that hold for every table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treebound as tb
from reference import data as reference
from strategies_data import text_columns, typed_tables
from treebound.tables import Choices
from treebound.tables._infer_schema import infer_dataset
from treebound.tables.files.csv import parse_table


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'


def load_text(columns):
    rows = zip(*columns, strict=True)
    lines = [",".join(f"c{i}" for i in range(len(columns))), *(",".join(map(quoted, row)) for row in rows)]
    return infer_dataset(parse_table("\n".join(lines).encode(), ",", source="t"), Choices(max_states=4))


@pytest.mark.core
@given(columns=st.lists(text_columns(), min_size=1, max_size=4))
def test_text_columns_get_the_kinds_states_and_codes_of_the_twin(columns):
    num_rows = min(map(len, columns))
    columns = [column[:num_rows] for column in columns]
    expected = [reference.infer_column(column, max_states=4) for column in columns]
    wrong = {(f"c{i}", kind) for i, kinds in enumerate(expected) if isinstance(kinds, set) for kind in kinds}
    if wrong:
        with pytest.raises(tb.DataError) as caught:
            load_text(columns)
        assert {(problem.column, problem.kind) for problem in caught.value.problems} == wrong
        return
    data = load_text(columns)
    for variable, codes, column, (kind, states) in zip(
        data.schema, data.codes, columns, expected, strict=True
    ):
        assert (variable.kind, list(variable.states)) == (kind, states)
        assert [variable.states[code] for code in codes] == column


@pytest.mark.core
def test_labels_that_only_name_infinity_are_text():
    assert load_text([["inf", "Infinity", "inf"]]).schema["c0"].states == ("Infinity", "inf")


@given(table=typed_tables())
def test_values_come_back_and_rows_encode_alike(table):
    data = tb.load(table)
    values = {name: column.tolist() for name, column in data.to_dict().items()}
    assert values == table
    assert [list(map(type, column)) for column in values.values()] == [
        list(map(type, column)) for column in table.values()
    ]
    assert tb.load(table, schema=data.schema) == data
    assert tb.Schema.from_json(data.schema.to_json()) == data.schema


@given(table=typed_tables(), order=st.randoms(use_true_random=False))
def test_states_do_not_depend_on_the_order_of_rows_or_columns(table, order):
    data = tb.load(table)
    rows = list(range(data.num_rows))
    names = list(table)
    order.shuffle(rows)
    order.shuffle(names)
    shuffled = {name: [table[name][row] for row in rows] for name in names}
    again = tb.load(shuffled)
    assert {variable.name: variable for variable in again.schema} == {v.name: v for v in data.schema}
    assert (tb.load(shuffled, schema=data.schema).codes == data.codes[:, rows]).all()

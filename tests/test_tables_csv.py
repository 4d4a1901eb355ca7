"""The tokenizer in the core against the csv module of Python."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import treebound
from reference import data as reference
from strategies_data import DELIMITERS, messy_texts, written_tables
from treebound._core import CsvFault, read_csv
from treebound.tables.files.csv import sniff

pytestmark = pytest.mark.core


def rows_of(cells):
    columns = [[cells.labels(c)[code] for code in cells.codes(c)] for c in range(len(cells.names))]
    return [list(row) for row in zip(*columns, strict=True)]


@given(text=messy_texts, delimiter=DELIMITERS)
@example(text='a,b\n"x\r\ny",1\r\r\n2,3', delimiter=",")
@example(text='a\n\n"', delimiter=",")
@example(text='a\n"x"y\n', delimiter=",")
@example(text="\ufeffa,b\n1", delimiter=",")
@example(text="a,b\n1,2,3\n4\n5,6", delimiter=",")
def test_any_text_is_cut_as_python_cuts_it(text, delimiter):
    cells = read_csv(text.encode(), delimiter, '"')
    expected = reference.read_csv(text, delimiter)
    if expected is None:
        assert cells.fault in (CsvFault.UNTERMINATED_QUOTE, CsvFault.TEXT_AFTER_QUOTE)
        return
    assert cells.fault == CsvFault.NONE
    assert cells.names == expected.names
    assert rows_of(cells) == expected.rows
    assert [cells.line(row) for row in range(cells.num_rows)] == expected.lines
    assert cells.num_ragged == len(expected.ragged)
    assert [(row.line, row.num_cells) for row in cells.ragged] == expected.ragged[:5]


@given(written=written_tables())
def test_what_is_written_is_read_back(written):
    names, rows, delimiter, text = written
    cells = read_csv(text.encode(), delimiter, '"')
    assert cells.fault == CsvFault.NONE
    assert cells.names == names
    assert rows_of(cells) == rows


@given(data=st.binary(max_size=60), quote=st.sampled_from(['"', "'", None]))
def test_any_bytes_are_cut_into_a_rectangle_or_refused(data, quote):
    read_csv(data, ",", quote)
    cells = read_csv(bytes(byte & 0x7F for byte in data), ",", quote)
    if cells.fault == CsvFault.NONE:
        for column in range(len(cells.names)):
            codes, labels = cells.codes(column), cells.labels(column)
            assert len(codes) == cells.num_rows
            assert all(code < len(labels) for code in codes)


@pytest.mark.parametrize(("num_labels", "width"), [(256, 1), (257, 2), (65536, 2), (65537, 4)])
def test_codes_widen_with_the_number_of_labels(num_labels, width):
    labels = [str(i) for i in range(num_labels)]
    text = "a,b\n" + "".join(f"{label},x\n" for label in labels + labels[::-1])
    cells = read_csv(text.encode(), ",", '"')
    codes = cells.codes(0)
    assert codes.dtype.itemsize == width
    assert codes.tolist() == [*range(num_labels), *range(num_labels)[::-1]]
    assert cells.labels(0) == labels
    assert cells.codes(1).dtype.itemsize == 1


def test_more_columns_than_the_limit_are_refused():
    assert read_csv(b"," * (1 << 20), ",", '"').fault == CsvFault.TOO_MANY_COLUMNS
    assert len(read_csv(b"," * ((1 << 20) - 1), ",", '"').names) == 1 << 20


@pytest.mark.parametrize(("text", "fault", "line", "cell"), [
    ('a,b\n1,2\n3,"4\n5,6\n', CsvFault.UNTERMINATED_QUOTE, 3, 2),
    ('a,b\n1,2\n"3"x,4\n', CsvFault.TEXT_AFTER_QUOTE, 3, 1),
    ('a,"b\n', CsvFault.UNTERMINATED_QUOTE, 1, 2),
    ('a,b\n"x\ny",2\n3,"4" \n', CsvFault.TEXT_AFTER_QUOTE, 4, 2),
])  # fmt: skip
def test_faults_say_where(text, fault, line, cell):
    cells = read_csv(text.encode(), ",", '"')
    assert (cells.fault, cells.fault_line, cells.fault_cell) == (fault, line, cell)


def test_codes_outlive_the_table():
    codes = read_csv(b"a\nx\ny\nx\n", ",", '"').codes(0)
    assert codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize(("text", "delimiter"), [
    (b"a,b;c,d", ","), (b"a;b;c,d", ";"), (b"a\tb", "\t"), (b"a", ","), (b"", ","),
    (b'"a,b,c";d', ";"), (b"\n\na;b\nc,d,e", ";"), (b"\xef\xbb\xbfa;b", ";"),
])  # fmt: skip
def test_delimiter_is_told_from_the_first_line(text, delimiter):
    assert sniff(text) == delimiter


@pytest.mark.parametrize("sign", ["|", " "])
def test_a_file_with_an_unusual_delimiter_is_not_one_column(tmp_path, sign):
    path = tmp_path / "table.csv"
    path.write_text(f"a{sign}b\n1{sign}2\n3{sign}4\n")
    with pytest.raises(treebound.DataError) as refused:
        treebound.inspect(path)
    assert f"{sign!r} parts each of its lines into 2 cells" in str(refused.value)
    assert "--delimiter" in refused.value.report({"--delimiter"})
    assert treebound.load(path, delimiter=sign).schema.names == ("a", "b")
    assert treebound.load(path, delimiter=",").schema.names == (f"a{sign}b",)
    path.write_text(f"a{sign}b\n1\n3{sign}4\n")
    assert treebound.load(path).schema.names == (f"a{sign}b",)


def test_texts_of_two_words_are_one_column(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("full name\nAda King\nAlan Turing\n")
    assert treebound.load(path).schema.names == ("full name",)
    path.write_text('"a;b"\n"x;y"\n"z;y"\n')
    assert treebound.load(path).schema.names == ("a;b",)

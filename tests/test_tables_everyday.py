"""Tables as people have them: comments, other encodings, pipes, workbooks, formatted numbers, spellings."""

import datetime
import io
import json
import sys

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treebound as tb
from treebound.tables._formatted_numbers import formatted_number

ROWS = "a;b\nx;1\ny;2\nx;2\n"


def codes_of(table, schema, **options):
    """The codes of rows that need not be complete, nor have all columns."""
    return tb.load(table, schema=schema, missing="keep", on_absent="ignore", **options).codes


@pytest.fixture
def write(tmp_path):
    def write(content, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


@pytest.fixture
def plain(write):
    return tb.load(write(ROWS, "plain.csv"))


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_above_the_names_and_comments_are_skipped(write, plain, bom, end):
    text = bom + "Report of, May\n\n# made by hand\na;b\n# first\nx;1\ny;2\n#\nx;2\n".replace("\n", end)
    assert tb.load(write(text), skip_rows=2, comment="#") == plain
    assert tb.load(write(text), skip_rows=3, comment="#") == plain


def test_a_comment_inside_quotes_is_a_cell(write):
    data = tb.load(write('a,b\n"x\n#y",1\n#z,3\nx,2\n'), comment="#")
    assert data.schema["a"].states == ("x", "x\n#y")
    assert data.num_rows == 2


def test_lines_in_messages_are_those_of_the_file(write):
    text = "title\n# comment\na,b\n1,2\n# comment\n3\n"
    with pytest.raises(tb.DataError, match="line 6: 1 cells, not 2"):
        tb.load(write(text), skip_rows=1, comment="#")
    with pytest.raises(tb.DataError, match="line 6: 1 cells, not 2"):
        tb.load(write(text), skip_rows=1, comment="#", header=False)
    with pytest.raises(tb.DataError, match=r"'b': 1 value, first in row 2 \(line 6\)"):
        tb.load(write(text.replace("\n3\n", "\n3,\n")), skip_rows=1, comment="#")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"comment": "//"}, "comment must be one ASCII character"),
        ({"comment": '"'}, "comment must be one ASCII character"),
        ({"skip_rows": -1}, "skip_rows must be at least 0"),
    ],
)
def test_options_that_mean_nothing(write, option, message):
    with pytest.raises(ValueError, match=message):
        tb.load(write(ROWS), **option)


def test_text_files_are_tables(write, plain):
    assert tb.load(write(ROWS, "table.txt")) == plain
    assert tb.load(write(ROWS.replace(";", "\t"), "TABLE.TXT")) == plain


def test_the_standard_input(monkeypatch, plain, write, run):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROWS.encode())))
    assert tb.load("-") == plain
    assert tb.load("-") == plain  # as often as it is wanted
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1\n")))
    with pytest.raises(tb.DataError, match="standard input: rows whose number of cells"):
        tb.load("-")
    out = write("", "s.json")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROWS.encode())))
    assert run("learn", "-", "-k", 1, "-o", out, "--steps", 5)[0] == 0
    assert tb.load_structure(out).names == ("a", "b")


def test_an_encoding_is_remembered(write):
    first = write("ort,b\nKöln,1\nBonn,2\nKöln,2\n", encoding="latin-1")
    schema = tb.load(first, encoding="latin-1").schema
    assert schema.preparation.reading.to_json() == {"encoding": "iso8859-1"}
    schema = tb.Schema.from_json(schema.to_json())
    assert codes_of(write("ort\nKöln\n", "later.csv", "latin-1"), schema)[0].tolist() == [1]
    assert codes_of(write("ort\nKöln\n", "utf8.csv"), schema)[0].tolist() == [1]
    with pytest.raises(tb.DataError, match="is not utf-8"):
        codes_of(write("ort\nKöln\n", "later.csv", "latin-1"), schema, encoding="utf-8")
    wide = tb.load(write("a,b\nx,1\ny,2\n", encoding="utf-16"), encoding="utf-16").schema
    assert codes_of(write("a\ny\n", "later.csv", "utf-16"), wide)[0].tolist() == [1]


@pytest.mark.parametrize(
    ("text", "decimal", "number"),
    [
        ("1,234", ".", 1234),
        ("1,234,567.50", ".", 1234567.5),
        ("-$1,200.00", ".", -1200),
        ("$-5", ".", -5),
        ("12 %", ".", 12),
        ("12.5%", ".", 12.5),
        ("1.234,5 €", ",", 1234.5),
        ("EUR 1 200", ".", 1200),
        ("1\u202f200", ",", 1200),
        ("1'200.25", ".", 1200.25),
        (" 7 ", ".", 7),
        (".5", ".", 0.5),
        ("(1,200)", ".", -1200),
        ("($5.50)", ".", -5.5),
        *((text, ".", None) for text in ("((5))", "(-5)", "()", "(5", "-")),
        # Groups of other sizes, several separators in one number, codes, several signs, words.
        *((text, ".", None) for text in ("1,23", "1234,567", "1,234'567", "007", "0,123", "-$-5", "5 kg")),
        *((text, ".", None) for text in ("%", "$", "", ".", "٣", "1" * 30)),
    ],
)
def test_formatted_numbers(text, decimal, number):
    found = formatted_number(text, decimal)
    assert (type(found), found) == (type(number), number)


FORMATTED = {
    "price": ["$1,200.50", "$3", "$3.00", "$900"] * 10,
    "share": ["5%", "12.5%", "80%", "7%"] * 10,
    "people": ["1,234", "77", "3,000,000", "77"] * 10,
    "phone": ["555 123", "555 124", "555 125", "555 126"] * 10,
    "money": ["$5", "€6", "$7", "€8"] * 10,
    "change": ["5%", "5", "6%", "6"] * 10,
}


def test_formatted_numbers_are_suspected_and_read(write, run):
    found = {
        column.name: [suspect.option for suspect in column.suspects if suspect.kind == "numbers"]
        for column in tb.inspect(FORMATTED).columns
    }
    assert {name for name, options in found.items() if options} == {"price", "share", "people"}
    assert found["price"] == ["--as-number price"]
    data = tb.load(
        FORMATTED, as_numbers=["price", "share", "people"], discretise={"share": None, "price": None}
    )
    assert data.schema["price"].states == ("3", "900", "1200.5")
    assert data.schema["share"].kind == "float"
    assert data.schema["people"].states == ("77", "1234", "3000000")
    auto = tb.load(FORMATTED, auto=True).schema
    assert auto.preparation.reading.to_json() == {"as_numbers": ["people", "price", "share"]}
    assert "formatted numbers: 'people', 'price', 'share'" in str(auto.preparation)
    later = tb.Schema.from_json(auto.to_json())
    rows = codes_of({"people": ["3,000,000"], "price": ["$900.00"]}, later)[:, 0]
    assert [rows[later.position(name)] for name in ("people", "price")] == [2, 1]
    lines = [",".join(f'"{cell}"' for cell in row) for row in zip(*FORMATTED.values(), strict=True)]
    path = write("\n".join([",".join(FORMATTED), *lines]))
    code, out, _ = run(
        "inspect", path, "--as-number", "price", "--as-number", "share", "--as-number", "people"
    )
    assert code in (0, 1)
    assert "as-number" not in out
    with pytest.raises(tb.DataError, match="'prices': there is none; did you mean 'price'"):
        tb.load(path, as_numbers=["prices"])


def test_formatted_numbers_with_a_decimal_comma(write):
    path = write("a;b\n" + "1.234,50 €;x\n3,25 €;y\n10,00 €;x\n" * 5)
    suspect = next(s for s in tb.inspect(path)["a"].suspects if s.kind == "decimal numbers")
    assert suspect.option == "--decimal , --as-number a"
    schema = tb.load(path, auto=True).schema
    assert schema["a"].states == ("3.25", "10", "1234.5")


@pytest.mark.parametrize("mark", ["-999", "-999.0", "-99"])
def test_negative_sentinels_are_missing_with_auto_unless_another_column_has_them(write, mark):
    rows = [f"{i % 7 + 20.5},{i % 2},{i % 5 - 2}" for i in range(40)]
    rows[5] = f"{mark},1,0"
    data = tb.load(write("a,b,c\n" + "\n".join(rows) + "\n"), auto=True, missing="keep")
    assert (data.codes < 0).sum(axis=1).tolist() == [1, 0, 0]
    with_it = [f"{row},{-97 - i % 4}" for i, row in enumerate(rows)]
    data = tb.load(write("a,b,c,d\n" + "\n".join(with_it) + "\n"), auto=True, missing="keep")
    assert (data.codes < 0).sum() == (mark != "-99")


def test_typed_evidence_is_unified_like_the_table(run, tmp_path, write):
    path = write("a,b\n" + "Y,u\nyes,u\nN,v\nNo,v\n" * 10 + "Y,v\n")
    network = tmp_path / "net.json"
    assert run("learn", path, "--auto", "-k", "1", "--steps", "5", "-o", network)[0] == 0
    for typed in ("yes", "YES", "y"):
        code, out, err = run("query", network, "-t", "b", "-e", f"a={typed}", "--json")
        assert (code, err) == (0, "")
        assert json.loads(out)["posteriors"]["b"]["u"] > 0.9


@pytest.mark.parametrize("dash", ["-", "\u2013"])
@pytest.mark.parametrize("cells", [["$1,200", "$3", "$45"], ["12", "7", "9.5"], ["(300)", "20", "1"]])
def test_dashes_among_numbers_are_missing(cells, dash):
    table = {"amount": [*cells, dash] * 20, "sign": ["+", "-"] * 40}
    suspects = [one for one in tb.inspect(table)["amount"].suspects if one.kind == "numbers"]
    assert [one.option for one in suspects] == ["--as-number amount"]
    data = tb.load(table, auto=True, missing="keep")
    assert data.schema["amount"].kind in ("integer", "float", "binned")
    assert data.schema["sign"].states == ("+", "-")
    missing = (data.codes < 0).sum(axis=1).tolist()
    assert missing[data.schema.position("amount")] == 20
    assert sum(missing) == 20


def test_typed_evidence_may_be_formatted_as_in_the_table(write, run, tmp_path):
    path = write("a;b\n" + "1.234,50 €;x\n3,25 €;y\n10,00 €;x\n" * 20)
    network = tmp_path / "net.json"
    assert run("learn", path, "--auto", "-k", "1", "--steps", "5", "-o", network)[0] == 0
    for typed in ("1.234,50 €", "1234,5"):
        code, out, err = run("query", network, "-t", "b", "-e", f"a={typed}", "--json")
        assert (code, err) == (0, "")
        assert json.loads(out)["posteriors"]["b"]["x"] > 0.9


def test_a_title_or_comment_above_the_names_is_suspected(write, run):
    path = write("# logger 2\na,b\n1,x\n2,y\n3,x\n4,y\n")
    code, _, err = run("inspect", path)
    assert code == 1
    assert "--comment" in err
    assert "--skip-rows" in err
    assert run("inspect", path, "--comment", "#")[0] == 0


def test_auto_divides_dates_next_to_markers_of_missing_values(write):
    days = [f"2023-{1 + i % 12:02}-{1 + i % 28:02}" if i % 20 else "?" for i in range(300)]
    path = write("day,a\n" + "".join(f"{day},{'xy'[i % 2]}\n" for i, day in enumerate(days)))
    data = tb.load(path, auto=True, missing="keep")
    assert data.schema.names == ("day.month", "day.weekday", "a")
    assert not data.is_complete


def test_many_dates_are_divided_or_kept_as_text_but_not_both(write):
    days = [f"{1 + i % 28:02}.{1 + i % 12:02}.20{10 + i % 14}" for i in range(400)]
    found = tb.inspect({"day": days, "x": ["a", "b"] * 200}).advice(on_command=True)
    assert [fix for name, _, fix in found if name == "day"] == ["--date-parts day"]
    slashed = [f"{1 + i % 12}/{1 + i % 28}/{10 + i % 30}" for i in range(900)]
    found = tb.inspect({"day": slashed, "x": ["a", "b"] * 450}).advice()
    assert "write them as 2024-05-31" in found[0][1]


def test_units_below_the_names_are_read_as_missing(write):
    path = write("t;h;c\n\u00b0C;%;\n" + "".join(f"{i},5;{i % 7};{'xy'[i % 2]}\n" for i in range(99)))
    found = {name: words for name, words, _ in tb.inspect(path).advice() if "unit" in words}
    assert found["t"] == "numbers below '\u00b0C', which may be their unit"
    assert set(found) == {"t", "h"}
    schema = tb.load(path, auto=True).schema
    assert [schema[name].kind for name in ("t", "h")] == ["binned", "binned"]
    assert {"%", "\u00b0C"} <= set(schema.preparation.reading.na_values)


@pytest.mark.parametrize(
    "cells",
    [
        ["low", *"123456", "low"],  # twice
        ["1", "low", *"23456"],  # not in the first row
        ["low", *"123"],  # too few numbers
        ["low", *"123456", "high"],
    ],
)
def test_other_texts_are_not_units(cells):
    table = {"a": cells, "b": ["x", "y"] * (len(cells) // 2) + ["x"] * (len(cells) % 2)}
    assert not [words for _, words, _ in tb.inspect(table).advice() if "unit" in words]


@pytest.mark.parametrize("zone", ["Z", "+02:00", " +0000"])
def test_auto_divides_moments_with_a_time_zone(zone):
    moments = [f"2024-{1 + i % 12:02}-{1 + i % 28:02}T10:{i % 60:02}:00{zone}" for i in range(300)]
    table = {"t": moments, "a": ["x", "y", "y"] * 100}
    assert tb.load(table, auto=True).schema.names == ("t.month", "t.weekday", "a")
    table["t"][5] = "2024-05-31T10:00:00 summer"
    assert "t.month" not in tb.load(table, auto=True).schema.names


def slashed(order, largest_day=28):
    """A text file with dates such as 5/6/2024 and a marker of missing values."""
    dates = [(1 + i % largest_day, 1 + i % 12, 1990 + i % 30) for i in range(300)]
    days = [f"{d}/{m}/{y}" if order == "dmy" else f"{m}/{d}/{y}" for d, m, y in dates]
    return "day,a\n?,x\n" + "".join(f"{day},{'xyz'[i % 3]}\n" for i, day in enumerate(days))


@pytest.mark.parametrize("order", ["dmy", "mdy"])
def test_auto_reads_dates_whose_order_is_proved(write, run, order):
    path = write(slashed(order))
    found = tb.inspect(path).advice(on_command=True)
    assert f"--date-order {order}" in [fix for name, _, fix in found if name == "day"]
    data = tb.load(path, auto=True, missing="keep")
    assert data.schema.names == ("day.year", "day.month", "day.weekday", "a")
    assert data.to_dict()["day.month"][1:].tolist() == [1 + i % 12 for i in range(300)]
    later = tb.Schema.from_json(data.schema.to_json())
    assert later.preparation.reading.date_order == order
    ambiguous = codes_of({"day": ["5/6/2000"]}, later)  # in the order of the first table
    assert ambiguous[1].tolist() == [5 if order == "dmy" else 4]
    assert run("inspect", path, "--auto")[0] == 0


def test_dates_of_an_order_that_is_not_proved_stay_text(write, run):
    path = write(slashed("dmy", largest_day=12))
    data = tb.load(path, auto=True, missing="keep")
    assert data.schema["day"].kind == "text"
    found = tb.inspect(path).advice(on_command=True)
    words, fix = next((words, fix) for name, words, fix in found if "--date-order" in fix)
    assert "the day or the month may come first" in words
    assert fix == "--date-order dmy or mdy"
    for order in ("dmy", "mdy"):
        days = tb.load(path, date_order=order, missing="keep", na_values=["?"]).schema["day"]
        assert (days.kind, days.states[0]) == ("date", "1990-01-01")
    with pytest.raises(tb.DataError, match="pass date_order='dmy' or 'mdy'"):
        tb.load(path, date_parts={"day": ["month"]}, na_values=["?"], missing="keep")
    words = ["--date-parts", "day", "--na-values", "?", "--missing", "keep", "--steps", "1"]
    code, _, err = run("score", path, "-o", path.with_suffix(".tbc"), *words)
    assert (code, "--date-order dmy or mdy" in err) == (1, True)
    with pytest.raises(ValueError, match="date_order must be 'dmy', 'mdy' or None, got 'ymd'"):
        tb.load(path, date_order="ymd")


def test_columns_that_prove_different_orders_stay_text():
    table = {"a": ["13/1/2024", "1/2/2024"] * 9, "b": ["1/13/2024", "1/2/2024"] * 9, "c": list("xyz") * 6}
    schema = tb.load(table, auto=True, only=["a", "b", "c"]).schema
    assert [one.kind for one in schema] == ["text"] * 3


def test_one_column_that_proves_the_order_decides_for_all():
    table = {"a": ["13/1/2024", "1/2/2024"] * 9, "b": ["2/3/2024", "1/2/2024", "1/2/2024"] * 6}
    assert tb.load(table, auto=True).schema["b"].states == ("2024-02-01", "2024-03-02")


def test_many_ambiguous_dates_are_dropped_with_the_option_that_decides():
    days = [f"{1 + i % 12}/{1 + i % 11}/{1700 + i}" for i in range(300)]
    notes = tb.load({"day": days, "a": ["x", "y", "x"] * 100, "b": ["u", "v"] * 150}, auto=True)
    assert "choose by date_order (--date-order)" in str(notes.schema.preparation)


def test_typed_evidence_has_the_dates_of_the_table(write, run, tmp_path):
    path = write("day,a\n" + "5/31/2024,x\n6/5/2024,y\n" * 20 + "6/5/2024,x\n")
    out = tmp_path / "net.json"
    assert run("learn", path, "-k", "1", "--auto", "--steps", "1", "-o", out)[0] == 0
    code, answer, _ = run("query", out, "-t", "a", "-e", "day=6/5/2024", "--json")
    assert code == 0
    assert json.loads(answer)["posteriors"]["a"]["y"] > 0.9


def test_columns_are_dropped_by_the_name_that_is_printed(write, run):
    path = write("no\u00a01,b,c\n1,x,u\n2,y,v\n2,y,u\n")
    code, out, _ = run("inspect", path, "--drop", r"no\xa01", "--json")
    assert code == 0
    assert [one["becomes"] for one in json.loads(out)["columns"]] == ["dropped", "kept", "kept"]


def test_yes_and_no_are_unified_next_to_other_words():
    table = {"smoker": ["Y", "yes", "N", "No", "Unknown"] * 8, "x": ["a", "b"] * 20}
    assert tb.load(table, auto=True).schema["smoker"].states == ("no", "unknown", "yes")


SPELLED = {
    "yes": ["yes", "Yes", "Y", "no", "N"] * 6,
    "true": ["true", "TRUE", "false", "False", "false"] * 6,
    "grade": ["A", "a", "n", "N", "f"] * 6,
    "fine": ["T", "F", "F", "T", "F"] * 6,
}


def test_spellings_are_suspected_and_unified(write):
    kinds = {
        c.name: [s.kind for s in c.suspects if s.kind in ("spellings", "case")]
        for c in tb.inspect(SPELLED).columns
    }
    assert kinds == {"yes": ["spellings"], "true": ["spellings"], "grade": ["case"], "fine": []}
    lines = [",".join(row) for row in zip(*SPELLED.values(), strict=True)]
    path = write("\n".join([",".join(SPELLED), *lines]))
    with pytest.raises(tb.DataError, match=r"unify spellings such as true and TRUE with load"):
        tb.load(path)
    auto = tb.load(path, auto=True).schema
    assert auto["yes"].states == ("no", "yes")
    assert (auto["true"].kind, auto["true"].states) == ("boolean", ("false", "true"))
    assert auto["grade"].states == ("A", "N", "a", "f", "n")
    assert "one spelling for each value: 'yes', 'true'" in str(auto.preparation)
    later = tb.Schema.from_json(auto.to_json())
    assert codes_of({"yes": ["YES ", "n"], "grade": ["n", "N"]}, later).tolist()[0] == [1, 0]
    chosen = tb.load(path, unify=["true", "grade"]).schema
    assert chosen["grade"].states == ("a", "f", "n")
    # One row does not show that a column has other values than yes and no.
    assert codes_of({"grade": ["N"]}, chosen)[2].tolist() == [2]


@pytest.mark.parametrize(
    ("values", "label"),
    [
        ([3, 5, 8, -999], "-999"),
        ([20.5, 31.0, 44.0, 999.0], "999"),
        ([0, 1, 2, 3, -99], "-99"),
        ([3, 5, 8, -998], None),
        ([100, 400, 700, 999], None),
        ([1, 2, 3, 99], None),
        ([-99, -98, -97, -96], None),
    ],
)
def test_sentinels_are_suspected(values, label):
    table = {"x": values * 10, "y": ["a", "b"] * (5 * len(values))}
    found = [suspect for suspect in tb.inspect(table)["x"].suspects if suspect.kind == "sentinel"]
    assert [suspect.option for suspect in found] == ([] if label is None else [f"--na-values {label}"])
    if label is not None:  # also where the cells are numbers
        data = tb.load(table, na_values=[label], missing="drop", discretise={"x": None})
        assert label not in data.schema["x"].states
        assert data.num_rows == 10 * (len(values) - 1)


def workbook(path, *rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_the_first_sheet_of_a_workbook(tmp_path):
    day = datetime.date(2024, 5, 31)
    path = workbook(
        tmp_path / "t.xlsx",
        ["a", "n", "yes", "day"],
        ["x", 1, True, day],
        ["y", 2, False, day],
        ["x", 2, True, day],
    )
    data = tb.load(path)
    assert [variable.kind for variable in data.schema] == ["text", "integer", "boolean", "date"]
    assert data.schema["day"].states == ("2024-05-31",)
    assert data.to_dict()["n"].tolist() == [1, 2, 2]
    assert tb.load(path, skip_rows=1, header=False).num_rows == 3
    with pytest.raises(tb.DataError, match="'b': 1 value, first in row 2"):
        tb.load(workbook(tmp_path / "m.xlsx", ["a", "b"], ["x", 1], ["y", None]))
    with pytest.raises(tb.DataError, match="the first sheet is empty"):
        tb.load(workbook(tmp_path / "e.xlsx"))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(tb.DataError, match=r"t\.xlsx: damaged"):
        tb.load(path)


def test_workbooks_are_read_up_to_the_limit(tmp_path):
    path = workbook(tmp_path / "t.xlsx", ["a"], *([["x" * 2000 + str(i)] for i in range(1200)]))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(tb.DataError, match="unpacks to more than 1 MB"):
        tb.load(path, max_unpacked_mb=1)


@pytest.mark.parametrize("name", ["table.csv", "table.txt", "table.dat"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00", "ZIP archive, such as an Excel workbook, not text; name it .xlsx"),
        (b"PAR1\x15\x04\x00", "a Parquet file, not text; name it .parquet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "Office document"),
        (b"BZh91AY&SY\x00\x01", "compressed with bzip2"),
        (b"SQLite format 3\x00\x10", "an SQLite database"),
    ],
)
def test_files_of_another_kind_are_recognised(write, name, content, message):
    with pytest.raises(tb.DataError, match=message):
        tb.load(write(content, name))
    assert tb.load(write("PK\x20,BZh\nö,1\nb,2\n")).schema.names == ("PK ", "BZh")


def test_dates_with_points_are_dates(write):
    data = tb.load(write("a,b\n31.05.2024,x\n1.6.2024,y\n31.05.2024,x\n"))
    assert (data.schema["a"].kind, data.schema["a"].states) == ("date", ("2024-05-31", "2024-06-01"))
    assert codes_of({"a": ["2024-06-01", datetime.date(2024, 5, 31), "31.5.2024"]}, data.schema)[
        0
    ].tolist() == [
        1,
        0,
        0,
    ]
    assert tb.load({"a": ["31.05.2024 14:30", "1.6.2024"]}).schema["a"].states == (
        "2024-05-31 14:30:00",
        "2024-06-01",
    )
    assert tb.load({"a": ["31.13.2024", "1.6.2024"]}).schema["a"].kind == "text"


@pytest.mark.parametrize("text", ["0999-01-02", "0001-01-01 10:00:00.123456789", "0042-02-03 00:00:00.5"])
def test_dates_before_the_year_1000(text):
    variable = tb.load({"a": [text, "2000-01-01"]}).schema["a"]
    assert variable.kind == "date"
    assert variable.states[0].startswith(text[:10])
    assert variable.code(text) == 0


DAYS = ["2024-01-01", "2024-02-29", "2025-12-28", None]


@pytest.mark.parametrize("made", [str, datetime.date.fromisoformat, lambda text: f"{text} 10:30:00+02:00"])
def test_parts_of_dates_are_columns(made):
    table = {"day": [day and made(day) for day in DAYS], "x": ["a", "b", "a", "b"]}
    options = {"date_parts": {"day": ["year", "month", "weekday"]}}
    data = tb.load(table, missing="drop", **options)
    assert data.schema.names == ("day.year", "day.month", "day.weekday", "x")
    assert data.schema["day.month"].states == tuple(map(str, range(1, 13)))
    assert data.schema["day.month"].ordered
    assert data.to_dict()["day.year"].tolist() == [2024, 2024, 2025]
    assert data.to_dict()["day.month"].tolist() == [1, 2, 12]
    assert data.to_dict()["day.weekday"].tolist() == ["Mon", "Thu", "Sun"]
    later = tb.Schema.from_json(data.schema.to_json())
    rows = codes_of({"day": [made("2025-05-05")]}, later)
    assert rows[:, 0].tolist() == [1, 4, 0, -1]
    assert codes_of({"x": ["a"]}, later)[:, 0].tolist() == [
        -1,
        -1,
        -1,
        0,
    ]


@pytest.mark.parametrize(
    ("days", "parts"),
    [
        ([f"2024-{m:02}-{d:02}" for m in range(1, 13) for d in (1, 5, 9)], ["month", "weekday"]),
        ([f"{y}-{m:02}-01" for y in range(2020, 2024) for m in range(1, 13)], ["year", "month"]),
        ([f"{y}-01-01" for y in range(1980, 2010)] * 2, ["year"]),
        ([f"{d}.3.2024" for d in range(1, 28)], ["weekday"]),
    ],
    ids=["a year", "months", "years", "a month"],
)
def test_auto_replaces_dates_by_the_parts_that_differ(days, parts):
    table = {"x": [i % 3 for i in range(len(days))], "day": days}
    schema = tb.load(table, auto=True).schema
    assert schema.names == ("x", *(f"day.{part}" for part in parts))
    assert f"'day' is a date, replaced by its {', '.join(parts)}" in schema.preparation.remarks
    found = tb.inspect(table, auto=True)
    assert [column.name for column in found.columns] == list(schema.names)
    assert (codes_of({"day": days[:2]}, schema)[1:] >= 0).all()


def test_auto_leaves_dates_alone_that_are_named_or_few():
    days = [f"2024-{m:02}-{d:02}" for m in range(1, 13) for d in (1, 5)]
    table = {"x": ["a", "b"] * 12, "day": days, "few": ["2024-01-01", *["2024-02-05"] * 2] * 8}
    assert tb.load(table, auto=True, drop=["day"]).schema.names == ("x", "few")
    assert "day" in tb.load(table, auto=True, only=["x", "day"]).schema.names
    assert "few" in tb.load(table, auto=True).schema.names


def test_a_year_names_the_state_that_begins_with_it():
    network = tb.learn({"day": ["1970-01-01", "1971-01-01"] * 9, "x": list("ab") * 9}, 1, budget=1).network
    with pytest.raises(ValueError, match="did you mean '1970-01-01'"):
        network.posterior("x", {"day": "1970"})


def test_parts_of_dates_are_offered_and_checked(write, run):
    days = [f"{day}.{month}.2024" for day in range(1, 28) for month in range(1, 13)]
    path = write("day,x\n" + "".join(f"{day},{i % 2}\n" for i, day in enumerate(days)))
    code, out, _ = run("inspect", path)
    assert code == 0
    assert "--date-parts day" in out
    words = ["--date-parts", "day=month,weekday", "--json"]
    code, out, _ = run("inspect", path, *words)
    assert [column["name"] for column in json.loads(out)["columns"]] == ["day.month", "day.weekday", "x"]
    schema = tb.load(path, auto=True, date_parts={"day": ["month"]}).schema
    assert schema["day.month"].cardinality == 12  # no bins
    assert "'day' is a date, replaced by its month" in str(schema.preparation)
    with pytest.raises(tb.DataError, match=r"'x\.month': holds '0'"):
        tb.load(path, date_parts={"x": ["month"]})
    with pytest.raises(ValueError, match="must be some of year, month, weekday, got"):
        tb.load(path, date_parts={"day": ["hour"]})
    with pytest.raises(TypeError, match="date_parts must map names to parts"):
        tb.load(path, date_parts=["day"])
    with pytest.raises(tb.DataError, match="'dya': there is none; did you mean 'day'"):
        tb.load(path, date_parts={"dya": ["month"]})


FINE = [1, 2, 10**9, 1_000_001_000, None, 86_399_999_999_999]
FINE_TYPES = {
    "time": (pa.time64("ns"), "00:00:00.000000001"),
    "moment": (pa.timestamp("ns"), "1970-01-01 00:00:00.000000001"),
    "zone": (pa.timestamp("ns", "UTC"), "1970-01-01 00:00:00.000000001+00:00"),
    "duration": (pa.duration("ns"), ":00:00.000000001"),
}


@pytest.mark.parametrize("name", FINE_TYPES)
@pytest.mark.parametrize("library", ["pyarrow", "polars", "pandas"])
def test_nanoseconds_tell_values_apart(name, library):
    kind, end = FINE_TYPES[name]
    table = pa.table({"a": pa.array(FINE, kind), "b": list("xyxyxy")})
    frame = {
        "pyarrow": lambda: table,
        "polars": lambda: pl.from_arrow(table),
        "pandas": lambda: table.to_pandas(types_mapper=pd.ArrowDtype),
    }[library]()
    schema = tb.load(frame, missing="keep").schema
    assert schema["a"].cardinality == 5
    assert schema["a"].states[0].endswith(end)
    assert len(set(codes_of(frame, schema)[0].tolist())) == 6


def test_moments_before_1970_to_the_nanosecond():
    frame = pl.from_arrow(pa.table({"a": pa.array([-1, -1001, 0], pa.timestamp("ns")), "b": list("xyx")}))
    assert tb.load(frame).schema["a"].states == (
        "1969-12-31 23:59:59.999998999",
        "1969-12-31 23:59:59.999999999",
        "1970-01-01",
    )

"""The command changes missing cells only, and appends predictions to the columns of its input."""

import io
import json

import pytest

import treebound as tb

pytestmark = pytest.mark.core


@pytest.fixture
def shops(tmp_path, monkeypatch):
    """A network of a table with decimal commas, in a folder to work in."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i},{i % 10}5;{'low' if i < 50 else 'high'};\u00e9{i % 2}\n" for i in range(100))
    (tmp_path / "whole.csv").write_text("price;level;place\n" + rows, encoding="utf-8")
    data = tb.load("whole.csv", decimal=",", discretise={"price": "quantile:4"})
    network = tb.fit({"level": (), "price": ("level",), "place": ()}, data)
    tb.save_network(network, "net.json")
    return network


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_all_but_the_missing_cells_of_a_text_file_stays(run, tmp_path, shops, encoding, end):
    lines = [
        '"id";price;"level";"place"',
        '"a;b";10,15;"low";"\u00e90"',
        '"say ""x""";;"low";NA',
        "",
        "c;77,75;;\u00e91",
        "",
    ]
    text = end.join(lines)
    (tmp_path / "lacking.csv").write_bytes(text.encode(encoding))
    how = ["--encoding", encoding] if not encoding.startswith("utf-8") else []
    code, _, err = run("impute", "net.json", "lacking.csv", "-o", "full.csv", *how)
    assert (code, err) == (0, "")
    choices = [bins.median for bins in shops.schema["price"].bins]
    filled = (tmp_path / "full.csv").read_bytes().decode(encoding)
    new = filled.split(end)[2].split(";")[1]
    assert float(new.replace(",", ".")) in choices
    place = filled.split(end)[2].split(";")[2 + 1]
    assert place in ('"\u00e90"', '"\u00e91"')
    expected = text.replace('"";;', f'"";{new};').replace("NA", place).replace(";;\u00e91", ';"high";\u00e91')
    assert filled == expected
    assert run("evaluate", "net.json", "full.csv", *how)[0] == 0


def test_cells_with_the_delimiter_are_quoted(run, tmp_path, shops):
    """Decimal commas among commas; a file without names keeps going without."""
    (tmp_path / "lacking.csv").write_text('"10,15",low,\u00e90\n,high,\u00e91\n', encoding="utf-8")
    network = tb.fit({"v0": (), "v1": ("v0",), "v2": ()}, _unnamed(tmp_path))
    tb.save_network(network, "unnamed.json")
    code, _, err = run(
        "impute", "unnamed.json", "lacking.csv", "-o", "full.csv", "--no-header", "--decimal", ","
    )
    assert (code, err) == (0, "")
    first, second, _ = (tmp_path / "full.csv").read_text(encoding="utf-8").split("\n")
    assert first == '"10,15",low,\u00e90'
    assert second.startswith('"')
    assert second.endswith('",high,\u00e91')


def _unnamed(folder):
    text = (folder / "whole.csv").read_text(encoding="utf-8").partition("\n")[2]
    (folder / "unnamed.csv").write_text(text, encoding="utf-8")
    return tb.load("unnamed.csv", decimal=",", header=False, discretise={"v0": "median"})


def test_other_endings_are_written_anew(run, tmp_path, shops):
    (tmp_path / "lacking.csv").write_text("price;level\n10,15;\n;high\n")
    assert run("impute", "net.json", "lacking.csv", "-o", "full.tsv")[0] == 0
    assert (tmp_path / "full.tsv").read_text().startswith('price\tlevel\n"10,15"\tlow\n')
    code, _, err = run("impute", "net.json", "lacking.csv", "-o", "full.csv.gz")
    assert code == 0
    assert "note: 1 of 3 columns is absent: 'place'." in err
    assert tb.load("full.csv.gz", schema=shops.schema, missing="keep", on_absent="ignore").codes.min(
        axis=1
    ).tolist()[:2] != [-1, -1]


def test_predictions_are_appended(run, tmp_path, shops):
    (tmp_path / "cases.csv").write_text("id;price;place\n007;10,15;x\n008;77,75;\n", encoding="utf-8")
    words = ("net.json", "cases.csv", "-t", "level", "-o", "out.csv", "--append", "--unseen", "missing")
    assert run("predict", *words)[0] == 0
    header, first, second, _ = (tmp_path / "out.csv").read_text().split("\n")
    assert header == "id;price;place;predicted_level;P(high);P(low)"
    assert first.startswith('007;"10,15";x;low;0.')
    assert second.startswith('008;"77,75";;high;0.')
    assert run("predict", *words[:-4], "again.csv", *words[-3:])[0] == 0
    (tmp_path / "cases.csv").write_text("price;place;note\nNA;x;?\n10,15;NA;\n")
    assert run("predict", *words)[0] == 0
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert rows[1].startswith("NA;x;?;")  # missing-value markers stay in their cells
    assert rows[2].startswith('"10,15";NA;;')
    (tmp_path / "cases.csv").write_text("price;predicted_level\n10,15;x\n")
    code, _, err = run("predict", *words)
    assert (code, "has columns 'predicted_level' already; rename them" in err) == (1, True)


def test_the_expected_value_is_predicted(run, tmp_path, shops):
    (tmp_path / "cases.csv").write_text("level\nlow\nhigh\n")
    words = ("net.json", "cases.csv", "-t", "price", "-o", "out.csv", "--value", "mean", "--json")
    assert json.loads(run("predict", *words)[1])["absent_columns"] == ["place"]
    rows = (tmp_path / "out.csv").read_text().splitlines()[1:]
    found = [float(row.partition(",")[0]) for row in rows]
    table = {"level": ["low", "high"]}
    assert found == pytest.approx(shops.predict(table, "price", value="mean", on_absent="ignore").tolist())
    code, _, err = run("predict", *words[:3], "level", *words[4:])
    assert (code, "variable 'level' has no numbers, it is of kind 'text'" in err) == (1, True)


def test_a_table_without_any_known_cell_is_evaluated(run, tmp_path, shops):
    (tmp_path / "empty.csv").write_text("price;level;place\n;;\n;;\n")
    assert shops.score_samples("empty.csv").tolist() == [0, 0]
    code, out, err = run("evaluate", "net.json", "empty.csv", "--json")
    assert (code, json.loads(out)["log_likelihood"], err) == (0, 0, "")
    code, _, err = run("evaluate", "net.json", "empty.csv")
    assert (code, "note: no cell is known" in err) == (0, True)


def test_the_standard_input_is_filled_in(run, tmp_path, shops, monkeypatch):
    text = "price;level;place\n10,15;;\u00e90\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, _, err = run("impute", "net.json", "-", "-o", "full.csv")
    assert (code, err) == (0, "")
    assert (tmp_path / "full.csv").read_text(encoding="utf-8") == text.replace(";;", ";low;")


def test_parts_of_dates_leave_the_columns_of_the_file_in_place(run, tmp_path, monkeypatch):
    """Each date is three columns of the network, and one column of the file."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{1 + i % 28:02}.{1 + i % 12:02}.{2020 + i % 3};{'ab'[i % 2]};{'uv'[i % 2]}" for i in range(120)]
    rows[7] = rows[7][:-4] + ";;v"
    rows[11] = ";b;v"
    text = "day;left;right\n" + "\n".join(rows) + "\n"
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    assert run("learn", "rows.csv", "--auto", "-k", "1", "--steps", "5", "-o", "net.json")[0] == 0
    code, out, _ = run("impute", "net.json", "rows.csv", "-o", "full.csv")
    assert code == 0
    assert ", 1 cell filled in" in out
    assert (tmp_path / "full.csv").read_text(encoding="utf-8") == text.replace(";;v", ";b;v", 1)
    assert run("predict", "net.json", "rows.csv", "-t", "right", "-o", "more.csv", "--append")[0] == 0
    lines = (tmp_path / "more.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("day;left;right;predicted_right;")
    assert lines[1].startswith(rows[0] + ";")
    network = tb.load_network("net.json")
    filled = network.impute("rows.csv")
    assert list(filled.columns) == ["day", "left", "right"]
    assert filled["left"][7] == "b"
    assert filled["day"][0] == "01.01.2020"

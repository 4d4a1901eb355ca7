"""A small network of rain, with a table of it, for tests of the command line."""

from __future__ import annotations

import csv

import pandas as pd

import treebound as tb

GRAPH = {"rain": [], "spray": ["rain"], "wet": ["rain", "spray"]}
TABLE = {
    "rain": ["yes", "yes", "no", "no", "no", "no"],
    "spray": ["off", "off", "on", "off", "off", "on"],
    "wet": ["yes", "yes", "yes", "no", "no", "no"],
}
NETWORK = tb.fit(GRAPH, TABLE)
CASES = "spray,wet,remark\non,yes,a\n,no,b\noff,,c\n"


def write_files(folder):
    """``graph.json``, ``net.json``, ``table.csv`` and ``cases.csv``, which lacks a column and cells."""
    tb.save_structure(tb.Structure.from_parents(GRAPH), folder / "graph.json")
    tb.save_network(NETWORK, folder / "net.json")
    pd.DataFrame(TABLE).to_csv(folder / "table.csv", index=False)
    (folder / "cases.csv").write_text(CASES)


def rows_of(path):
    """The cells of a CSV file, the header too."""
    with open(path, newline="") as file:
        return list(csv.reader(file))

"""The picture of the README can be drawn again, and its figures are in their records."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PUBLISHED = ("2026-11-17T1433-published.json", "2026-11-17T1440-published.json")


def test_the_picture_can_be_drawn_again():
    pytest.importorskip("matplotlib")
    script = runpy.run_path(str(ROOT / "docs" / "figures" / "overview.py"))
    network, tree = script["draw"]().axes
    names = set(script["commuting"]().schema.names)
    assert {text.get_text() for text in network.texts} == names
    assert {name for text in tree.texts for name in text.get_text().split("\n")} == names
    assert "treewidth 2" in tree.get_title()


def test_the_published_scores_are_beaten_as_often_as_is_shown():
    rows = [row for record in PUBLISHED for row in rows_of(record) if "gain" in row]
    percents = [row["gain_percent"] for row in rows]
    wins = sum(percent > 0 for percent in percents)
    assert f"in {wins} of {len(rows)} cases, by {min(percents):.2f} to {max(percents):.0f} %" in README


def test_the_memory_and_time_of_ten_thousand_columns_are_those_of_the_record():
    (row,) = rows_of("2026-11-17T0037-learn_memory.json")
    assert row["wall_s"] < 360
    assert f"{row['variables']:,} columns x {row['rows']:,} rows learned in a budget of six minutes" in README
    assert f"on one core with {row['peak_mb']:.0f} MB of memory" in README


def test_the_time_of_all_marginals_is_that_of_the_record():
    rows = {row["step"]: row for row in rows_of("2026-11-16T0609-inference_wide.json")}
    row = rows["all marginals"]
    assert f"in {1000 * row['cpu_s']:.0f} ms of CPU time, {row['times_faster']:.0f} times faster" in README


def rows_of(record: str) -> list[dict[str, float]]:
    assert f"(benchmarks/records/{record})" in README
    return json.loads((ROOT / "benchmarks" / "records" / record).read_text())["rows"]

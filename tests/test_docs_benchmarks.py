"""The summary of benchmarks: its records exist, have these commits, and bear out the figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "benchmarks" / "index.md").read_text("utf-8")
RECORDS = ROOT / "benchmarks" / "records"
SOURCE = re.compile(r"`(?P<benchmark>\w+)`, (?P<records>[\dT, -]+), commit (?P<commits>.+) \|$")
CLAIMS = [match for line in PAGE.splitlines() if (match := SOURCE.search(line)) is not None]


def records_of(benchmark):
    claim = next(claim for claim in CLAIMS if claim["benchmark"] == benchmark)
    names = claim["records"].split(", ")
    return [json.loads((RECORDS / f"{name}-{benchmark}.json").read_text()) for name in names]


def rows_of(benchmark):
    return [row for record in records_of(benchmark) for row in record["rows"]]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["benchmark"])
def test_a_claim_names_its_record_and_commit(claim):
    records = records_of(claim["benchmark"])
    assert " and ".join(dict.fromkeys(record["commit"] for record in records)) == claim["commits"]
    assert all(one["command"] == f"python benchmarks/run.py {claim['benchmark']}" for one in records)


def test_every_claim_was_read():
    table = PAGE.split("| --- | --- | --- |\n")[1].split("\n\n")[0]
    assert len(CLAIMS) == len(table.splitlines())


def test_the_figures_are_those_of_the_records():
    gains = [row["gain_percent"] for row in rows_of("published") if "gain" in row]
    wins = sum(gain > 0 for gain in gains)
    assert f"in {wins} of {len(gains)} cases, by {min(gains):.2f} to {max(gains):.0f} %" in PAGE

    (whole,) = (row for row in rows_of("optimum") if row["instance"] == "all")
    assert f"{100 * whole['rate']:.1f} % of {whole['runs']} short runs" in PAGE

    (worse,) = (row for row in rows_of("more_steps") if row["table"] == "all" and row["build"] == "this")
    assert (
        f"{worse['worse']} of {worse['runs']} runs are worse, by at most {worse['worst_percent']:.3f} %"
        in PAGE
    )

    ratios = [row["times_faster"] for row in rows_of("inference")]
    assert f"{min(ratios):.0f} to {max(ratios):.0f} times faster than pyAgrum" in PAGE

    (wide,) = (row for row in rows_of("inference_wide") if row["step"] == "all marginals")
    assert f"in {1000 * wide['cpu_s']:.0f} ms, {wide['times_faster']:.0f} times faster" in PAGE

    (rows,) = (row for row in rows_of("batch") if row["task"] == "log-likelihood, complete")
    assert rows["rows"] == 1_000_000
    assert f"of {rows['variables']} columns in {rows['cpu_s']:.2f} CPU seconds" in PAGE

    (memory,) = rows_of("learn_memory")
    assert f"on one core with {memory['peak_mb']:.0f} MB" in PAGE

    times = [row["times_reference"] for row in rows_of("counting") if "times_reference" in row]
    assert f"{min(times):,.0f} to {max(times):,.0f} times as many" in PAGE

    behind = [row["errors_behind"] for row in rows_of("classify")]
    ahead = sum(row < 0 for row in behind)
    assert f"on {ahead} of {len(behind)} tables, level on {sum(row == 0 for row in behind)}" in PAGE

    small, large = rows_of("explorer")
    assert f"{small['click_ms_median']:.0f} ms from a click" in PAGE
    assert f"{large['click_ms_median']:.0f} ms with {large['variables']:,} variables" in PAGE


def test_the_densities_are_those_of_the_record():
    # Sets of a later record, with a longer budget, replace those of an earlier one.
    rows = {row["set"]: row for row in rows_of("density") if "set" in row}.values()
    num_ahead = sum(round(row["test"], 2) >= row["best"] for row in rows)
    assert f"tractable model on {num_ahead} of {len(rows)} data sets" in PAGE
    for row in rows:
        is_ahead = round(row["test"], 2) >= row["best"]
        shown = f"**{row['test']:.2f}**" if is_ahead else f"{row['test']:.2f}"
        assert f"| {row['set']} | {row['variables']:,} | {shown} | {row['best']:.2f} |" in PAGE


def test_the_cases_of_structural_em_are_those_of_the_record():
    case = ("dataset", "limit", "missing", "mask")
    # Cases of a later record replace those of an earlier one.
    rows = {tuple(row[key] for key in case): row for row in rows_of("tsem")}.values()
    assert f"TSEM in {sum(row['lead'] >= 0 for row in rows)} of {len(rows)} cases" in PAGE
    assert all(row["seconds"] <= row["tsem_seconds"] for row in rows)
    for name in dict.fromkeys(row["dataset"] for row in rows):
        leads = [row["lead"] for row in rows if row["dataset"] == name]
        ahead = f"{sum(lead >= 0 for lead in leads)} of {len(leads)}"
        assert f"| {name} | {ahead} | {min(leads):+.2f} to {max(leads):+.2f} |" in PAGE


def test_imputation_is_that_of_the_record():
    counts = [row for row in rows_of("imputation") if "tables" in row]
    ahead, cases = (sum(row[key] for row in counts) for key in ("tables_ahead_of_all_others", "tables"))
    assert f"random forests in {ahead} of {cases} cases" in PAGE


def test_hidden_variables_are_those_of_the_record():
    rows = rows_of("hidden")
    simulated = [row for row in rows if "classes" in row]
    right = sum(row["classes_by_bic_off"] == 0 for row in simulated)
    assert f"right in {right} of {len(simulated)} simulated tables" in PAGE
    gains = {row["dataset"]: row["gain"] for row in rows if "gain" in row}
    assert f"of nltcs by {gains['nltcs']:.2f} and of jester by {gains['jester']:.2f} nats" in PAGE


def test_synthetic_rows_are_those_of_the_record():
    shares = {row["source"]: row["share_of_real"] for row in rows_of("density_uses") if "accuracy" in row}
    assert f"reaches {100 * shares['density']:.0f} % of what it gains from real rows" in PAGE
    assert f"{100 * shares['network']:.0f} % with a single network, {100 * shares['ctgan']:.0f} %" in PAGE


def test_the_times_of_em_are_those_of_the_record():
    rows = [row for row in rows_of("em") if "peer" in row]
    ratios = [row["times_faster"] for row in rows]
    assert f"{min(ratios):.0f} to {max(ratios):,.0f} times faster than pyAgrum" in PAGE
    assert sum(row["ended"] for row in rows) == 1
    for row in rows:
        over = "" if row["ended"] else "over "
        cells = f"| {over}{row['peer_seconds']:.0f} | {over}{row['times_faster']:,.0f} |"
        assert f"| {row['network']} | {row['missing'] * 100:.0f} % | {row['seconds']:.2f} {cells}" in PAGE


def test_the_large_tables_are_those_of_the_records():
    for row in rows_of("large"):
        cells = [
            f"{row['columns']:,} x {row['rows']:,}",
            f"{row['wall_s']:,.0f}",
            f"{row['cpu_s']:,.0f}",
            f"{row['peak_mb'] / 1024:.1f} GB",
            f"{row['estimate_mb'] / 1024:.1f} GB",
            f"{row['arcs_per_variable']:.1f}",
        ]
        assert f"| {' | '.join(cells)} |" in PAGE
        assert (
            f"{row['columns']:,} columns x {row['rows']:,} rows with {row['peak_mb'] / 1024:.1f} GB" in PAGE
        )

"""The demo: a network with speaking names, learned, queried, drawn and saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import treebound as tb
from treebound.cli._clinic import clinic

pytest.importorskip("matplotlib")


def test_the_clinic_has_severe_states_for_severe_causes():
    truth = clinic()
    assert len(truth.schema) == 34
    sick = [
        truth.posterior("heart disease", {"smoker": state})["yes"] for state in ("never", "former", "daily")
    ]
    assert sick == sorted(sick)
    assert sick[0] < sick[2] / 3


def test_the_demo_saves_what_it_shows(tmp_path: Path, run):
    code, output, _ = run("demo", "--folder", str(tmp_path))
    assert code == 0
    network = tb.load_network(tmp_path / "network.json")
    table = tb.load(tmp_path / "clinic.csv")
    assert tb.check(network.structure, max_treewidth=4, data=table)
    assert not network.parents["age"]
    assert not network.parents["sex"]
    posterior = network.posterior(
        "heart disease", {"smoker": "daily", "chest pain": "yes", "ECG": "abnormal"}
    )
    assert f"{posterior['yes']:.4f}" in output
    truth = clinic().posterior("heart disease", {"smoker": "daily", "chest pain": "yes", "ECG": "abnormal"})
    assert np.abs(posterior.array - truth.array).max() < 0.05
    assert (tmp_path / "network.png").stat().st_size > 10_000

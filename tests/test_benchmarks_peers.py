"""The benchmark next to pgmpy and pyAgrum: scores are recounted, and limits are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import treebound as tb
from treebound.structure import score_structure

# Only for this import: benchmarks has a module named like the package of slow twins.
with pytest.MonkeyPatch.context() as _patch:
    _patch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    peers = pytest.importorskip("peers", reason="needs pandas", exc_type=ImportError)
DATA = tb.random_network(6, max_treewidth=2, max_states=3, seed=1).sample(400, seed=1)


@pytest.mark.parametrize("method", [name for name in peers.METHODS if name != "treebound, 10 s"])
def test_a_method_learns_and_its_score_is_recounted(method):
    (row,) = peers.compared("small", DATA, [method], 120)
    if isinstance(row, peers.Skip):
        pytest.skip(row.reason)
    assert row["ended"] == "ok"
    assert row["behind"] == 0
    assert row["seconds"] > 0
    assert row["marginals_s"] > 0
    empty = score_structure({name: [] for name in DATA.schema.names}, DATA).score
    best = tb.learn(DATA, 5, budget=tb.Budget(steps=50))
    assert best.search.is_optimal
    assert empty < row["bic"] <= best.score + 1e-6


def test_a_method_over_its_time_has_no_score_and_says_why():
    (row,) = peers.compared("small", DATA, ["treebound, 10 s"], 0.01)
    assert "bic" not in row
    assert row["ended"] == "over 0.01 s"


def test_behind_is_measured_from_the_best(monkeypatch):
    found = {"good": {"bic": -100.0}, "bad": {"bic": -110.0}, "slow": {"ended": "over 1 s"}}
    monkeypatch.setattr(peers, "modules_of", lambda method: ("treebound",))
    monkeypatch.setattr(peers, "outcome", lambda data, method, seconds: found[method])
    rows = {row["method"]: row for row in peers.compared("small", DATA, found, 1)}
    assert rows["bad"]["behind"] == pytest.approx(0.1)
    assert rows["good"]["behind"] == 0
    assert "behind" not in rows["slow"]


def test_the_tables_can_be_made():
    pytest.importorskip("sklearn")
    assert peers.breast_cancer().num_variables == 31
    digits = peers.digits()
    assert not digits.constant_columns
    assert digits.schema["target"].states == tuple("0123456789")
    assert peers.generated().num_variables == 200

"""Every set of popcount kernels that this machine can run gives the same scores, to the bit."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.core

PROGRAM = """
import numpy as np
from treebound import Dataset, Exhaustive, Schema, Variable, _core, score
rng = np.random.default_rng(0)
codes = (rng.random((9, 3777)) ** 2 * 3).astype(np.uint8)
variables = tuple(Variable(f"v{i}", ("a", "b", "c")) for i in range(9))
cache = score(Dataset(Schema(variables), codes), parent_sets=Exhaustive(3), pruning=None, budget=None).cache
print(_core.simd(), hash(cache.scores.tobytes()), hash(cache.parents.tobytes()))
"""


def run_with(kernels):
    environment = {**os.environ, "TREEBOUND_SIMD": kernels, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    name, *hashes = done.stdout.split()
    return name, hashes


def test_all_kernels_agree():
    widest, expected = run_with("avx512")
    names = {widest}
    for kernels in ("baseline", "plain", "avx2"):
        name, found = run_with(kernels)
        names.add(name)
        assert found == expected
    assert len(names) > 1 or os.uname().machine != "x86_64"

"""All marginals of published networks, with and without evidence, beside pyAgrum's LazyPropagation.

Each side of each network runs in a process of its own, so that neither inherits the other's memory. Seconds
are those of the processor, since other work may share the machine; building trees counts, reading does not.

Apart from benchmarks.paper: it measures published networks beside pyAgrum, not learned ones.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import numpy as np

import treebound
from _common import Expect, Row, Skip, with_peak
from _inferring import findings, published

QUESTION = "What do all marginals of published networks cost, with and without evidence, beside pyAgrum?"
EXPECTED = [
    Expect("times_faster", at_least=1),
    Expect("times_faster_evidence", at_least=1),
    Expect("largest_difference", at_most=1e-9),
]
NETWORKS = ("alarm", "hailfinder", "hepar2", "win95pts", "andes", "pigs", "diabetes", "munin", "munin1")
SHARE_KNOWN = 0.1
NUM_EVIDENCE = 3
REPEATS = 3
# One repeat is enough for what takes this long.
LONG_SECONDS = 5.0


def measure() -> Iterator[Row | Skip]:
    """One row for each network."""
    for name in NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            answers = {}
            for side in ("treebound", "pyagrum"):
                command = [sys.executable, __file__, name, side, f"{folder}/{side}.npy"]
                answer = subprocess.run(command, capture_output=True, text=True)
                if answer.returncode:
                    yield Skip(f"{name}, {side}: {answer.stderr.strip().splitlines()[-1]}")
                    break
                answers[side] = json.loads(answer.stdout)
            if len(answers) < 2:
                continue
            ours, theirs = answers["treebound"], answers["pyagrum"]
            differences = np.abs(np.load(f"{folder}/treebound.npy") - np.load(f"{folder}/pyagrum.npy"))
            yield {
                "network": name,
                "variables": ours["variables"],
                "cells": ours["cells"],
                "cpu_s": ours["cpu_s"],
                "pyagrum_cpu_s": theirs["cpu_s"],
                "times_faster": theirs["cpu_s"] / ours["cpu_s"],
                "evidence_cpu_s": ours["evidence_cpu_s"],
                "pyagrum_evidence_cpu_s": theirs["evidence_cpu_s"],
                "times_faster_evidence": theirs["evidence_cpu_s"] / ours["evidence_cpu_s"],
                "peak_mb": ours["peak_mb"],
                "pyagrum_peak_mb": theirs["peak_mb"],
                "largest_difference": float(differences.max()),
            }


class Treebound:
    """Our side."""

    def __init__(self, network: treebound.BayesianNetwork, _: object) -> None:
        self.network = network

    def marginals(self, evidence: dict[str, str]) -> dict[str, np.ndarray]:
        """All of them, from nothing but the network."""
        return treebound.JunctionTree(self.network).marginals(evidence)


class PyAgrum:
    """Their side."""

    def __init__(self, network: treebound.BayesianNetwork, peer: object) -> None:
        self.names, self.peer = network.schema.names, peer

    def marginals(self, evidence: dict[str, str]) -> dict[str, np.ndarray]:
        """All of them, from nothing but the network."""
        import pyagrum

        inference = pyagrum.LazyPropagation(self.peer)
        # Its threads wait in loops, which would count as work.
        inference.setNumberOfThreads(1)
        inference.setEvidence(evidence)
        inference.makeInference()
        return {name: inference.posterior(name).toarray() for name in self.names}


def one_side(name: str, side: str, answers: pathlib.Path) -> Row:
    """Measure here and now."""
    found = published(name)
    if isinstance(found, Skip):
        raise SystemExit(found.reason)
    network = found[0]
    asked = {"treebound": Treebound, "pyagrum": PyAgrum}[side](*found)
    marginals, seconds, peak = best_of(asked, {})
    given = [findings(network, SHARE_KNOWN, seed) for seed in range(1, NUM_EVIDENCE + 1)]
    all_given = [best_of(asked, evidence) for evidence in given]
    flat = [*marginals.values(), *(array for one, _, _ in all_given for array in one.values())]
    np.save(answers, np.concatenate(flat))
    return {
        "variables": network.num_variables,
        "cells": treebound.JunctionTree(network).num_cells,
        "cpu_s": seconds,
        "evidence_cpu_s": sum(seconds for _, seconds, _ in all_given) / NUM_EVIDENCE,
        "peak_mb": peak,
    }


def best_of(
    asked: Treebound | PyAgrum, evidence: dict[str, str]
) -> tuple[dict[str, np.ndarray], float, float]:
    """The answer, the least processor seconds of a few tries, and the peak of memory of the first."""
    start = time.process_time()
    answer, peak = with_peak(lambda: asked.marginals(evidence))
    least = time.process_time() - start
    for _ in range(REPEATS - 1 if least < LONG_SECONDS else 0):
        start = time.process_time()
        asked.marginals(evidence)
        least = min(least, time.process_time() - start)
    return answer, least, peak


if __name__ == "__main__":
    print(json.dumps(one_side(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]))))

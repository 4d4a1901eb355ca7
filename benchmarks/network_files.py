"""Loading and saving whole networks in each format, beside pyAgrum's reader of BIF.

pyAgrum's reader takes time that grows faster than the file: with 10,000 variables, minutes on a busy machine.
Processor seconds are compared, since the machine may do other work.

Apart from benchmarks.paper: it measures readers of files.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Iterator

import treebound
from _common import Expect, Row, Skip, clocked

QUESTION = "Is BIF of 10,000 variables and width 4 loaded in under 2 s, and 20 times as fast as by pyAgrum?"
EXPECTED = [
    Expect("load_cpu_s", at_most=2.0, where={"format": "bif"}),
    Expect("times_pyagrum", at_least=20.0, where={"network": "random-10000"}),
    Expect("times_pyagrum", at_least=1.5),
]
ENDINGS = ("json", "bif", "xmlbif", "uai", "net", "xdsl")
REPOSITORY = ("munin", "diabetes")


def measure() -> Iterator[Row | Skip]:
    """Per network and format: seconds to save and to load, and megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        for num_variables in (2_000, 10_000):
            network = treebound.random_network(
                num_variables, max_states=2, min_parents=4, max_parents=4, max_treewidth=4, seed=1
            )
            yield from formats(f"random-{num_variables}", network, pathlib.Path(folder))
        data = os.environ.get("TREEBOUND_DATA")
        for name in REPOSITORY:
            path = pathlib.Path(data or "", "networks", f"{name}.bif.gz")
            if data is None or not path.exists():
                yield Skip(f"{name}: not in TREEBOUND_DATA.")
            else:
                yield from formats(name, treebound.load_network(path), pathlib.Path(folder))


def formats(name: str, network: treebound.BayesianNetwork, folder: pathlib.Path) -> Iterator[Row | Skip]:
    """One network in every format."""
    for ending in ENDINGS:
        path = folder / f"network.{ending}"
        _, _, save = clocked(lambda path=path: treebound.save_network(network, path))
        again, wall, load = clocked(lambda path=path: treebound.load_network(path))
        row = {
            "network": name,
            "format": ending,
            "megabytes": path.stat().st_size / 1e6,
            "save_cpu_s": save,
            "load_cpu_s": load,
            "load_wall_s": wall,
            "same": again.parent_indices == network.parent_indices,
        }
        if ending == "bif":
            theirs = pyagrum_seconds(path)
            if isinstance(theirs, Skip):
                yield theirs
            else:
                row |= {"pyagrum_cpu_s": theirs, "times_pyagrum": theirs / load}
        yield row


def pyagrum_seconds(path: pathlib.Path) -> float | Skip:
    """Processor seconds that pyAgrum takes to load a file; it prints a warning for every property."""
    try:
        import pyagrum
    except ImportError:
        return Skip("pyAgrum is not installed.")
    with pathlib.Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        return clocked(lambda: pyagrum.loadBN(str(path)))[2]

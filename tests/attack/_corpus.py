"""Small proper files in every format, to be damaged: what the package writes, and what it only reads."""

from __future__ import annotations

import functools
import tempfile
import warnings
from pathlib import Path

_DSC = """belief network "x"
node A { type : discrete[2] = {"yes", "no"}; }
node B { type : discrete[2] = {"a", "b"}; }
probability(A) { 0.3, 0.7; }
probability(B | A) { (0) : 0.25, 0.75; (1) : 0.5, 0.5; }
"""
_TEXTS = {
    ".dsc": _DSC,
    ".csv": 'a,"b b",c\n0,x,yes\n1,y,no\n1,"z,\n""",yes\n',
    ".tsv": "a\tb\n0\tx\n1\ty\n",
    ".dat": "A B C\n2 3 2\n0 1 0\n1 2 1\n1 0 1\n",
    ".evid": "2 0 1 2 0\n",
    ".MAR": "MAR\n3 2 0.5 0.5 2 0.1 0.9 2 1 0\n",
    ".MPE": "MPE\n3 0 1 1\n",
    ".PR": "PR\n-12.5\n",
    ".res": "0: -1.5  (1)\n1: -2.5 \n2: -1  (0, 1)\n",
}
_WRITTEN = {
    "network": (".json", ".bif", ".xmlbif", ".uai", ".net", ".xdsl"),
    "structure": (".json", ".res", ".dot", ".graphml", ".modelstring"),
    "cache": (".jkl", ".tbc"),
    "table": (".csv", ".parquet"),
}


@functools.cache
def corpus() -> list[tuple[str, bytes]]:
    """Endings and contents."""
    found = [(ending, text.encode()) for ending, text in _TEXTS.items()]
    with tempfile.TemporaryDirectory() as folder:
        for number, (n, k) in enumerate([(3, 1), (5, 2)]):
            found += _written(Path(folder), n, k, number)
    return found


def _written(folder: Path, n: int, k: int, seed: int) -> list[tuple[str, bytes]]:
    import pyarrow
    import pyarrow.feather

    import treebound
    from treebound.tables import save_table

    network = treebound.random_network(n, max_treewidth=k, seed=seed)
    rows = network.sample(30, seed=seed)
    learned = treebound.learn(rows, k, budget=treebound.Budget(steps=2), where=treebound.Local(threads=1))
    fitted = treebound.fit(learned, rows)  # whose file holds the structure, too
    things = {"network": fitted, "structure": learned.structure, "cache": learned.cache, "table": rows}
    savers = {
        "network": treebound.save_network,
        "structure": treebound.save_structure,
        "cache": treebound.save_cache,
        "table": save_table,
    }
    found = []
    for kind, endings in _WRITTEN.items():
        for ending in endings:
            path = folder / f"x{ending}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", treebound.formats.LossySave)
                savers[kind](things[kind], path)
            found.append((ending, path.read_bytes()))
    path = folder / "x.feather"
    pyarrow.feather.write_feather(pyarrow.table({"a": ["x", "y"], "b": [1, 2]}), path)
    found += [(".feather", path.read_bytes()), (".arrow", path.read_bytes())]
    return found

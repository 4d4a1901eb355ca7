"""One measurement in a process of its own: ``python -m benchmarks.paper._child ASKED RESULT``."""

from __future__ import annotations

import json
import resource
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.paper import _candidates, _density, _inference, _pruning, _variants
from benchmarks.paper._measure import Row, keep

from treebound import InferenceError
from treebound.experiments import end_with_parent

KINDS: dict[str, Callable[[Mapping[str, Any]], Iterator[Row]]] = {
    "variants": _variants.measure,
    "candidates": _candidates.measure,
    "pruning": _pruning.measure,
    "density": _density.measure,
    "inference": _inference.measure,
}


def main(asked: str, result: str) -> None:
    """Measure, and leave what was found, also if memory ends before the work does."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    plain = json.loads(asked)
    limit = plain["memory_mb"] << 20
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    rows: list[Row] = []
    try:
        for row in KINDS[plain["kind"]](plain["arguments"]):
            rows.append(row)
            keep(Path(result), "unfinished", rows)
        keep(Path(result), "ok", rows)
    except (MemoryError, InferenceError) as error:
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        keep(Path(result), "memory", rows, str(error) or "There is not enough memory.")
    except Exception as error:
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        keep(Path(result), "failed", rows, f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])

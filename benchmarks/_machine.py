"""Facts that figures depend on: the machine, and the commit that the working tree stands on."""

from __future__ import annotations

import os
import pathlib
import platform
import subprocess
from typing import Any

from treebound import _core
from treebound._budget import resolve_threads

HERE = pathlib.Path(__file__).parent


def machine() -> dict[str, Any]:
    """Facts about the machine that the figures depend on."""
    return {
        "cpu": cpu_model(),
        "cores": resolve_threads(None),
        "simd": _core.simd(),
        "python": platform.python_version(),
        "load_average": load_average(),
    }


def load_average() -> list[float]:
    """How many processes wanted to run, over 1, 5 and 15 minutes."""
    return [round(load, 2) for load in os.getloadavg()]


def cpu_model() -> str:
    """Name of the processor."""
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor()


def commit() -> str:
    """The commit that the working tree stands on, marked where sources differ from it."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "../core", "../bindings", "../src")
    return git("rev-parse", "--short=12", "HEAD") + ("+changes" if changed else "")

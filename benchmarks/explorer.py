"""The explorer in headless Chromium: the wait after a click, and how smoothly a large graph moves.

A click sets or clears the evidence on a variable. ``click_ms`` ends with the frame that shows all bars moved,
``settled_ms`` with the one that also shows the colours of all dots; both include the frame after. The server
is a process of its own. Graphics are drawn by software, as without a graphics card.
Needs chromium, chromedriver and selenium.

Apart from benchmarks.paper: the paper has no explorer.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import treebound
from _common import Expect, Row, Skip

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
from browser import chromium, open_page, reason_without

QUESTION = (
    "How long from a click to all bars moved, on munin and on 10,000 variables, and how smooth is panning?"
)
EXPECTED = [
    Expect("click_ms_median", at_most=100, where={"network": "random, 10,000 variables"}),
    Expect("click_ms_median", at_most=100, where={"network": "munin"}),
    Expect("frames_per_second", at_least=30, where={"network": "random, 10,000 variables"}),
    Expect("arcs", at_least=20_000, where={"network": "random, 10,000 variables"}),
    Expect("page_kb", at_most=150),
]
CLICKS = 30
PAN = """
const [far, done] = arguments;
Element.prototype.setPointerCapture = () => {};
const send = (kind, x) => document.getElementById("labels").dispatchEvent(
  new PointerEvent(kind, {pointerId: 7, clientX: x, clientY: 300, button: 0, buttons: 1, bubbles: true}));
send("pointerdown", 300);
let frames = 0; const start = performance.now();
const step = () => {
  frames++; send("pointermove", 300 + far * Math.sin(frames / 10));
  const seconds = (performance.now() - start) / 1000;
  if (seconds < 4) requestAnimationFrame(step); else { send("pointerup", 300); done(frames / seconds); }
};
requestAnimationFrame(step);
"""


def measure() -> Iterator[Row | Skip]:
    """One row for each network."""
    if reason := reason_without():
        yield Skip(reason)
        return
    folder = os.environ.get("TREEBOUND_DATA")
    munin = pathlib.Path(folder or "") / "networks" / "munin.bif.gz"
    if folder and munin.exists():
        yield row("munin", munin)
    else:
        yield Skip("TREEBOUND_DATA does not lead to networks/munin.bif.gz.")
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "random.json"
        large = treebound.random_network(10_000, min_parents=2, max_parents=3, max_treewidth=3, seed=1)
        treebound.save_network(large, path)
        yield row("random, 10,000 variables", path)


def row(name: str, path: pathlib.Path) -> Row:
    """Start the explorer on a file, click, and pan."""
    network = treebound.load_network(path)
    with server(path) as (process, url), chromium(1440, 900) as driver:
        open_page(driver, url)
        load_ms = driver.execute_script("return performance.now()")
        times = clicked(driver, network)
        frames = driver.execute_async_script(PAN, 150)
        for _ in range(4):
            driver.find_element("id", "zoom-in").click()
        closer = driver.execute_async_script(PAN, 500)
        memory = resident_mb(process.pid)
    files = pathlib.Path(treebound.__file__).parent.joinpath("explorer", "page").iterdir()
    return {
        "network": name,
        "variables": network.num_variables,
        "arcs": network.num_arcs,
        "clicks": len(times["onScreen"]),
        "click_ms_median": float(np.median(times["onScreen"])),
        "click_ms_p95": float(np.quantile(times["onScreen"], 0.95)),
        "settled_ms_median": float(np.median(times["settled"])),
        "settled_ms_p95": float(np.quantile(times["settled"], 0.95)),
        "server_ms_median": float(np.median(times["serverTime"])),
        "load_ms": load_ms,
        "frames_per_second": frames,
        "frames_per_second_closer": closer,
        "page_kb": sum(file.stat().st_size for file in files) / 1000,
        "server_mb": memory,
    }


@contextmanager
def server(path: pathlib.Path) -> Iterator[tuple[Any, str]]:
    """A running explorer and its address."""
    command = [sys.executable, "-m", "treebound", "explore", str(path), "--no-browser", "--quiet", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, json.loads(process.stdout.readline())["url"]
        finally:
            process.terminate()


def clicked(driver: Any, network: treebound.BayesianNetwork) -> dict[str, list[float]]:
    """Milliseconds from clicks on random variables to bars and to colours, and of these the server's."""
    prior, generator = network.marginals(), random.Random(1)
    found: dict[str, list[float]] = {"onScreen": [], "settled": [], "serverTime": []}
    for name in generator.sample(network.schema.names, CLICKS):
        state = int(prior[name].array.argmax())
        select(driver, name)
        for _ in ("set", "clear"):
            before = driver.execute_script("return document.body.dataset.answered")
            driver.find_element("css selector", f".node-card .state[data-code='{state}']").click()
            while driver.execute_script("return document.body.dataset.answered") == before:
                time.sleep(0.01)
            seen = driver.execute_script("return {...document.body.dataset}")
            for what, times in found.items():
                times.append(float(seen[what]))
    return found


def select(driver: Any, name: str) -> None:
    """Find a variable by its whole name."""
    box = driver.find_element("id", "search")
    box.send_keys(name, "\ue007")


def resident_mb(process: int) -> float:
    """Memory of the server now."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1000

"""Draws notebook.png: two cells of the tour with their stored output, in headless Chromium."""

from __future__ import annotations

import html
import json
import pathlib
import subprocess
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).parent
NOTEBOOK = HERE.parents[1] / "examples" / "tour.ipynb"
CELLS = ('network.posterior("passed"', 'network.posterior("points"')
WIDTH, HEIGHT = 900, 410
STYLE = """
body { font: 14px/1.45 "DejaVu Sans", sans-serif; color: #1f2933; background: white; margin: 16px }
.cell { display: grid; grid-template-columns: 64px 1fr; margin-bottom: 14px }
.prompt { font: 12px/2.4 "DejaVu Sans Mono", monospace; color: #5b6775; padding-right: 8px }
.prompt { text-align: right }
pre { margin: 0; padding: 7px 10px; background: #f5f7fa; border: 1px solid #dde3ea; border-radius: 3px }
pre { font: 13px/1.5 "DejaVu Sans Mono", monospace } .out { padding: 8px 10px }
"""


def page() -> str:
    """Return the cells as a page of HTML."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    body = ""
    for start in CELLS:
        (cell,) = (cell for cell in cells if cell["cell_type"] == "code" and start in "".join(cell["source"]))
        body += _row(f"[{cell['execution_count']}]:", f"<pre>{html.escape(''.join(cell['source']))}</pre>")
        (result,) = (one for one in cell["outputs"] if one["output_type"] == "execute_result")
        body += _row("", f'<div class="out">{_markup(result)}</div>')
    return f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{body}'


def _row(prompt: str, content: str) -> str:
    return f'<div class="cell"><div class="prompt">{prompt}</div><div>{content}</div></div>'


def _markup(output: dict[str, Any]) -> str:
    return "".join(output["data"]["text/html"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        place = pathlib.Path(folder, "page.html")
        place.write_text(page(), "utf-8")
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        flags += [f"--user-data-dir={folder}/profile", f"--window-size={WIDTH},{HEIGHT}"]
        picture = HERE / "notebook.png"
        subprocess.run(["chromium", *flags, f"--screenshot={picture}", place.as_uri()], check=True)

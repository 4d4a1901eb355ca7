"""The explorer in a notebook: a live kernel returns a frame, which works in a page of another server."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import rain
import treebound as tb
from browser import SETTLED, chromium, reason_without, wait_for

pytestmark = pytest.mark.skipif(reason_without() is not None, reason=str(reason_without()))

CELL = """
import treebound
network = treebound.BayesianNetwork.from_tables(
    {"rain": {"no": 0.8, "yes": 0.2}, "wet": [[0.9, 0.1], [0.2, 0.8]]}, parents={"wet": ["rain"]}
)
network.explore()
"""


@pytest.fixture(scope="module")
def driver():
    with chromium(900, 800) as one:
        yield one


@contextmanager
def notebook_page(html):
    """The address of a page that shows some HTML, as a notebook server does."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def open_frame(driver, address):
    driver.get(address)
    driver.switch_to.frame(driver.find_element("css selector", "iframe"))


def test_the_frame_of_a_live_kernel_works(driver):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    client = nbclient.NotebookClient(notebook, timeout=120)
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        (output,) = notebook.cells[0].outputs
        with notebook_page(output.data["text/html"]) as address:
            open_frame(driver, address)
            wait_for(driver, SETTLED)
            driver.find_element("css selector", ".card[data-name='wet'] .card-state[data-code='1']").click()
            wait_for(driver, "return document.body.dataset.answered === '2'")
            found = driver.find_element("css selector", ".card[data-name='rain'] [data-code='1'] .share").text
            assert float(found) == pytest.approx(100 * 0.16 / 0.24, abs=0.051)


def test_other_pages_cannot_frame_an_explorer_that_was_not_started_in_a_notebook(driver):
    with (
        tb.explore(rain.NETWORK, open_browser=False) as explorer,
        notebook_page(explorer._repr_html_()) as address,
    ):
        open_frame(driver, address)
        wait_for(driver, "return location.href.startsWith('chrome-error:')")
        assert driver.find_elements("id", "stage") == []

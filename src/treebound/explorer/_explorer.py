"""A running explorer: a server on this machine only, and the address of its page."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from html import escape
from typing import Any

from treebound._arguments import check_integer, check_type
from treebound.explorer._model import Model
from treebound.explorer._rows import read_rows
from treebound.explorer._server import make_server
from treebound.network import BayesianNetwork

_FRAME_HEIGHT = 720  # pixels
_POLL_SECONDS = 0.05  # between two looks whether to stop


class Explorer:
    """A page that shows one network, served to this machine until ``close``.

    In a notebook the object displays itself as a frame. ``wait`` blocks until Ctrl-C, for scripts.
    """

    def __init__(self, model: Model, port: int = 0, *, framed: bool = False) -> None:
        self._server = make_server(model, port, framed=framed)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port of the server."""
        return self._server.server_port

    @property
    def url(self) -> str:
        """The address of the page. It holds a secret token: whoever has it can query the network."""
        return f"http://127.0.0.1:{self.port}/#token={self._server.gate.token}"

    def wait(self) -> None:
        """Block until Ctrl-C, then close."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.5)
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Stop serving. The page keeps what it shows, but no longer answers. A second call does nothing."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Explorer: {self.url}>"

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{_FRAME_HEIGHT}px;border:0;border-radius:8px"
        return f'<iframe src="{escape(self.url)}" style="{style}" title="treebound explorer"></iframe>'


def explore(
    network: BayesianNetwork,
    table: Any = None,
    *,
    name: str | None = None,
    port: int = 0,
    open_browser: bool | None = None,
    progress: Callable[[str], None] | None = None,
) -> Explorer:
    """Explore a network in the browser, or in a frame of the notebook.

    Parameters
    ----------
    network : BayesianNetwork
        The network to explore.
    table : Dataset or anything that ``load`` takes, optional
        Rows to step through: anything that ``load`` takes, or a Dataset. Cells and columns may be missing.
    name : str, optional
        The title of the page, usually the name of a file.
    port : int
        The port to serve on; 0 picks a free one.
    open_browser : bool, optional
        Whether to open the page. None opens it unless this runs in a notebook, where the returned object
        displays itself as a frame.
    progress : callable, optional
        Called with a line of text before each step of the preparation.

    Returns
    -------
    Explorer
        The running page; ``close()`` stops it, ``wait()`` blocks until Ctrl-C.

    Raises
    ------
    OSError
        If the port is in use.

    Examples
    --------
    >>> import treebound
    >>> page = treebound.explore(treebound.random_network(5, seed=1), open_browser=False)
    >>> page.close()
    """
    check_type("network", network, BayesianNetwork, "a BayesianNetwork")
    port = check_integer("port", port, 0, 65535)
    rows = None if table is None else read_rows(network, table)
    framed = _in_notebook()
    explorer = Explorer(Model(network, name or "network", rows, progress), port, framed=framed)
    if not framed if open_browser is None else open_browser:
        webbrowser.open(explorer.url)
    return explorer


def _in_notebook() -> bool:
    """Whether IPython runs with a kernel, which can display frames."""
    import sys

    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")

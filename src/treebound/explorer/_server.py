"""The server of the page: the standard library's, bound to this machine only.

``GET`` returns files of the page, which hold no data. ``POST /api/<question>`` answers questions about the
network, for callers with the token.
"""

from __future__ import annotations

import json
import logging
import socket
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from treebound.explorer._gate import Gate, Rejected
from treebound.explorer._model import Model
from treebound.explorer._packing import packed
from treebound.explorer._pages import pages
from treebound.explorer._questions import QUESTIONS

logger = logging.getLogger(__name__)

_IDLE_SECONDS = 60  # a connection that sends nothing for so long is closed
# Data never becomes code: scripts and styles are files of the page, and requests go to this server only.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors "
)
_NOTEBOOKS = "http://127.0.0.1:* http://localhost:* https://localhost:* vscode-webview:"


class ExplorerServer(ThreadingHTTPServer):
    """A server for one model, with a thread for each connection."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    model: Model
    gate: Gate
    policy: str

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections that break off are not worth a traceback in the user's terminal."""
        logger.debug("A connection broke off.", exc_info=True)


def make_server(model: Model, port: int, *, framed: bool) -> ExplorerServer:
    """Bind to the loopback interface; port 0 takes a free one."""
    try:
        server = ExplorerServer(("127.0.0.1", port), _Handler)
    except OSError as error:
        raise OSError(
            f"port {port} cannot be used ({error.strerror}). Choose another one, or 0 for any free port."
        ) from error
    server.model, server.gate = model, Gate(server.server_port)
    server.policy = _POLICY + (_NOTEBOOKS if framed else "'none'")
    return server


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    protocol_version = "HTTP/1.1"
    server_version = "treebound"
    sys_version = ""
    timeout = _IDLE_SECONDS

    def setup(self) -> None:
        super().setup()
        # Answers are small: without this, the second packet of each waits for an acknowledgement.
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def do_GET(self) -> None:
        try:
            self.server.gate.check_host(self.headers)
            page = pages().get(self.path.partition("?")[0])
            if page is None:
                raise Rejected(HTTPStatus.NOT_FOUND, "There is no such page.")
            is_known = self.headers.get("If-None-Match") == page.tag
            status = HTTPStatus.NOT_MODIFIED if is_known else HTTPStatus.OK
            self._send(status, b"" if is_known else page.content, page.media_type, page.tag)
        except Rejected as rejected:
            self._reject(rejected)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        try:
            self.server.gate.check_host(self.headers)
            self.server.gate.check_caller(self.headers)
            question = (
                QUESTIONS.get(self.path.removeprefix("/api/")) if self.path.startswith("/api/") else None
            )
            if question is None:
                raise Rejected(HTTPStatus.NOT_FOUND, "There is no such query.")
            result = question(self.server.model, self._body())
            self._send(HTTPStatus.OK, packed(result), "application/octet-stream")
        except Rejected as rejected:
            self._reject(rejected)
        except ValueError as error:  # the query has no result: all our errors are of this kind
            self._send_error(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        except MemoryError:
            self._send_error(HTTPStatus.INSUFFICIENT_STORAGE, "There is not enough memory.")
        except OSError:  # the connection has gone
            raise
        except Exception as error:  # a fault of ours: the page shows it and stays usable
            logger.exception("The query %s failed.", self.path)
            message = f"treebound failed on this query ({type(error).__name__}: {error}). Please report it."
            self._send_error(HTTPStatus.INTERNAL_SERVER_ERROR, message)

    def _body(self) -> dict[str, Any]:
        raw = self.rfile.read(self.server.gate.body_length(self.headers))
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            raise Rejected(HTTPStatus.BAD_REQUEST, "The body must be a JSON object.") from None
        if not isinstance(body, dict):
            raise Rejected(HTTPStatus.BAD_REQUEST, "The body must be a JSON object.")
        return body

    def _reject(self, rejected: Rejected) -> None:
        """Answer and hang up, since the rest of the request has not been read."""
        self.close_connection = True
        self._send_error(rejected.status, str(rejected))

    def _send_error(self, status: HTTPStatus, message: str) -> None:
        self._send(status, json.dumps({"error": message}).encode("ascii"), "application/json")

    def _send(self, status: HTTPStatus, content: bytes, media_type: str, tag: str | None = None) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": media_type,
            "Content-Length": str(len(content)),
            "Cache-Control": "no-cache" if tag else "no-store",
            "Content-Security-Policy": self.server.policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            **({"ETag": tag} if tag else {}),
            **({"Connection": "close"} if self.close_connection else {}),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the terminal quiet; the log of the package has it."""
        logger.debug(format, *args)

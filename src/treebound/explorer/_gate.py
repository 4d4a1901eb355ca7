"""Who may ask: only pages of this server, with its token, and only requests of a reasonable size.

Other pages in the same browser can send requests to this machine. They do not know the token, browsers name
them in Origin, and names that resolve to this machine only for the attack stand in Host: each alone is enough
to reject them.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus

MAX_BODY_BYTES = 4 << 20
TOKEN_HEADER = "X-Treebound-Token"


class Rejected(Exception):
    """A request that gets no answer, with the status that says why."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Gate:
    """The checks of one server."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    def check_host(self, headers: Message) -> None:
        """Reject names that are not of this machine (DNS rebinding)."""
        if headers.get_all("Host", []) not in ([host] for host in self._hosts()):
            raise Rejected(HTTPStatus.MISDIRECTED_REQUEST, "Open the explorer at 127.0.0.1 or localhost.")

    def check_caller(self, headers: Message) -> None:
        """Reject requests of other pages, and those without the token."""
        origin = headers.get("Origin")
        if origin is not None and origin not in (f"http://{host}" for host in self._hosts()):
            raise Rejected(HTTPStatus.FORBIDDEN, "Requests of other pages are rejected.")
        if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise Rejected(HTTPStatus.FORBIDDEN, "Requests of other pages are rejected.")
        token = headers.get(TOKEN_HEADER, "")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
            raise Rejected(HTTPStatus.UNAUTHORIZED, "The token is wrong. Open the address that was printed.")

    def body_length(self, headers: Message) -> int:
        """The length of the body, which must be stated and small."""
        stated = headers.get_all("Content-Length", [])
        if "Transfer-Encoding" in headers or len(stated) != 1:
            raise Rejected(HTTPStatus.LENGTH_REQUIRED, "State the length of the body once.")
        if not (stated[0].isascii() and stated[0].isdigit()):
            raise Rejected(HTTPStatus.BAD_REQUEST, "The length of the body must be a number.")
        if len(stated[0]) > 12 or int(stated[0]) > MAX_BODY_BYTES:
            raise Rejected(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"Send at most {MAX_BODY_BYTES} bytes.")
        return int(stated[0])

    def _hosts(self) -> tuple[str, str]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

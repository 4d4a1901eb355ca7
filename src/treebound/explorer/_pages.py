"""The files of the page, read once from the package: a path that is not in this list does not exist."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Page:
    """A file of the page."""

    content: bytes
    media_type: str

    @property
    def tag(self) -> str:
        """What changes with the content."""
        return f'"{sha256(self.content).hexdigest()[:16]}"'


@cache
def pages() -> dict[str, Page]:
    """Files by path; the root is the page itself."""
    found = {}
    for file in files("treebound.explorer").joinpath("page").iterdir():
        ending = "." + file.name.rpartition(".")[2]
        if ending in _TYPES:
            found[f"/{file.name}"] = Page(file.read_bytes(), _TYPES[ending])
    found["/"] = found["/index.html"]
    return found

"""XML as a tree whose elements know their lines, safe against hostile files.

Straight from expat, since ``ElementTree`` forgets lines. Documents that declare or use entities of their own
are rejected: none of the formats needs them, and they are what makes small files expand without end or read
other files. A DTD inside the document is skipped, one outside is not fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from xml.parsers import expat

from treebound.formats._network_draft import NetworkFileError


class Element:
    """A tag in lower case without prefix, its attributes, its text, the elements in it, and its line."""

    __slots__ = ("attributes", "children", "line", "pieces", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag, self.attributes, self.line = tag, attributes, line
        self.children: list[Element] = []
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """The text, blanks at its ends taken off."""
        return "".join(self.pieces).strip()

    def all(self, tag: str) -> Iterator[Element]:
        """The elements of this tag that stand directly inside."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element:
        """The only element of this tag that stands directly inside."""
        found = list(self.all(tag))
        if len(found) != 1:
            raise self.fault(f"expected one <{tag}> in <{self.tag}>, got {len(found)}.")
        return found[0]

    def attribute(self, key: str) -> str:
        """An attribute that has to be there."""
        if key not in self.attributes:
            raise self.fault(f"expected an attribute {key!r} of <{self.tag}>, got none.")
        return self.attributes[key]

    def numbers(self) -> list[float]:
        """The text as numbers with blanks between."""
        words = self.text.split()
        try:
            return list(map(float, words))
        except ValueError as error:
            raise self.fault(f"expected numbers in <{self.tag}>, got something else ({error}).") from None

    def fault(self, message: str) -> NetworkFileError:
        """An error about this element."""
        return NetworkFileError(f"line {self.line}: {message}")


def parse_xml(data: bytes | str, root_tag: str) -> Element:
    """The root of a document, which has to have this tag."""
    parser = expat.ParserCreate()
    top = Element("", {}, 1)
    stack = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag.rpartition(":")[2].lower(), attributes, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(_: str) -> None:
        stack.pop()

    def reject(*_: object) -> None:
        raise NetworkFileError(f"line {parser.CurrentLineNumber}: entities of a document's own are not read.")

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: stack[-1].pieces.append(text)
    parser.EntityDeclHandler = reject
    parser.SkippedEntityHandler = reject
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NetworkFileError(
            f"line {error.lineno}: expected XML, got {expat.ErrorString(error.code)}."
        ) from error
    except (ValueError, LookupError) as error:
        if isinstance(error, NetworkFileError):
            raise
        raise NetworkFileError(f"expected XML, got {error}.") from error
    root = top.children[0]
    if root.tag != root_tag:
        raise root.fault(f"expected <{root_tag}> around everything, got <{root.tag}>.")
    return root


def xml(text: str) -> str:
    """A text as it stands between tags. (The function of ``xml.sax`` costs an import of 50 ms.)"""
    return escape(text, quote=False)

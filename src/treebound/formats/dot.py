"""Graphs in Graphviz's DOT language: written for pictures, read as far as plain directed graphs go."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from treebound.structure import Structure, StructureError

_TOKEN = re.compile(
    r"""(?P<skip> \s+ | //[^\n]* | /\*.*?\*/ | ^\#[^\n]* )
      | "(?P<quoted> (?: [^"\\] | \\. )* )"
      | (?P<word> [^\W\d]\w* | -?(?:\.\d+|\d+(?:\.\d*)?) )
      | (?P<sign> -> | [{}\[\];,=:] )""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_KEYWORDS = frozenset({"node", "edge", "graph"})
_QUOTE = '"'


def format_dot(structure: Structure) -> str:
    """Return the graph in DOT: every variable, then every arc."""
    names = [_quoted(name) for name in structure.names]
    lines = [f"  {name};" for name in names]
    lines += [f"  {names[parent]} -> {names[child]};" for parent, child in structure.arc_indices]
    return "\n".join(["digraph treebound {", *lines, "}", ""])


def parse_dot(text: str) -> Structure:
    """Make a structure of a directed graph without subgraphs; attributes are passed over."""
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.parents: dict[str, list[str]] = {}

    def parse(self) -> Structure:
        if self._peek().lower() == "strict":
            self._next()
        if self._next().lower() != "digraph":
            raise self._error("digraph")
        if self._peek() != "{":
            self._next()
        self._expect("{")
        while self._peek() != "}":
            self._statement()
        self._expect("}")
        if self._next():
            raise self._error("the end of the text")
        return Structure.from_parents(self.parents, provenance={"format": "dot"})

    def _statement(self) -> None:
        if self._peek() in (";", ","):
            self._next()
            return
        first, is_keyword = self._identifier()
        if is_keyword or self._peek() == "=":
            if self._peek() == "=":
                self._next()
                self._identifier()
            self._attributes()
            return
        chain = [first]
        while self._peek() == "->":
            self._next()
            chain.append(self._identifier()[0])
        self._attributes()
        for name in chain:
            self.parents.setdefault(name, [])
        for parent, child in itertools.pairwise(chain):
            if parent not in self.parents[child]:
                self.parents[child].append(parent)

    def _attributes(self) -> None:
        while self._peek() == "[":
            while (token := self._next()) != "]":
                if not token:
                    raise self._error("]")

    def _identifier(self) -> tuple[str, bool]:
        """Return a name, and whether it is one of the words that set attributes for all."""
        token = self._next()
        if token.startswith(_QUOTE):
            name = re.sub(r"\\(.)", r"\1", token[1:], flags=re.DOTALL)
        elif token and (token[0].isalnum() or token[0] in "_-.") and token != "->":
            name = token
        else:
            raise self._error("a name")
        if name.lower() == "subgraph" and not token.startswith(_QUOTE):
            raise self._error("a node or an arc (subgraphs are not read)")
        while self._peek() == ":":  # a port, which says where an arrow touches the picture of a node
            self._next()
            self._next()
        return name, token.lower() in _KEYWORDS

    def _peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.at += 1
        return token

    def _expect(self, sign: str) -> None:
        if self._next() != sign:
            raise self._error(sign)

    def _error(self, expected: str) -> StructureError:
        line, token = self.tokens[self.at - 1] if 0 < self.at <= len(self.tokens) else (0, "")
        if not token:
            return StructureError(f"expected {expected}, got the end of the text.")
        return StructureError(f"line {line}: expected {expected}, got {token.lstrip(_QUOTE)[:30]!r}.")


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield line numbers and tokens; a quoted name keeps its opening quote, so it is no keyword."""
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise StructureError(
                f"line {line}: expected a name or a sign of DOT, got {text[at : at + 30]!r}."
            )
        if found["skip"] is None:
            yield line, _QUOTE + found["quoted"] if found["quoted"] is not None else found[0]
        line += found[0].count("\n")
        at = found.end()


def _quoted(name: str) -> str:
    return _QUOTE + name.replace("\\", "\\\\").replace(_QUOTE, '\\"') + _QUOTE

"""Networks in the NET language of Hugin.

Blocks ``net``, ``node`` and ``potential``, in version 3 wrapped in ``class NAME { ... }``; attributes read
``key = value;`` and ``%`` starts a comment. In ``data`` the child runs fastest, then the last parent;
parentheses mirror the parents or are dropped. Nodes are known by identifiers, states are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treebound.formats._network_draft import Draft
from treebound.formats._plain_names import (
    NAME,
    ORDER,
    STATES,
    YES,
    escape,
    flags_of,
    joined_remark,
    plain,
    split_remark,
)
from treebound.formats._tokens import Tokens, blank_comments, unquoted
from treebound.network import BayesianNetwork

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TOKEN = re.compile(_STRING + r'|[(){};=|]|[^\s(){};=|"]+|"')
_COMMENT = re.compile(_STRING + r"|%[^\n]*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Quotes would hold more, but pgmpy takes blanks and commas inside them for the end of a state.
_STATE = re.compile(r"[A-Za-z0-9_<>=.+-]+")
_KEYWORDS = ("net", "class", "node", "discrete", "continuous", "decision", "utility", "potential")


def format_hugin(network: BayesianNetwork) -> str:
    """Return the text of a NET file."""
    names = plain(network.schema.names, _fits_name)
    lines = ["net {"]
    if network.elimination_order is not None:
        lines += _attributes(ORDER, escape(names[v] for v in network.elimination_order))
    lines.append("}")
    for variable, name in zip(network.schema, names, strict=True):
        words = plain(variable.states, _STATE.fullmatch)
        quoted = " ".join(f'"{word}"' for word in words)
        lines += [f"node {name} {{", f"  states = ({quoted});"]
        if name != variable.name:
            lines += _attributes(NAME, escape([variable.name]))
        if tuple(words) != variable.states:
            lines += _attributes(STATES, escape(variable.states))
        for flag in flags_of(variable):
            lines += _attributes(flag, YES)
        lines.append("}")
    for child, parents in enumerate(network.parent_indices):
        given = "".join(f" {names[parent]}" for parent in parents)
        sizes = [network.schema.cardinalities[parent] for parent in parents]
        rows = network.tables[child].reshape(-1, network.schema.cardinalities[child]).tolist()
        texts = [f"({' '.join(map(repr, row))})" for row in rows]
        lines += [f"potential ({names[child]} |{given}) {{", f"  data = {_nested(texts, sizes)};", "}"]
    return "\n".join([*lines, ""])


def _fits_name(text: str) -> object:
    return _IDENTIFIER.fullmatch(text) and text.lower() not in _KEYWORDS


def _attributes(key: str, value: str) -> Iterator[str]:
    return (f'  {piece} = "{words}";' for piece, words in split_remark(key, value))


def _nested(texts: list[str], sizes: Sequence[int]) -> str:
    """Rows in parentheses that mirror the parents, the first one outermost."""
    for size in reversed(sizes):
        texts = [f"({' '.join(texts[i : i + size])})" for i in range(0, len(texts), size)]
    return texts[0]


def parse_hugin(text: str) -> BayesianNetwork:
    """Make a network of the text of a NET file."""
    if "%" in text:
        text = blank_comments(text, _COMMENT, lambda found: found[0] == "%")
    tokens = Tokens(text, _TOKEN)
    return _Reader(tokens).read()


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens, self.draft = tokens, Draft(tokens.line)
        self.potentials: list[int] = []
        self.order: str | None = None

    def read(self) -> BayesianNetwork:
        """Nodes first, since a potential may come before those of its parents."""
        tokens, at, is_wrapped = self.tokens, 0, False
        while at < len(tokens.words):
            word = tokens.words[at]
            if word == "class" and not is_wrapped:
                at, is_wrapped = tokens.expect(at + 2, "{"), True
            elif word == "net":
                attributes, at = self._attributes(at + 1)
                self.order = self._remark(attributes, ORDER)
            elif word == "node" or (word == "discrete" and tokens.at(at + 1) == "node"):
                at = self._read_node(at + (word == "discrete"))
            elif word == "potential":
                self.potentials.append(at)
                at = tokens.block_end(tokens.find("{", at)) + 1
            elif tokens.at(at + 1) == "=":
                at = tokens.find(";", at) + 1
            elif word == "}" and is_wrapped and at + 1 == len(tokens.words):
                at += 1
            else:
                raise tokens.unexpected(at, "net, class, node (discrete ones only) or potential")
        for place in self.potentials:
            self._read_potential(place)
        return self.draft.finish({"format": "hugin"}, self.order)

    def _attributes(self, at: int) -> tuple[dict[str, range], int]:
        """The places of the values in a block by their keys, and the place behind the block."""
        tokens, found = self.tokens, {}
        at = tokens.expect(at, "{")
        while tokens.at(at) != "}":
            key = tokens.name(at, "the name of an attribute or '}'")
            first = tokens.expect(at + 1, "=")
            semicolon = tokens.find(";", first)
            found[key] = range(first, semicolon)
            at = semicolon + 1
        return found, at + 1

    def _remark(self, attributes: dict[str, range], key: str) -> str | None:
        words = self.tokens.words
        ours = {other: places for other, places in attributes.items() if other.startswith(key)}
        return joined_remark(
            {other: " ".join(unquoted(words[at]) for at in places) for other, places in ours.items()}, key
        )

    def _read_node(self, place: int) -> int:
        word = self.tokens.name(place + 1, "the name of a node")
        attributes, at = self._attributes(place + 2)
        if "states" not in attributes:
            raise self.tokens.fault(place, f"node {word!r} has no states.")
        states = [_unescaped(state) for state in self._listed(attributes["states"])]
        self.draft.add_variable(
            word,
            states,
            place,
            name=self._remark(attributes, NAME),
            labels=self._remark(attributes, STATES),
            flags=attributes,
        )
        return at

    def _read_potential(self, place: int) -> None:
        tokens = self.tokens
        first = tokens.expect(place + 1, "(")
        closing = tokens.find(")", first)
        if closing > first + 1:
            tokens.expect(first + 1, "|")
        words = [tokens.name(at, "the name of a node") for at in (first, *range(first + 2, closing))]
        child, parents = self.draft.find_family(words, place)
        attributes, _ = self._attributes(closing + 1)
        if "data" not in attributes:
            raise tokens.fault(place, f"the potential of {words[0]!r} has no data.")
        numbers = self._listed(attributes["data"])
        try:
            values = list(map(float, numbers))
        except ValueError:
            signs = ("(", ")")
            raise tokens.not_a_number(
                at for at in attributes["data"] if tokens.words[at] not in signs
            ) from None
        self.draft.add_table(child, parents, values, place)

    def _listed(self, places: range) -> list[str]:
        """The words of a list, whose parentheses have to be balanced; how they are nested does not matter."""
        words = self.tokens.words[places.start : places.stop]
        if words[:1] != ["("] or words[-1:] != [")"] or words.count("(") != words.count(")"):
            raise self.tokens.fault(places.start, "expected a list in balanced parentheses.")
        return [word for word in words if word not in ("(", ")")]


def _unescaped(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", unquoted(word))

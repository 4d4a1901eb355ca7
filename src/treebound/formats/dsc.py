"""Networks in the DSC format of Microsoft's belief networks, as bnlearn writes it; read only.

``node`` blocks with a type and quoted states, ``probability`` blocks whose rows name the states of the
parents by their numbers. Commas, bars and colons count as blanks, which makes it a dialect of BIF.
"""

from __future__ import annotations

import re

import numpy as np

from treebound.formats._bif_rows import Rows, family_words
from treebound.formats._network_draft import Draft
from treebound.formats._plain_names import escape
from treebound.formats._tokens import Tokens, blank_comments, unquoted
from treebound.network import BayesianNetwork

_TOKEN = re.compile(r'"[^"\n]*"|[(){};=]|[^\s,|:(){};="]+|"')
_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DISCRETE = re.compile(r"discrete\[(\d{1,9})\]")


def parse_dsc(text: str) -> BayesianNetwork:
    """Make a network of the text of a DSC file."""
    tokens = Tokens(blank_comments(text, _COMMENT, lambda found: found[0] == "/"), _TOKEN)
    draft = Draft(tokens.line)
    families = []
    at = 0
    while at < len(tokens.words):
        word = tokens.words[at]
        if word not in ("node", "probability"):
            if word in ("{", "}"):
                raise tokens.unexpected(at, "a block: node or probability")
            at += 1
            continue
        opening = tokens.find("{", at)
        end = tokens.block_end(opening)
        if word == "node":
            _read_node(tokens, draft, at, opening, end)
        else:
            families.append((at, opening, end))
        at = end + 1
    for place, opening, end in families:
        child, parents = draft.find_family(family_words(tokens, place + 1, opening), place)
        if parents:
            table = Rows(tokens, draft, child, parents).table(opening + 1, end)
        else:
            table = np.array(tokens.numbers(opening + 1, tokens.find(";", opening, end)))
        draft.add_table(child, parents, table, place)
    return draft.finish({"format": "dsc"})


def _read_node(tokens: Tokens, draft: Draft, place: int, opening: int, end: int) -> None:
    word = tokens.name(place + 1, "the name of a node")
    equals = tokens.find("=", tokens.find("type", opening, end), end)
    head = "".join(tokens.words[tokens.find("type", opening, end) + 1 : equals])
    count = _DISCRETE.fullmatch(head)
    if count is None:
        raise tokens.fault(place, f"expected a type discrete [ number ], got {head[:60]!r}.")
    closing = tokens.find("}", tokens.expect(equals + 1, "{"), end)
    states = [unquoted(state) for state in tokens.words[equals + 2 : closing]]
    if len(states) != int(count[1]):
        raise tokens.fault(place, f"expected {count[1]} states of {word!r}, got {len(states)}.")
    # Rows know the states by their numbers.
    draft.add_variable(word, list(map(str, range(len(states)))), place, labels=escape(states))

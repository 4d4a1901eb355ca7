"""Networks in BIF 0.15, the interchange format of the Bayesian network repositories.

Blocks ``network``, ``variable`` and ``probability``, any text between them; commas and bars count as
blanks. A table is given whole, the child running slowest, or in rows that name the states of the parents. We
write rows for all variables with parents. Rows are most of a file, and the core takes out those that are
plain, so words are made only of the rest; what it does not take, and every fault, is read here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from treebound._core import BifRows
from treebound.data import Variable
from treebound.formats._bif_rows import Rows, family_words
from treebound.formats._network_draft import Draft, NetworkFileError
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

_TOKEN = re.compile(r'"[^"\n]*"|[(){};]|[^\s,|(){};"]+|"')
_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DISCRETE = re.compile(r"discrete\[(\d{1,9})\]")
_KEYWORDS = ("network", "variable", "probability", "property", "type", "discrete", "default", "table")
# Names that pgmpy and pyAgrum read and write; of states also whole numbers.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STATE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")


def format_bif(network: BayesianNetwork) -> str:
    """Return the text of a BIF file."""
    names = plain(network.schema.names, _fits(_NAME))
    states = [plain(variable.states, _fits(_STATE)) for variable in network.schema]
    parts = ["network treebound {\n"]
    if network.elimination_order is not None:
        parts += _properties(ORDER, escape(names[v] for v in network.elimination_order))
    parts.append("}\n")
    for variable, name, words in zip(network.schema, names, states, strict=True):
        parts += _variable_block(variable, name, words)
    for child, parents in enumerate(network.parent_indices):
        rows = network.tables[child].reshape(-1, len(states[child])).tolist()
        if parents:
            parts.append(f"probability ( {names[child]} | {', '.join(names[p] for p in parents)} ) {{\n")
            joint = product(*(states[parent] for parent in parents))
            parts += [
                f"  ({', '.join(key)}) {', '.join(map(repr, row))};\n"
                for key, row in zip(joint, rows, strict=True)
            ]
        else:
            parts.append(f"probability ( {names[child]} ) {{\n  table {', '.join(map(repr, rows[0]))};\n")
        parts.append("}\n")
    return "".join(parts)


def _fits(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: pattern.fullmatch(text) and text.lower() not in _KEYWORDS


def _properties(key: str, value: str) -> Iterator[str]:
    return (f"  property {piece} = {words} ;\n" for piece, words in split_remark(key, value))


def _variable_block(variable: Variable, name: str, words: Sequence[str]) -> Iterator[str]:
    yield f"variable {name} {{\n  type discrete [ {len(words)} ] {{ {', '.join(words)} }};\n"
    if name != variable.name:
        yield from _properties(NAME, _no_keywords(escape([variable.name])))
    if tuple(words) != variable.states:
        yield from _properties(STATES, _no_keywords(escape(variable.states)))
    for flag in flags_of(variable):
        yield from _properties(flag, YES)
    yield "}\n"


def _no_keywords(words: str) -> str:
    """Escaped words with one more escape in each keyword, which pgmpy misreads even in a remark."""
    return " ".join(
        f"~{ord(word[0]):02X}{word[1:]}" if word.lower() in _KEYWORDS else word for word in words.split()
    )


def parse_bif(text: str) -> BayesianNetwork:
    """Make a network of the text of a BIF file."""
    if "//" in text or "/*" in text:
        text = blank_comments(text, _COMMENT, lambda found: found[0] == "/")
    rows = BifRows(text)
    if rows.num_blocks:
        try:
            return _parse(rows.rest, rows)
        except NetworkFileError:
            pass  # the full reader finds the fault and its line, or that there is none
    return _parse(text, None)


def _parse(text: str, rows: BifRows | None) -> BayesianNetwork:
    tokens = Tokens(text, _TOKEN)
    draft = Draft(tokens.line)
    families = []
    order = None
    for place, opening, end in _blocks(tokens):
        kind = tokens.words[place]
        if kind == "variable":
            _read_variable(tokens, draft, place, opening, end)
        elif kind == "probability":
            families.append((place, opening, end))
        else:
            order = joined_remark(_read_properties(tokens, opening + 1, end), ORDER)
    for place, opening, end in families:
        _read_family(tokens, draft, rows, place, opening, end)
    return draft.finish({"format": "bif"}, order)


def _blocks(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    """Places of the keyword, the opening and the closing brace of each block."""
    place = 0
    while place < len(tokens.words):
        word = tokens.words[place]
        if word in ("network", "variable", "probability"):
            opening = tokens.find("{", place)
            end = tokens.block_end(opening)
            yield place, opening, end
            place = end
        elif word in ("{", "}"):
            raise tokens.unexpected(place, "a block: network, variable or probability")
        place += 1


def _read_variable(tokens: Tokens, draft: Draft, place: int, opening: int, end: int) -> None:
    word = tokens.name(place + 1, "the name of a variable")
    if opening != place + 2:
        expected = "'{' after the name of a variable, which needs quotes around whitespace"
        raise tokens.unexpected(place + 2, expected)
    states: list[str] | None = None
    remarks: dict[str, str] = {}
    at = opening + 1
    while at < end:
        if tokens.words[at] == "type" and states is None:
            at, states = _read_states(tokens, at, end)
        else:
            semicolon = tokens.find(";", at, end)
            remarks |= _read_properties(tokens, at, semicolon + 1)
            at = semicolon + 1
    if states is None:
        raise tokens.fault(place, f"variable {word!r} has no type.")
    draft.add_variable(
        word,
        states,
        place,
        name=remarks.get(NAME),
        labels=joined_remark(remarks, STATES),
        flags=remarks,
    )


def _read_states(tokens: Tokens, at: int, end: int) -> tuple[int, list[str]]:
    """The states after ``type``, and the place behind them."""
    opening = tokens.find("{", at, end)
    head = "".join(tokens.words[at + 1 : opening])
    count = _DISCRETE.fullmatch(head)
    if count is None:
        raise tokens.fault(at, f"expected type discrete [ number ], got {head[:60]!r}.")
    closing = tokens.find("}", opening, end)
    states = [unquoted(word) for word in tokens.words[opening + 1 : closing]]
    if len(states) != int(count[1]):
        raise tokens.fault(
            at, f"expected {count[1]} states, got {len(states)}; a state with whitespace needs quotes."
        )
    return closing + 1 + (tokens.words[closing + 1] == ";"), states


def _read_properties(tokens: Tokens, at: int, end: int) -> dict[str, str]:
    """The properties that read ``key = value``."""
    found = {}
    while at < end:
        if tokens.words[at] != "property":
            raise tokens.unexpected(at, "a property")
        semicolon = tokens.find(";", at, end)
        key, _, value = " ".join(tokens.words[at + 1 : semicolon]).strip('"').partition("=")
        found[key.strip()] = value.strip()
        at = semicolon + 1
    return found


def _read_family(
    tokens: Tokens, draft: Draft, rows: BifRows | None, place: int, opening: int, end: int
) -> None:
    child, parents = draft.find_family(family_words(tokens, place + 1, opening), place)
    first = opening + 1
    if rows is not None and tokens.words[first][0] == BifRows.MARK:
        draft.add_table(child, parents, _taken_table(tokens, draft, rows, first, child, parents), place)
        return
    while tokens.words[first] == "property":
        first = tokens.find(";", first, end) + 1
    if tokens.words[first] == "table":
        table = _whole_table(tokens, first, end, len(draft.codes(child)))
    else:
        table = Rows(tokens, draft, child, parents).table(first, end)
    draft.add_table(child, parents, table, place)


def _taken_table(
    tokens: Tokens, draft: Draft, rows: BifRows, at: int, child: int, parents: tuple[int, ...]
) -> NDArray[np.float64]:
    states = [list(draft.codes(parent)) for parent in parents]
    table = rows.table(int(tokens.words[at][1:]), states, len(draft.codes(child)))
    if table is None:
        raise tokens.fault(at, "expected a row for each joint state of the parents.")
    return table


def _whole_table(tokens: Tokens, at: int, end: int, num_states: int) -> NDArray[np.float64]:
    semicolon = tokens.find(";", at, end)
    _read_properties(tokens, semicolon + 1, end)
    values = np.array(tokens.numbers(at + 1, semicolon))
    # A wrong number of values is for the draft to reject.
    return values.reshape(num_states, -1).T.ravel() if len(values) % num_states == 0 else values

"""Networks in the format of the UAI inference competitions: numbers only, names in a file next to.

``BAYES``, the numbers of states, one scope per variable with the child last, then the tables, the last
variable of a scope running fastest. The file ``<name>.uai.names`` next to has one line per variable: its name
and the labels of its states, escaped. Without it, variables and states are called by their numbers.

pgmpy lets the child run slowest, and pyAgrum (3.3.1) the first parent fastest. The latter cannot be seen in
the numbers, so the layout is for the caller to name.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

import numpy as np

from treebound.data import MAX_STATES
from treebound.formats._network_draft import Draft, NetworkFileError
from treebound.formats._plain_names import escape
from treebound.formats._tokens import Tokens, blank_comments
from treebound.network import BayesianNetwork

Layout = Literal["uai", "pgmpy", "pyagrum"]
_TOKEN = re.compile(r"\S+")
_COMMENT = re.compile(r"#[^\n]*|^c(?: [^\n]*)?$", re.MULTILINE)


def format_uai(network: BayesianNetwork) -> str:
    """Return the text of a UAI file, one line per scope and per row of a table."""
    lines = ["BAYES", str(network.num_variables)]
    lines.append(" ".join(map(str, network.schema.cardinalities)))
    lines.append(str(network.num_variables))
    for child, parents in enumerate(network.parent_indices):
        lines.append(" ".join(map(str, (len(parents) + 1, *parents, child))))
    for table, num_states in zip(network.tables, network.schema.cardinalities, strict=True):
        lines += ["", str(len(table))]
        lines += [" ".join(map(repr, row)) for row in table.reshape(-1, num_states).tolist()]
    return "\n".join([*lines, ""])


def format_uai_names(network: BayesianNetwork) -> str:
    """Return the text of the file with the names."""
    return "".join(f"{escape([variable.name, *variable.states])}\n" for variable in network.schema)


def parse_uai(text: str, names: str | None = None, layout: Layout = "uai") -> BayesianNetwork:
    """Make a network of the text of a UAI file, and of that of the file with the names if there is one."""
    check_layout(layout)
    if "#" in text or "\nc" in text:
        text = blank_comments(text, _COMMENT, lambda found: True)
    tokens = Tokens(text, _TOKEN)
    try:
        return _parse(tokens, names, layout)
    except NetworkFileError as error:
        if layout == "uai" and _reads_as_pgmpy(tokens, names):
            raise NetworkFileError(
                f"{error} The child runs slowest, as pgmpy writes it; pass layout='pgmpy'."
            ) from error
        raise


def check_layout(layout: Layout) -> Layout:
    """Reject a layout that is not known."""
    if layout not in get_args(Layout):
        raise ValueError(f"layout must be one of {', '.join(get_args(Layout))}, got {layout!r}.")
    return layout


def _reads_as_pgmpy(tokens: Tokens, names: str | None) -> bool:
    try:
        _parse(tokens, names, "pgmpy")
    except NetworkFileError:
        return False
    return True


def _parse(tokens: Tokens, names: str | None, layout: Layout) -> BayesianNetwork:
    at = tokens.expect(0, "BAYES")
    num_variables = integer(tokens, at)
    cardinalities = [_cardinality(tokens, at + 1 + v) for v in range(fitting(tokens, at, num_variables))]
    # Every state needs a number in a table, so none is made of an announcement alone.
    fitting(tokens, at, sum(cardinalities))
    draft = Draft(tokens.line)
    lines = [None] * num_variables if names is None else names.splitlines()
    if len(lines) != num_variables:
        raise NetworkFileError(f"expected {num_variables} lines in the file of names, got {len(lines)}.")
    for v, (num_states, line) in enumerate(zip(cardinalities, lines, strict=True)):
        _add_variable(draft, v, num_states, line, at + 1 + v)
    at += 1 + num_variables
    if integer(tokens, at) != num_variables:
        raise tokens.unexpected(at, f"as many functions as variables ({num_variables})")
    at += 1
    scopes = []
    for _ in range(num_variables):
        size = fitting(tokens, at, integer(tokens, at))
        scopes.append((at, tokens.words[at + 1 : at + 1 + size]))
        at += 1 + size
    for place, scope in scopes:
        if not scope:
            raise tokens.unexpected(place, "a scope of one variable at least")
        given = scope[-2::-1] if layout == "pyagrum" else scope[:-1]
        child, parents = draft.find_family([scope[-1], *given], place)
        size = fitting(tokens, at, integer(tokens, at))
        values = np.array(tokens.numbers(at + 1, at + 1 + size))
        if layout == "pgmpy" and size % cardinalities[child] == 0:
            values = values.reshape(cardinalities[child], -1).T.ravel()
        draft.add_table(child, parents, values, at)
        at += 1 + size
    if at < len(tokens.words):
        raise tokens.unexpected(at, "the end of the file")
    return draft.finish({"format": "uai"})


def _add_variable(draft: Draft, v: int, num_states: int, line: str | None, place: int) -> None:
    states = list(map(str, range(num_states)))
    if line is None:
        draft.add_variable(str(v), states, place)
        return
    name, _, labels = line.strip().partition(" ")
    draft.add_variable(str(v), states, place, name=name, labels=labels)


def _cardinality(tokens: Tokens, at: int) -> int:
    count = integer(tokens, at)
    if not 1 <= count <= MAX_STATES:
        raise tokens.fault(at, f"expected 1 to {MAX_STATES} states, got {count}.")
    return count


def integer(tokens: Tokens, at: int) -> int:
    """The word at a place as a number that counts something."""
    word = tokens.at(at)
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise tokens.unexpected(at, "a whole number")
    return int(word)


def fitting(tokens: Tokens, at: int, count: int) -> int:
    """A count, if so many words follow it."""
    if at + count >= len(tokens.words):
        raise tokens.fault(at, f"expected {count} numbers after this one, got the end of the file.")
    return count

"""Names and labels for formats that hold plain words only, and the way back.

What a format cannot hold is replaced by a unique identifier, and the original travels next to it as a remark
that other programs skip. There it is escaped with letters, digits, ``_``, ``-``, ``.`` and ``~``, which every
format holds: any other character is ``~`` and two digits per byte of its UTF-8, and ``~`` alone is no text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from urllib.parse import quote_from_bytes, unquote_to_bytes

from treebound.data import Variable

# What travels next to a made word: the original name of a variable, and the labels of its states.
NAME, STATES, ORDER = "treebound_name", "treebound_states", "treebound_elimination_order"
# That a variable is hidden, and that its last state stands for missing cells; the value is always the same.
HIDDEN, MISSING_STATE, YES = "treebound_hidden", "treebound_missing_state", "yes"

_MAX_VALUE = 1000
_ESCAPED = re.compile(r"(?:[A-Za-z0-9_.-]|~[0-9A-F]{2})+")


def flags_of(variable: Variable) -> list[str]:
    """What is true of a variable and cannot be seen from its name and labels."""
    flags = {HIDDEN: variable.is_hidden, MISSING_STATE: variable.has_missing_state}
    return [flag for flag, holds in flags.items() if holds]


def escape(texts: Iterable[str]) -> str:
    """One word per text, blanks between."""
    return " ".join(_escaped(text) for text in texts)


def _escaped(text: str) -> str:
    quoted = quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")
    return quoted.replace("~", "%7E").replace("%", "~") or "~"


def unescape(words: str) -> list[str] | None:
    """The texts behind what ``escape`` wrote; None if it did not write this."""
    try:
        return [_unescaped(word) for word in words.split()]
    except ValueError:
        return None


def _unescaped(word: str) -> str:
    if word == "~":
        return ""
    if not _ESCAPED.fullmatch(word):
        raise ValueError(f"expected a word of letters, digits and escapes, got {word!r}.")
    return unquote_to_bytes(word.replace("~", "%")).decode("utf-8", "surrogatepass")


def split_remark(key: str, words: str) -> Iterator[tuple[str, str]]:
    """A remark in pieces under numbered keys: pyAgrum ends the process that reads a value of 32 kB."""
    pieces = textwrap.wrap(words, _MAX_VALUE, break_long_words=False, break_on_hyphens=False)
    return ((key if i == 0 else f"{key}_{i + 1}", piece) for i, piece in enumerate(pieces))


def joined_remark(remarks: Mapping[str, str], key: str) -> str | None:
    """The remark that ``split_remark`` split, if it is there."""
    if key not in remarks:
        return None
    further = takewhile(remarks.__contains__, (f"{key}_{i}" for i in count(2)))
    return " ".join(remarks[piece] for piece in (key, *further))


def is_printable(text: str) -> bool:
    """Whether a text survives in formats that hold any, but trim it: not empty, no blanks at its ends."""
    return text.isprintable() and text.strip() == text != ""


def plain(texts: Sequence[str], fits: Callable[[str], object]) -> list[str]:
    """A different word for each text: itself if it fits, else one made of it; ``fits`` takes identifiers."""
    taken = {text for text in texts if fits(text)}
    tried: dict[str, int] = {}
    return [text if text in taken else _made(text, fits, taken, tried) for text in texts]


def _made(text: str, fits: Callable[[str], object], taken: set[str], tried: dict[str, int]) -> str:
    # How often a base was tried is kept, so thousands of similar names stay quick.
    base = re.sub(r"[^A-Za-z0-9_]", "_", text)
    if not fits(base):
        base = f"x_{base}"
    while True:
        tried[base] = tried.get(base, 0) + 1
        word = base if tried[base] == 1 else f"{base}_{tried[base]}"
        if word not in taken and fits(word):
            taken.add(word)
            return word

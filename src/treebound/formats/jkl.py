"""Score caches in ``.jkl`` text, the format that GOBNILP, BLIP and BN-SLIM share, in all its dialects.

The bytes are read and written in ``core/scoring/cache/jkl_text.cpp``; here its findings become words.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._core import JklFault
from treebound._files import atomic_write, read_bytes
from treebound.scoring import Bic, CacheError, ParentSetCache, Score
from treebound.scoring.cache import MAX_ROUNDING

_SCORE_KEY = "Score function:"
# Some programs round scores; five decimals are the most that we know of. A few thousand scores show it.
_MOST_ROUNDED_DECIMALS = 5
_SCORES_LOOKED_AT = 10_000
# Sets per piece of text: pieces of some 10 MB bound the memory of writing without slowing it.
_SETS_PER_PIECE = 500_000
_BLANKS = frozenset(" \t\r\n\v\f")


def read_jkl(path: str | os.PathLike[str], max_unpacked_mb: int) -> ParentSetCache:
    """Read a ``.jkl`` file, gzipped or not."""
    return parse_jkl(read_bytes(path, max_unpacked_mb))


def parse_jkl(data: bytes) -> ParentSetCache:
    """Make a cache of the bytes of a ``.jkl`` file."""
    problem, names, comments, set_offsets, scores, parent_offsets, parents = _core.parse_jkl(data)
    if problem.fault != JklFault.none:
        raise CacheError(f"line {problem.line}: {_words(problem)}.")
    try:
        decoded = [name.decode() for name in names]
    except UnicodeDecodeError as error:
        raise CacheError(f"expected names in UTF-8, got {error.object[:60]!r}.") from error
    header = [comment.decode(errors="replace").strip() for comment in comments]
    return ParentSetCache(
        tuple(decoded),
        set_offsets,
        scores,
        parent_offsets,
        parents,
        score_rounding=_rounding_of(scores),
        provenance={"format": "jkl", "header": header} if header else {"format": "jkl"},
    )


def write_jkl(cache: ParentSetCache, path: str | os.PathLike[str], *, header: bool = False) -> None:
    """Write a ``.jkl`` file, gzipped if named ``.gz``; ``header`` adds comments, which not all read."""
    pieces = format_jkl(cache, header=header)
    with atomic_write(path) as file:
        for piece in pieces:
            file.write(piece)


def format_jkl(cache: ParentSetCache, *, header: bool = False) -> Iterator[bytes]:
    """Return the pieces of a ``.jkl`` text; names that it cannot hold are rejected before the first."""
    names = [_encoded(name) for name in cache.names]
    return _pieces(cache, names, header)


def _pieces(cache: ParentSetCache, names: list[bytes], header: bool) -> Iterator[bytes]:
    comments = _header_of(cache) if header else []
    yield "".join([*(f"# {comment}\n" for comment in comments), f"{cache.num_variables}\n"]).encode()
    offsets = cache.set_offsets
    first = 0
    while first < cache.num_variables:
        last = first + 1
        while last < cache.num_variables and offsets[last + 1] - offsets[first] <= _SETS_PER_PIECE:
            last += 1
        yield _core.format_jkl(offsets, cache.scores, cache.parent_offsets, cache.parents, names, first, last)
        first = last


def _encoded(name: str) -> bytes:
    if not name or name.startswith("#") or _BLANKS.intersection(name):
        raise CacheError(
            f"A .jkl file cannot hold the name {name!r}: it must not contain whitespace or start with #."
        )
    try:
        return name.encode()
    except UnicodeEncodeError as error:
        raise CacheError(f"A .jkl file cannot hold the name {name!r}: {error.reason}.") from error


def _rounding_of(scores: NDArray[np.float64]) -> float:
    """By how much scores are off at most, if all of them have few decimals."""
    some = scores[:: max(1, len(scores) // _SCORES_LOOKED_AT)]
    for decimals in range(_MOST_ROUNDED_DECIMALS + 1):
        if np.array_equal(np.round(some, decimals), some):
            return min(MAX_ROUNDING, 0.5 * 10.0**-decimals)
    return 0.0


def _header_of(cache: ParentSetCache) -> list[str]:
    score = "" if cache.score is None else f"{_SCORE_KEY} {_score_words(cache.score)}"
    # A score that is none of ours is passed on in the words of the file: BLIP's "BIC" is smoothed.
    read = [line for line in cache.provenance.get("header", []) if line.startswith(_SCORE_KEY)]
    return [*([score] if score else read[:1]), f"Max in-degree: {cache.max_parents}"]


def _score_words(score: Score) -> str:
    if isinstance(score, Bic):
        return "BIC" if score.penalty == 1 else f"BIC (penalty: {score.penalty:g})"
    return f"BDeu (alpha: {score.equivalent_sample_size:.2f})"


def _words(problem: _core.JklProblem) -> str:
    text = repr(problem.text.decode(errors="backslashreplace"))
    expected, found = problem.expected, problem.found
    words = {
        JklFault.no_count: "expected the number of variables, got the end of the file",
        JklFault.bad_count: f"expected the number of variables alone, got {text}",
        JklFault.no_variables: "expected at least one variable, got 0",
        JklFault.too_few_blocks: f"expected {expected} variables, got {found} before the end of the file",
        JklFault.bad_header: f"expected the name of a variable and its number of sets, got {text}",
        JklFault.bad_set_count: f"expected the number of sets of the variable, got {text}",
        JklFault.repeated_name: f"expected a new variable, got {text} again (first on line {expected})",
        JklFault.too_few_sets: f"expected {expected} sets of {text}, got {found} before the end of the file",
        JklFault.bad_score: f"expected the score of a parent set, got {text}",
        JklFault.score_not_finite: f"expected a finite score, got {text}",
        JklFault.bad_size: f"expected a score, the number of parents and the parents, got {text}",
        JklFault.wrong_size: f"expected {expected} parents after the number, got {found} in {text}",
        JklFault.unknown_parent: f"expected the name of one of the variables as parent, got {text}",
        JklFault.parent_of_itself: f"a variable cannot be its own parent, got {text}",
        JklFault.repeated_parent: f"expected each parent once, got {text} again",
        JklFault.repeated_set: f"expected each parent set once, got that of line {expected} again in {text}",
        JklFault.text_after_the_end: f"expected the end of the file after {expected} variables, got {text}",
    }
    return words[problem.fault]

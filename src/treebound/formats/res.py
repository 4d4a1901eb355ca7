"""Structures in ``.res`` text, as BLIP and BN-SLIM write it.

Per variable a line ``index: score  (p1,p2)``, parents omitted if there are none; at the end
``Score: total``, all scores rounded. BN-SLIM puts ``elim-order: (...)`` first, which makes a witness. There
are no names; we add them in a comment ``# names [...]``, which the other programs do not expect: ``plain``
leaves it out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace

from treebound.scoring.cache import MAX_ROUNDING
from treebound.structure import Structure, StructureError

_FAMILY = re.compile(r"(\d+)\s*:\s*(\S+)\s*(?:\(([\d,\s]*)\))?")
_ELIMINATION = re.compile(r"elim-order:\s*\(([\d,\s]*)\)")
_TOTAL = re.compile(r"Score:\s*(\S+)")
_UNSET = re.compile(r"(\d+)\s*:\s*0\s+0")
_NAMES = "# names "


def parse_res(text: str) -> Structure:
    """Make a structure of the text of a ``.res`` file; without an elimination order it finds a witness."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reader.take(line.strip())
        except ValueError as error:
            raise StructureError(f"line {number}: {error}") from error
    return reader.finish()


def format_res(structure: Structure, *, plain: bool = False, elimination_order: bool = False) -> str:
    """Return the text of a ``.res`` file; unknown scores are written as 0."""
    lines = []
    numbered = structure.names == tuple(map(str, range(structure.num_variables)))
    if not (plain or numbered):
        lines.append(_NAMES + json.dumps(structure.names))
    if elimination_order:
        lines.append(f"elim-order: ({_joined(structure.elimination_order)})")
    scores = structure.local_scores or (0.0,) * structure.num_variables
    for v, (score, parents) in enumerate(zip(scores, structure.parent_indices, strict=True)):
        lines.append(f"{v}: {score!r}  ({_joined(parents)})" if parents else f"{v}: {score!r} ")
    lines += ["", f"Score: {0.0 if structure.score is None else structure.score!r}", ""]
    return "\n".join(lines)


class _Reader:
    """Collects what the lines say, in any order they come."""

    def __init__(self) -> None:
        self.names: list[str] | None = None
        self.order: list[int] | None = None
        self.parents: list[list[int]] = []
        self.scores: list[float] = []
        self.total: float | None = None
        self.num_decimals = 0

    def take(self, line: str) -> None:
        if line.startswith(_NAMES):
            self.names = _names_in(line.removeprefix(_NAMES))
        elif not line or line.startswith("#"):
            return
        elif found := _ELIMINATION.fullmatch(line):
            if self.order is not None:
                raise ValueError("expected one elimination order, got a second.")
            self.order = _indexes(found[1])
        elif found := _TOTAL.fullmatch(line):
            if self.total is not None:
                raise ValueError("expected one total score, got a second.")
            self.total = _number(found[1])
        elif found := _UNSET.fullmatch(line):
            raise ValueError(f"variable {found[1]} is marked as unset (0 0), so the network is incomplete.")
        elif found := _FAMILY.fullmatch(line):
            self._take_family(found[1], found[2], found[3])
        else:
            raise ValueError(f"expected 'index: score (parents)' or 'Score: total', got {line[:60]!r}.")

    def _take_family(self, index: str, score: str, parents: str | None) -> None:
        if index != str(len(self.parents)):
            raise ValueError(f"expected variable {len(self.parents)}, got {index[:20]}.")
        self.scores.append(_number(score))
        mantissa = re.split("[eE]", score.replace(",", "."))[0]
        self.num_decimals = max(self.num_decimals, len(mantissa.partition(".")[2]))
        self.parents.append(_indexes(parents or ""))

    def finish(self) -> Structure:
        if not self.parents:
            raise StructureError("expected one line 'index: score (parents)' per variable, got none.")
        found = Structure.from_parents(
            self.parents,
            names=self.names,
            elimination_order=self.order,
            local_scores=self.scores,
            provenance={"format": "res"},
        )
        rounding = min(MAX_ROUNDING, 0.5 * 10.0**-self.num_decimals)
        return replace(
            found, score=found.score if self.total is None else self.total, score_rounding=rounding
        )


def _names_in(text: str) -> list[str]:
    try:
        names = json.loads(text)
    except RecursionError as error:
        raise ValueError("expected a list of names, got brackets without end.") from error
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("expected a list of names.")
    return names


def _number(word: str) -> float:
    try:
        return float(word.replace(",", "."))
    except ValueError:
        raise ValueError(f"expected a score, got {word[:30]!r}.") from None


def _indexes(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if any(len(word) > 18 for word in words):
        raise ValueError("expected indexes of variables, got a number that is far too long.")
    return [int(word) for word in words]


def _joined(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))

"""Knowledge files of Tetrad: temporal tiers, forbidden and required arcs, as text.

Names stand between whitespace. A star behind the number of a tier forbids arcs inside it, a minus allows arcs
into the next tier only. Names may contain stars, which match anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treebound.constraints import Constraints, Tiers
from treebound.formats._explicit_arcs import forbidden_arcs, required_arcs, selected

_TITLE = "/knowledge"
_SECTIONS = ("addtemporal", "forbiddirect", "requiredirect", "forbiddengroup", "requiredgroup")
_TIER = re.compile(r"(\d+)(\*?)(-?)")


def parse_knowledge(text: str) -> Constraints:
    """Make constraints of the text of a knowledge file."""
    lines = list(_sections(text))
    tiers = [(number, line) for section, number, line in lines if section == "addtemporal" and line[1:]]
    arcs = {
        section: [_arc(number, line) for name, number, line in lines if name == section]
        for section in ("forbiddirect", "requiredirect")
    }
    return Constraints(
        tiers=_tiers(tiers) if tiers else None,
        forbidden=arcs["forbiddirect"],
        required=arcs["requiredirect"],
    )


def _sections(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Every line of a section, split, with its number."""
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        parts = line.split()
        if not parts or parts == [_TITLE]:
            continue
        if len(parts) == 1 and parts[0].lower() in _SECTIONS:
            section = parts[0].lower()
        elif section.endswith("group"):
            raise ValueError(f"line {number}: groups of knowledge are not supported; list their arcs.")
        elif not section:
            raise ValueError(
                f"line {number}: expected {', '.join(_SECTIONS[:3])}, got {line.strip()[:40]!r}."
            )
        else:
            yield section, number, parts


def _arc(number: int, parts: list[str]) -> tuple[str, str]:
    if len(parts) != 2:
        raise ValueError(f"line {number}: expected two variables, got {len(parts)}.")
    return parts[0], parts[1]


def _tiers(lines: Sequence[tuple[int, list[str]]]) -> Tiers:
    found = []
    for number, parts in lines:
        match = _TIER.fullmatch(parts[0])
        if match is None:
            raise ValueError(f"line {number}: expected the number of a tier, got {parts[0]!r}.")
        found.append((int(match[1]), match[2] == "*", match[3] == "-", parts[1:]))
    found.sort(key=lambda tier: tier[0])
    only_next = {minus for _, _, minus, _ in found[:-1]}
    if only_next == {True, False}:
        raise ValueError("Arcs into the next tier only are supported for all tiers or for none.")
    return Tiers([names for *_, names in found], [not star for _, star, _, _ in found], True in only_next)


def format_knowledge(constraints: Constraints, names: Sequence[str] | None) -> str:
    """Return the text of a knowledge file; ``names`` are needed where there are patterns."""
    if len(constraints.tiers) > 1:
        raise ValueError("A knowledge file of Tetrad has one sequence of tiers, and there are several.")
    lines = [_TITLE, "addtemporal"]
    for tiers in constraints.tiers:
        levels = selected(tiers, constraints, names)
        for number, (level, inside) in enumerate(zip(levels, tiers.within, strict=True), start=1):
            marks = ("" if inside else "*") + ("-" if tiers.only_next else "")
            lines.append(" ".join([f"{number}{marks}", *map(_word, level)]))
    for section, arcs in (
        ("forbiddirect", forbidden_arcs(constraints, names)),
        ("requiredirect", required_arcs(constraints, names)),
    ):
        lines += ["", section, *(f"{_word(a)} {_word(b)}" for a, b in arcs)]
    return "\n".join(lines) + "\n"


def _word(name: str) -> str:
    if not name or re.search(r"\s", name):
        raise ValueError(f"A knowledge file of Tetrad separates names by whitespace, and {name!r} has some.")
    return name

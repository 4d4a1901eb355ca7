"""``treebound diff``: how two structures or networks differ, arc by arc."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treebound._visible import visible
from treebound.cli._options import JsonOption, MaxUnpackedOption, QuietOption, unpacking
from treebound.cli._show import exits_at_once, report, say
from treebound.formats.structure_files import load_structure
from treebound.structure import cpdag, markov_equivalent, shd
from treebound.structure import diff as diff_structures


def diff(
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="Structure or network.")],
    second: Annotated[
        Path, typer.Argument(metavar="SECOND", help="Structure or network to compare it with.")
    ],
    max_unpacked_mb: MaxUnpackedOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Compare two structures or networks over the same variables, which are matched by name.

    Missing arcs are only in FIRST, extra arcs only in SECOND; reversed arcs are shown as in FIRST. The
    distance (SHD) counts all of them; the distance between equivalence classes ignores directions that data
    cannot determine. Probability tables are not compared.

    **Examples**

    `treebound diff network.json truth.bif`

    `treebound diff before.res after.res --json`
    """
    limit = unpacking(max_unpacked_mb)
    with exits_at_once():
        one, other = load_structure(first, **limit), load_structure(second, **limit)
        found = diff_structures(one, other)
        of_classes = shd(cpdag(one, use_constraints=False), cpdag(other, use_constraints=False))
        is_equivalent = markov_equivalent(one, other)
    of_both = {"distance_of_classes": of_classes, "markov_equivalent": is_equivalent}
    report(found.describe(), quiet=True, json=json, **of_both)
    if not (quiet or json):
        say(f"{first}, {second}: {found.summary}")
        ending = "equivalent" if is_equivalent else "not equivalent"
        say(f"distance {found.distance}, of the equivalence classes {of_classes}: {ending}")
        for kind in ("reversed", "missing", "extra"):
            for parent, child in getattr(found, kind):
                say(f"{kind}: {visible(parent)} -> {visible(child)}")

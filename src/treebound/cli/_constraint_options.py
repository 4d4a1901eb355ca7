"""Options that state what is known about a structure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from treebound.constraints import Constraints, merged
from treebound.formats.constraint_files import CONSTRAINT_ENDINGS, load_constraints


@dataclass(frozen=True)
class ConstraintOptions:
    """Constraints from a file and from single options, which hold together."""

    PANEL: ClassVar[str] = "Constraints"

    constraints: Annotated[
        Path | None,
        typer.Option(
            "--constraints",
            metavar="FILE",
            help="Constraints to obey, as written by treebound, Tetrad or benchpress "
            f"({', '.join(CONSTRAINT_ENDINGS)}).",
        ),
    ] = None
    require: Annotated[
        list[str] | None,
        typer.Option("--require", metavar="'A->B'", help="Require an arc (repeatable; names or patterns)."),
    ] = None
    forbid: Annotated[
        list[str] | None,
        typer.Option("--forbid", metavar="'A->B'", help="Forbid an arc (repeatable; names or patterns)."),
    ] = None
    tier: Annotated[
        list[str] | None,
        typer.Option(
            "--tier",
            metavar="NAMES",
            help="Next tier, as in --tier 'age,sex' --tier '*_score'; no arc may point to an earlier tier.",
        ),
    ] = None

    @property
    def known(self) -> Constraints | None:
        """All that was given; None if nothing was."""
        from_file = None if self.constraints is None else load_constraints(self.constraints)
        tiers = [[name.strip() for name in tier.split(",")] for tier in self.tier or ()]
        given = Constraints(required=self.require, forbidden=self.forbid, tiers=tiers)
        return merged(from_file, given)

"""What was set by an intervention, named with the results, and the arcs whose direction decides them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treebound._visible import visible

if TYPE_CHECKING:
    from treebound.network._bayesian_network import BayesianNetwork


@dataclass(frozen=True, eq=False)
class Intervention:
    """States by name that were set, and the ``observed`` network before; None if it is not known any more.

    ``known`` are the variables with evidence, since their distributions matter too.
    """

    settings: dict[str, str]
    observed: BayesianNetwork | None
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join(f"do({visible(name)} = {visible(state)})" for name, state in self.settings.items())

    def notes(self, targets: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return a sentence for each arc on which results for the targets depend and rows cannot direct."""
        if self.observed is None:
            return ()
        requested = None if targets is None else [*targets, *self.known]
        uncertain = map(note_on_arc, self.observed.uncertain_arcs(self.settings, requested))
        return (*uncertain, *map(note_on_settled, self.observed.settled_arcs(self.settings, requested)))


def note_on_settled(arc: tuple[str, str]) -> str:
    """Return the sentence on an arc that only the constraints direct."""
    parent, child = map(visible, arc)
    return f"the arc {parent} -> {child} is settled by the constraints; the data leave it open."


def note_on_arc(arc: tuple[str, str]) -> str:
    """Return the sentence on an arc that could point the other way."""
    parent, child = map(visible, arc)
    return (
        f"the arc {parent} -> {child} could point the other way with the same score; "
        "this result depends on its direction."
    )

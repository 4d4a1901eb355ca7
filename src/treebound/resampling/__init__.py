"""Many networks from one table: how sure the arcs are, and which bound on the treewidth to take."""

from treebound.resampling._arc_strength import Bootstrap, ModelAveraging, arc_strength
from treebound.resampling._choose_treewidth import (
    DEFAULT_BUDGET,
    CrossValidation,
    Split,
    Validation,
    choose_treewidth,
)
from treebound.resampling._strength import Arc, ArcStrength
from treebound.resampling._treewidth_choice import TreewidthChoice, TreewidthRow, Trial

__all__ = [
    "DEFAULT_BUDGET",
    "Arc",
    "ArcStrength",
    "Bootstrap",
    "CrossValidation",
    "ModelAveraging",
    "Split",
    "TreewidthChoice",
    "TreewidthRow",
    "Trial",
    "Validation",
    "arc_strength",
    "choose_treewidth",
]

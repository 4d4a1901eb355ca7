"""Prior knowledge: constraints on structures by name and pattern, compiled to rules for families."""

from treebound.constraints._constraints import Constraints
from treebound.constraints._contradictions import last_first
from treebound.constraints._errors import ContradictionError
from treebound.constraints._given import (
    check_constraints,
    families_in_core,
    merged,
    rules_of,
    split_cells,
    with_cells,
)
from treebound.constraints._reasons import Reasons
from treebound.constraints._rules import FamilyRules
from treebound.constraints._tiers import Tiers

__all__ = [
    "Constraints",
    "ContradictionError",
    "FamilyRules",
    "Reasons",
    "Tiers",
    "check_constraints",
    "families_in_core",
    "last_first",
    "merged",
    "rules_of",
    "split_cells",
    "with_cells",
]

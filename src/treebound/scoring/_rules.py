"""The pruning rules by name: which of them hold for which score, and what each says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from treebound import _core
from treebound._arguments import check_type
from treebound.scoring._local_scores import Score

RuleName: TypeAlias = Literal[
    "in_degree", "theorem1", "first_condition", "de_campos_ji", "entropy", "configurations", "dominated"
]

# One line each, for reports and help; the proofs are in docs/concepts/scores.md.
RULE_MEANINGS: dict[RuleName, str] = {
    "in_degree": "too many parents",
    "theorem1": "Theorem 1 of the paper",
    "first_condition": "first condition of Theorem 1",
    "de_campos_ji": "child's entropy too small",
    "entropy": "parent's entropy too small",
    "configurations": "too many parent states",
    "dominated": "a subset scores as well",
}
_RULES_OF: dict[str, tuple[RuleName, ...]] = {
    "bic": ("in_degree", "theorem1", "first_condition", "de_campos_ji", "entropy", "dominated"),
    "bdeu": ("configurations", "dominated"),
}

Pruning: TypeAlias = Iterable[RuleName] | Literal["all"] | None


def resolve_rules(pruning: Pruning, score: Score) -> tuple[RuleName, ...]:
    """Return the rules to use, in their own order: all that hold for the score, none, or those named."""
    allowed = _RULES_OF[score.name]
    if pruning == "all":
        return allowed
    check_type("pruning", pruning, Iterable | None, "names of rules, 'all' or None")
    named = tuple(pruning or ())
    for rule in named:
        check_type("each of pruning", rule, str, "the name of a rule")
    wanted = set(named)
    if unknown := wanted - set(get_args(RuleName)):
        raise ValueError(f"Expected rules among {', '.join(get_args(RuleName))}, got {sorted(unknown)[0]!r}.")
    if unsafe := wanted - set(allowed):
        raise ValueError(
            f"Rule {sorted(unsafe)[0]!r} is not proved for {score.name}; it allows {', '.join(allowed)}."
        )
    return tuple(rule for rule in allowed if rule in wanted)


def rules_in_core(rules: Iterable[RuleName]) -> list[_core.Rule]:
    """Return the rules as the core knows them."""
    return [getattr(_core.Rule, rule) for rule in rules]

"""The kinds of network that a classifier may be, and how each is learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from treebound._budget import Budget
from treebound._where import Local
from treebound.constraints import Constraints, ContradictionError, FamilyRules
from treebound.data import Dataset, nearest
from treebound.learning import learn
from treebound.network import DEFAULT_SMOOTHING
from treebound.scoring import Score
from treebound.sklearn._augmented import Penalty, augmented
from treebound.sklearn._class_constraints import feature_constraints
from treebound.sklearn._class_scores import ClassScores
from treebound.sklearn._ordered_rows import OrderedRows
from treebound.solvers import SOLVERS, ChowLiu, Regrow, check_possible
from treebound.structure import Structure

#: ``naive`` and ``tree`` are naive Bayes and the tree-augmented network; the augmented ones have as many
#: parents as the bound allows, at the price of their parameters that they are named for; in all of them the
#: class is a parent of every feature. ``joint`` treats it like any other variable. ``prior`` has no arcs: the
#: features say nothing about the class.
Kind: TypeAlias = Literal[
    "naive", "tree", "augmented-bic", "augmented-aic", "augmented-likelihood", "joint", "prior"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
_PENALTIES: dict[Kind, Penalty] = {
    "augmented-bic": "bic",
    "augmented-aic": "aic",
    "augmented-likelihood": "likelihood",
}


def kinds_within(max_treewidth: int, num_features: int) -> list[Kind]:
    """The kinds that look at the features and differ from each other within a bound."""
    if max_treewidth < 1:
        return ["joint"]
    if max_treewidth < 2 or num_features < 2:
        return ["naive", "joint"]
    has_room = max_treewidth > 2 and num_features > 2
    omitted = {"prior"} if has_room else {"prior", "augmented-likelihood"}
    return [kind for kind in KINDS if kind not in omitted]


def check_kind(structure: object, max_treewidth: int, others: Sequence[str] = ()) -> None:
    """Reject what is neither a kind within the bound nor one of the others."""
    listed = ("average", "best", *others, *KINDS)
    if structure not in listed:
        hint = nearest(str(structure), listed)
        raise ValueError(f"structure must be one of {', '.join(listed)}, got {structure!r}{hint or '.'}")
    least = {"average": 0, "best": 0, "joint": 0, "prior": 0, "naive": 1}.get(str(structure), 2)
    if structure not in others and max_treewidth < least:
        raise ValueError(
            f"structure={structure!r} needs max_treewidth={least} at least, got {max_treewidth}."
        )


def check_obeys(kind: Kind, constraints: Constraints, names: Sequence[str], max_treewidth: int) -> None:
    """Raise ``ContradictionError`` if no network of a kind obeys the constraints; the class is named last."""
    if kind == "joint":
        check_possible(constraints, names, None, SOLVERS[Regrow.name], max_treewidth, None)
        return
    if kind == "prior":
        _check_no_arcs(constraints.compile(names), names, "this network has no arcs")
        return
    if constraints.max_cells is not None:
        raise ContradictionError("Only joint networks keep max_cells.")
    left, features = feature_constraints(constraints, names), names[:-1]
    if kind == "naive":
        _check_no_arcs(left.compile(features), features, "naive Bayes has no arcs among the features")
    elif kind == "tree":
        check_possible(left, features, None, SOLVERS[ChowLiu.name], 1, None)
        if left.adjacent:
            raise ContradictionError("Required adjacencies may not fit into a tree; require arcs instead.")
    else:
        check_possible(left, features, None, SOLVERS[Regrow.name], max_treewidth - 1, None)


def _check_no_arcs(rules: FamilyRules, names: Sequence[str], reason: str) -> None:
    arcs = [(p, v) for v, parents in rules.required.items() for p in parents]
    for a, b in (*arcs, *rules.undecided):
        raise ContradictionError(f"An arc between {names[a]!r} and {names[b]!r} is required, and {reason}.")


@dataclass(frozen=True, eq=False)
class Learner:
    """Learns networks of all kinds from the same rows, whose last variable is the class."""

    max_treewidth: int
    budget: Budget
    local_score: Score | None
    seed: int
    threads: int
    constraints: Constraints | None = None

    def completed(self, training: OrderedRows) -> OrderedRows:
        """Draw the missing cells of rows to learn from, given the observed ones."""
        if training.rows.is_complete:
            return training
        training = training.with_some_values(self.seed)
        network = training.fitted(self._joint(training.counted), DEFAULT_SMOOTHING, self.threads)
        drawn = network.sample_rows_given(training.rows, self.seed, threads=self.threads)
        return replace(training, rows=Dataset(drawn.schema, drawn.codes, training.rows.weights))

    def learned(self, kinds: list[Kind], source: Source) -> Iterator[tuple[Kind, Structure]]:
        """A structure of each kind."""
        for kind in kinds:
            yield kind, self._structure(kind, source)

    def _structure(self, kind: Kind, source: Source) -> Structure:
        if kind == "joint":
            return self._joint(source.data)
        if kind == "prior":
            schema = source.data.schema
            empty = Structure.from_parents([()] * len(schema), names=schema.names, schema=schema)
            return replace(empty, constraints=self.constraints)
        width = {"naive": 0, "tree": 1}.get(kind, self.max_treewidth - 1)
        penalty = _PENALTIES.get(kind, "likelihood")
        return augmented(
            source.scores, width, penalty, self.budget, self.seed, self.threads, self.constraints
        )

    def _joint(self, data: Dataset) -> Structure:
        return learn(
            data,
            self.max_treewidth,
            budget=self.budget,
            score=self.local_score,
            missing="em",
            seed=self.seed,
            where=Local(self.threads),
            constraints=self.constraints,
        ).structure


@dataclass(frozen=True, eq=False)
class Source:
    """Rows to learn from, and scores that are counted once for all kinds."""

    data: Dataset
    threads: int

    @cached_property
    def scores(self) -> ClassScores:
        return ClassScores(self.data, self.threads)

"""The checker: says whether a structure is what it claims to be, and if not, why.

It shares nothing with the code that builds structures and their bags, on purpose: plain Python over the
numbers that a structure holds, one short function per kind of fault. The time is proportional to the sizes of
all bags times that of a family.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_type
from treebound._description import Described
from treebound._visible import visible
from treebound.constraints import Constraints, check_constraints, merged
from treebound.data import Dataset
from treebound.scoring import DEFAULT_SCORE, SCORE_IN_WORDS, ParentSetCache, Score, check_score
from treebound.structure._recount import close, recount, recount_table
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of

_MOST_PER_KIND = 5
_MOST_NAMED = 10
# Half a unit of the third decimal, to which files of others round a total.
_TOTAL_ROUNDING = 0.0005


class FaultKind(StrEnum):
    """What can be wrong with a structure, as its report is headed."""

    CYCLE = "cycle"
    FAMILY = "family outside all bags"
    TREE = "bags do not form a tree"
    VARIABLES = "bags do not match the variables"
    CONNECTION = "bags of a variable are not connected"
    WIDTH = "treewidth limit exceeded"
    CELLS = "cell limit exceeded"
    ORDER = "invalid insertion order"
    SCORES = "wrong scores"
    CONSTRAINTS = "constraint violated"


@dataclass(frozen=True)
class Fault:
    """Something that is wrong, and where."""

    kind: FaultKind
    message: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True)
class Verdict(Described):
    """What the checker found; true if there is no fault."""

    faults: tuple[Fault, ...]
    treewidth: int
    max_treewidth: int | None
    max_cells: int | None
    score: float | None
    compared_with: tuple[str, ...]  # "table", "cache", both, "observed cells" or nothing
    constraints: Constraints | None = None  # those that the structure obeys

    @property
    def scores_checked(self) -> bool:
        """Whether the scores were compared with a cache or a table."""
        return bool(self.compared_with)

    @property
    def is_ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.is_ok

    def describe(self) -> str:
        """Return the result in a sentence, or the faults as lines."""
        if not self.is_ok:
            return "\n".join(["rejected:", *(f"- {visible(fault)}" for fault in self.faults)])
        bound = "" if self.max_treewidth is None else f", within the limit {self.max_treewidth}"
        states = "" if self.max_cells is None else f", at most {self.max_cells:,} joint states per bag"
        obeyed = ", constraints obeyed" if self.constraints else ""
        limits = f"{bound}{states}{obeyed}"
        return f"ok: acyclic, treewidth at most {self.treewidth}{limits}, {self._scores_in_words()}"

    def _scores_in_words(self) -> str:
        if self.score is None:
            return "no scores to compare"
        return {
            (): "scores add up (not compared with a table or a cache)",
            ("cache",): "scores agree with the cache",
            ("table",): "scores recounted from the table",
            ("table", "cache"): "scores recounted from the table, and the cache agrees with it",
            ("observed cells",): "score recomputed from the observed cells of all rows",
        }[self.compared_with]


def check(
    structure: StructureLike,
    cache: ParentSetCache | None = None,
    max_treewidth: int | None = None,
    *,
    max_cells: int | None = None,
    data: Dataset | None = None,
    score: Score | None = None,
    constraints: Constraints | None = None,
) -> Verdict:
    """Check a structure: no cycle, a valid witness, treewidth within the limit, constraints, correct scores.

    Parameters
    ----------
    structure : Structure, LearnResult, SearchResult or BayesianNetwork
        What to check. Networks have no scores.
    cache : ParentSetCache, optional
        Local scores must be those of the cache. Without ``data``, every family must be in it.
    max_treewidth : int, optional
        Treewidth limit, in addition to that of the structure.
    max_cells : int, optional
        Limit on the joint states of the largest bag, in addition to that of the structure.
    data : Dataset, optional
        Compute every local score again from these rows; the cache must agree with them too.
    score : Bic or Bdeu, optional
        What to compute. By default the score of the cache, or BIC.
    constraints : Constraints, optional
        What to obey, in addition to the constraints of the structure and of the cache.

    Returns
    -------
    Verdict
        Lists the faults; true if there are none.

    Raises
    ------
    TypeError
        If an argument has the wrong type.

    Examples
    --------
    >>> import treebound as tb
    >>> structure = tb.Structure.from_parents({"rain": [], "wet": ["rain"]})
    >>> bool(tb.check(structure, max_treewidth=1)), bool(tb.check(structure, max_treewidth=0))
    (True, False)
    """
    structure = structure_of(structure)
    check_type("cache", cache, ParentSetCache | None, "a ParentSetCache or None")
    check_type("data", data, Dataset | None, "a Dataset, such as load(table), or None")
    check_type("score", score, Score | None, f"{SCORE_IN_WORDS}, or None")
    for name, given, low in (("max_treewidth", max_treewidth, 0), ("max_cells", max_cells, 1)):
        if given is not None:
            check_integer(name, given, low)
    wanted = (cache.score if cache is not None else None) or DEFAULT_SCORE if score is None else score
    check_constraints(constraints)
    if cache is not None:
        check_score(cache, wanted)
    limits = _Limits(max_treewidth, max_cells, constraints)
    if data is None:
        return _verdict(structure, cache, limits, None)
    data.require_countable("recounting scores")

    def counted() -> dict[int, float]:
        return {v: recount(data, wanted, v, chosen) for v, chosen in enumerate(structure.parent_indices)}

    return _verdict(structure, cache, limits, (data.schema.names, counted))


def check_tables(
    structure: Structure,
    tables: Sequence[NDArray[np.int64]],
    cache: ParentSetCache,
    max_treewidth: int | None = None,
    *,
    max_cells: int | None = None,
    constraints: Constraints | None = None,
) -> Verdict:
    """Check a structure whose families were counted in rows that lie elsewhere.

    ``tables`` are counts of shape (joint states of the parents, own states), one for each variable.
    """
    score = cache.score or DEFAULT_SCORE

    def counted() -> dict[int, float]:
        return {v: recount_table(table, score) for v, table in enumerate(tables)}

    limits = _Limits(max_treewidth, max_cells, constraints)
    return _verdict(structure, cache, limits, (cache.names, counted))


class _Limits(NamedTuple):
    """What a structure must keep besides its own promises."""

    max_treewidth: int | None
    max_cells: int | None
    constraints: Constraints | None


def _verdict(
    structure: Structure,
    cache: ParentSetCache | None,
    limits: _Limits,
    table: tuple[tuple[str, ...], Callable[[], dict[int, float]]] | None,
) -> Verdict:
    """What is found; ``table`` has the names of its columns, and counts the scores again on request."""
    bound = _smaller(structure.max_treewidth, limits.max_treewidth)
    most_cells = _smaller(structure.max_cells, limits.max_cells)
    of_cache = None if cache is None else cache.constraints
    constraints = merged(structure.constraints, of_cache, limits.constraints)
    findings = [
        _cycle(structure),
        _uncovered_families(structure),
        _not_a_tree(structure),
        _missing_variables(structure),
        _scattered_variables(structure),
        _too_wide(structure, bound),
        _too_many_cells(structure, most_cells),
        _not_an_order(structure),
        _wrong_sum(structure),
        _violations(structure, constraints),
    ]
    if cache is not None:
        findings.append(_wrong_variables(structure, cache.names, "cache"))
    if table is not None:
        findings.append(_wrong_variables(structure, table[0], "table"))
    faults = [fault for finding in findings for fault in _few(finding)]
    if not any(fault.kind is FaultKind.SCORES for fault in faults):
        held = {} if cache is None else _held_scores(structure, cache)
        rounding = 0.0 if cache is None else cache.score_rounding
        if cache is not None:
            faults += _few(_wrong_sets(structure, held, rounding, may_miss=table is not None))
        if table is not None:
            faults += _few(_wrong_counts(structure, held, rounding, table[1]()))
    compared = tuple(name for name, given in (("table", table), ("cache", cache)) if given is not None)
    return Verdict(
        tuple(faults), structure.treewidth, bound, most_cells, structure.score, compared, constraints
    )


def _smaller(a: int | None, b: int | None) -> int | None:
    return min((bound for bound in (a, b) if bound is not None), default=None)


def _few(finding: Iterator[Fault]) -> list[Fault]:
    """Return the first faults of a kind; a list of ten thousand is of no use."""
    return [fault for fault, _ in zip(finding, range(_MOST_PER_KIND), strict=False)]


def _cycle(structure: Structure) -> Iterator[Fault]:
    """Take variables away whose children are all gone; what stays lies on a cycle or above one."""
    num_children = [0] * structure.num_variables
    for chosen in structure.parent_indices:
        for parent in chosen:
            num_children[parent] += 1
    gone = [v for v, count in enumerate(num_children) if count == 0]
    for v in gone:
        for parent in structure.parent_indices[v]:
            num_children[parent] -= 1
            if num_children[parent] == 0:
                gone.append(parent)
    if len(gone) < structure.num_variables:
        # Whatever stays has a child that stays: walking down must come back to where it was.
        child_of = {
            p: c for c, chosen in enumerate(structure.parent_indices) for p in chosen if num_children[c] > 0
        }
        v = min(child_of)
        walk: dict[int, int] = {}
        while v not in walk:
            walk[v] = len(walk)
            v = child_of[v]
        cycle = [structure.names[u] for u in [*walk][walk[v] :]]
        path = " -> ".join([*cycle[:_MOST_PER_KIND], *(["..."] if len(cycle) > _MOST_PER_KIND else [])])
        yield Fault(FaultKind.CYCLE, f"{path} -> {cycle[0]}")


def _uncovered_families(structure: Structure) -> Iterator[Fault]:
    """A family inside a bag puts all its moral edges inside one: the second condition of the paper."""
    bags = [frozenset(bag) for bag in structure.witness.bags]
    bags_of: dict[int, list[frozenset[int]]] = {}
    for bag in bags:
        for v in bag:
            bags_of.setdefault(v, []).append(bag)
    for v, chosen in enumerate(structure.parent_indices):
        family = {v, *chosen}
        if not any(family <= bag for bag in bags_of.get(v, [])):
            listed = ", ".join(structure.names[p] for p in chosen)
            yield Fault(
                FaultKind.FAMILY, f"no bag contains {structure.names[v]} and its parents {{{listed}}}"
            )


def _not_a_tree(structure: Structure) -> Iterator[Fault]:
    """A graph is a tree if it has one edge less than vertices and all are reached from the first."""
    num_bags, edges = len(structure.witness.bags), structure.witness.edges
    if len(edges) != num_bags - 1:
        yield Fault(FaultKind.TREE, f"{num_bags} bags need {num_bags - 1} edges, got {len(edges)}")
        return
    around: dict[int, list[int]] = {}
    for a, b in edges:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    reached = {0: None}
    walk = [0]
    for bag in walk:
        fresh = [other for other in around.get(bag, []) if other not in reached]
        reached.update(dict.fromkeys(fresh))
        walk += [*dict.fromkeys(fresh)]
    if len(reached) < num_bags:
        yield Fault(FaultKind.TREE, f"only {len(reached)} of {num_bags} bags are connected to the first")


def _missing_variables(structure: Structure) -> Iterator[Fault]:
    """The first condition of the paper: every variable is in some bag."""
    held = {v for bag in structure.witness.bags for v in bag}
    for v in range(structure.num_variables):
        if v not in held:
            yield Fault(FaultKind.VARIABLES, f"{structure.names[v]} is in no bag")
    for v in sorted(held.difference(range(structure.num_variables))):
        yield Fault(
            FaultKind.VARIABLES,
            f"a bag contains index {v}, but there are {structure.num_variables} variables",
        )


def _scattered_variables(structure: Structure) -> Iterator[Fault]:
    """The third condition of the paper, running intersection.

    In a tree, the bags of a variable form a forest, which has as many parts as bags less edges.
    """
    num_parts = [0] * structure.num_variables
    bags = [frozenset(bag) for bag in structure.witness.bags]
    variables = frozenset(range(structure.num_variables))
    for bag in bags:
        for v in bag & variables:
            num_parts[v] += 1
    for a, b in structure.witness.edges:
        for v in bags[a] & bags[b] & variables:
            num_parts[v] -= 1
    for v, parts in enumerate(num_parts):
        if parts > 1:
            yield Fault(FaultKind.CONNECTION, f"those of {structure.names[v]} form {parts} separate parts")


def _too_wide(structure: Structure, bound: int | None) -> Iterator[Fault]:
    if bound is None:
        return
    wide = [bag for bag in structure.witness.bags if len(bag) - 1 > bound]
    if wide:
        worst = max(wide, key=len)
        size = f"has {len(worst)} variables, limit {bound} allows {bound + 1}"
        yield Fault(FaultKind.WIDTH, f"bag {_listed(structure, worst)} {size}{_and_more(len(wide) - 1)}")


def _too_many_cells(structure: Structure, bound: int | None) -> Iterator[Fault]:
    if bound is None:
        return
    states = structure.cardinalities
    if states is None:
        yield Fault(FaultKind.CELLS, "cannot be checked, because the structure has no schema")
        return
    variables = range(len(states))
    cells = [math.prod(states[v] for v in bag if v in variables) for bag in structure.witness.bags]
    worst = max(range(len(cells)), key=cells.__getitem__)
    if cells[worst] > bound:
        more = _and_more(sum(number > bound for number in cells) - 1)
        bag = _listed(structure, structure.witness.bags[worst])
        yield Fault(FaultKind.CELLS, f"bag {bag} has {cells[worst]:,} joint states, limit {bound:,}{more}")


def _listed(structure: Structure, bag: Sequence[int]) -> str:
    """The names of the variables in a bag; of many only the first."""
    known = range(structure.num_variables)
    names = [structure.names[v] if v in known else str(v) for v in sorted(bag)[:_MOST_NAMED]]
    rest = [f"... {len(bag) - _MOST_NAMED:,} more"] if len(bag) > _MOST_NAMED else []
    return f"{{{', '.join([*names, *rest])}}}"


def _and_more(num_bags: int) -> str:
    """A note on other bags beyond the limit."""
    if num_bags == 0:
        return ""
    return f" ({num_bags:,} more {'bag exceeds' if num_bags == 1 else 'bags exceed'} it)"


def _violations(structure: Structure, constraints: Constraints | None) -> Iterator[Fault]:
    if constraints is None:
        return
    try:
        reasons = constraints.reasons(structure.names)
    except ValueError as error:
        yield Fault(FaultKind.CONSTRAINTS, f"they cannot be read for these variables: {error}")
        return
    for message in reasons.violations(structure.parent_indices):
        yield Fault(FaultKind.CONSTRAINTS, message)


def _not_an_order(structure: Structure) -> Iterator[Fault]:
    order = structure.insertion_order
    if order is not None and sorted(order) != list(range(structure.num_variables)):
        yield Fault(FaultKind.ORDER, f"it does not contain each of {structure.num_variables} variables once")


def _wrong_sum(structure: Structure) -> Iterator[Fault]:
    if structure.local_scores is None or structure.score is None:
        return
    total = math.fsum(structure.local_scores)
    slack = structure.num_variables * structure.score_rounding
    if not close(structure.score, total, slack + (_TOTAL_ROUNDING if slack else 0)):
        yield Fault(
            FaultKind.SCORES, f"the structure reports {structure.score}, but its local scores sum to {total}"
        )


def _wrong_variables(structure: Structure, names: tuple[str, ...], where: str) -> Iterator[Fault]:
    if structure.num_variables != len(names):
        message = f"the {where} has {len(names)} variables, the structure has {structure.num_variables}"
        yield Fault(FaultKind.SCORES, message)
    # Formats without names number the variables; then the position decides.
    elif structure.names not in (names, tuple(map(str, range(len(names))))):
        v = next(i for i, (a, b) in enumerate(zip(structure.names, names, strict=True)) if a != b)
        message = f"variable {v} is {structure.names[v]} in the structure, but {names[v]} in the {where}"
        yield Fault(FaultKind.SCORES, message)


def _held_scores(structure: Structure, cache: ParentSetCache) -> dict[int, float]:
    """The scores of the families that the cache holds, by variable."""
    scores = (cache.score_of(v, chosen) for v, chosen in enumerate(structure.parent_indices))
    return {v: known for v, known in enumerate(scores) if known is not None}


def _wrong_sets(
    structure: Structure, held: dict[int, float], rounding: float, *, may_miss: bool
) -> Iterator[Fault]:
    """Scores that are not those of the cache."""
    for v, chosen in enumerate(structure.parent_indices):
        if v not in held and not may_miss:
            listed = ", ".join(structure.names[p] for p in chosen)
            yield Fault(
                FaultKind.SCORES, f"the cache has no parent set {{{listed}}} for {structure.names[v]}"
            )
    yield from _wrong_scores(structure, held, "cache", rounding)


def _wrong_counts(
    structure: Structure, held: dict[int, float], rounding: float, counted: dict[int, float]
) -> Iterator[Fault]:
    """Scores that are not what the rows give: those of the structure, and those of the cache."""
    yield from _wrong_scores(structure, counted, "table", 0)
    for v, known in held.items():
        if not close(known, counted[v], rounding):
            message = f"{structure.names[v]} scores {known} in the cache, but {counted[v]} in the table"
            yield Fault(FaultKind.SCORES, message)


def _wrong_scores(
    structure: Structure, true_scores: dict[int, float], source: str, rounding: float
) -> Iterator[Fault]:
    """Local scores and a total that are not the true ones, which may be rounded and of some variables."""
    if structure.local_scores is not None:
        for v, true_score in true_scores.items():
            local = structure.local_scores[v]
            if not close(local, true_score, structure.score_rounding + rounding):
                message = (
                    f"{structure.names[v]} scores {local} in the structure, but {true_score} in the {source}"
                )
                yield Fault(FaultKind.SCORES, message)
    if structure.score is None or len(true_scores) < structure.num_variables:
        return
    total = math.fsum(true_scores.values())
    # The sum of rounded scores is as far off as they are, and they were looked at one by one.
    is_sum_of_rounded = structure.score_rounding > 0 and close(
        structure.score, math.fsum(structure.local_scores or ()), 0
    )
    slack = (_TOTAL_ROUNDING if structure.score_rounding else 0) + structure.num_variables * rounding
    if not is_sum_of_rounded and not close(structure.score, total, slack):
        message = f"the structure reports {structure.score}, but the {source} gives {total}"
        yield Fault(FaultKind.SCORES, message)

"""The checker: says whether a structure is what it claims to be, and if not, why.

It shares nothing with the code that builds structures and their bags, on purpose: plain Python over the
numbers that a structure holds, one short function per kind of fault (``_shape_faults``, ``_score_faults``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from treebound._arguments import check_integer, check_type
from treebound.constraints import Constraints, check_constraints, merged, split_cells
from treebound.data import Dataset
from treebound.scoring import DEFAULT_SCORE, SCORE_IN_WORDS, ParentSetCache, Score, check_score
from treebound.structure._recount import recount, recount_table
from treebound.structure._score_faults import (
    held_scores,
    wrong_counts,
    wrong_sets,
    wrong_sum,
    wrong_variables,
)
from treebound.structure._shape_faults import (
    cycle,
    missing_variables,
    not_a_tree,
    not_an_order,
    scattered_variables,
    too_many_cells,
    too_wide,
    uncovered_families,
    violations,
)
from treebound.structure._structure import Structure
from treebound.structure._structure_of import StructureLike, structure_of
from treebound.structure._verdict import Fault, FaultKind, Verdict

_MOST_PER_KIND = 5


def check(
    structure: StructureLike,
    cache: ParentSetCache | None = None,
    max_treewidth: int | None = None,
    *,
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
    data : Dataset, optional
        Compute every local score again from these rows; the cache must agree with them too.
    score : Bic or Bdeu, optional
        What to compute. By default the score of the cache, or BIC.
    constraints : Constraints, optional
        What to obey, in addition to the constraints and limits of the structure and of the cache.

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
    if max_treewidth is not None:
        check_integer("max_treewidth", max_treewidth, 0)
    wanted = (cache.score if cache is not None else None) or DEFAULT_SCORE if score is None else score
    check_constraints(constraints)
    if cache is not None:
        check_score(cache, wanted)
    if data is None:
        return _verdict(structure, cache, max_treewidth, constraints, None)
    data.require_countable("recounting scores")

    def counted() -> dict[int, float]:
        return {v: recount(data, wanted, v, chosen) for v, chosen in enumerate(structure.parent_indices)}

    return _verdict(structure, cache, max_treewidth, constraints, (data.schema.names, counted))


def check_tables(
    structure: Structure,
    tables: Sequence[NDArray[np.int64]],
    cache: ParentSetCache,
    max_treewidth: int | None = None,
    *,
    constraints: Constraints | None = None,
) -> Verdict:
    """Check a structure whose families were counted in rows that lie elsewhere.

    ``tables`` are counts of shape (joint states of the parents, own states), one for each variable.
    """
    score = cache.score or DEFAULT_SCORE

    def counted() -> dict[int, float]:
        return {v: recount_table(table, score) for v, table in enumerate(tables)}

    return _verdict(structure, cache, max_treewidth, constraints, (cache.names, counted))


def _verdict(
    structure: Structure,
    cache: ParentSetCache | None,
    max_treewidth: int | None,
    constraints: Constraints | None,
    table: tuple[tuple[str, ...], Callable[[], dict[int, float]]] | None,
) -> Verdict:
    """What is found; ``table`` has the names of its columns, and counts the scores again on request."""
    bound = _smaller(structure.max_treewidth, max_treewidth)
    of_cache = None if cache is None else cache.constraints
    max_cells, known = split_cells(merged(structure.constraints, of_cache, constraints))
    most_cells = _smaller(structure.max_cells, max_cells)
    findings = [
        cycle(structure),
        uncovered_families(structure),
        not_a_tree(structure),
        missing_variables(structure),
        scattered_variables(structure),
        too_wide(structure, bound),
        too_many_cells(structure, most_cells),
        not_an_order(structure),
        wrong_sum(structure),
        violations(structure, known),
    ]
    if cache is not None:
        findings.append(wrong_variables(structure, cache.names, "cache"))
    if table is not None:
        findings.append(wrong_variables(structure, table[0], "table"))
    faults = [fault for finding in findings for fault in _few(finding)]
    if not any(fault.kind is FaultKind.SCORES for fault in faults):
        held = {} if cache is None else held_scores(structure, cache)
        rounding = 0.0 if cache is None else cache.score_rounding
        if cache is not None:
            faults += _few(wrong_sets(structure, held, rounding, may_miss=table is not None))
        if table is not None:
            faults += _few(wrong_counts(structure, held, rounding, table[1]()))
    compared = tuple(name for name, given in (("table", table), ("cache", cache)) if given is not None)
    return Verdict(tuple(faults), structure.treewidth, bound, most_cells, structure.score, compared, known)


def _smaller(a: int | None, b: int | None) -> int | None:
    return min((bound for bound in (a, b) if bound is not None), default=None)


def _few(finding: Iterator[Fault]) -> list[Fault]:
    """Return the first faults of a kind; a list of ten thousand is of no use."""
    return [fault for fault, _ in zip(finding, range(_MOST_PER_KIND), strict=False)]

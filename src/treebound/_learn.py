"""The whole chain: from a table, or a cache of scored parent sets, to a structure of bounded treewidth."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treebound._arguments import check_function, check_integer, check_seed, check_type
from treebound._budget import Budget, resolve_threads
from treebound._html import curve, facts, section
from treebound._phases import PhaseSeconds, Stopwatch, peak_memory_mb
from treebound._progress import ProgressOption
from treebound.data import Dataset, Preparation, Rules, load
from treebound.formats.cache_files import is_cache_path, load_cache
from treebound.scoring import (
    DEFAULT_SCORE,
    PARENT_SETS_IN_WORDS,
    SCORE_IN_WORDS,
    Exhaustive,
    Independence,
    MemoryEstimate,
    ParentSetCache,
    ParentSetSearch,
    Score,
    ScoringReport,
    ScoringResult,
    check_memory_mb,
    estimate_scoring,
    fitted,
    held_by,
    score,
    with_search,
)
from treebound.search import (
    DEFAULT_SOLVER,
    Entry,
    SearchResult,
    Solver,
    StopReason,
    Takes,
    check_arguments,
    entry_of,
    kept_bound,
    search,
)
from treebound.structure import Structure, Verdict, cache_for, check, check_seconds

DEFAULT_BUDGET = Budget(seconds=60)  # with a thousand variables the score hardly improves after that
# Scoring finds its best sets early; the search scores further families by itself.
SCORING_SHARE = 0.25
# With a budget of steps alone scoring must not look at the clock; this many sets per variable take seconds.
# Where there are no more, all are scored, and what no other set can improve is known.
SCORED_PER_VARIABLE = 2_000
# With seconds all are scored, too, where that takes at most about this share of them. Of a set of binary
# columns one thread counts 8 to 16 rows per nanosecond, of one of columns with many states less than one.
# A set costs as much as these rows, however few there are.
_COMPLETE_SHARE = 0.05
_ROWS_PER_SECOND = 1e9
_LEAST_ROWS = 4096


@dataclass(frozen=True, eq=False, repr=False)
class LearnResult:
    """The structure with everything that led to it.

    ``scoring`` is None where a cache was given; ``verdict`` is what the checker says about the structure.
    ``phases`` says where the ``seconds`` went; ``peak_memory_mb`` is the largest memory so far.
    """

    structure: Structure
    cache: ParentSetCache
    scoring: ScoringReport | None
    search: SearchResult
    verdict: Verdict
    phases: PhaseSeconds
    peak_memory_mb: float

    @property
    def preparation(self) -> Preparation:
        """What was done with the columns and rows of the table, by ``auto`` or as asked."""
        schema = self.structure.schema
        return Preparation() if schema is None else schema.preparation

    @property
    def seconds(self) -> float:
        """Seconds of all phases."""
        return self.phases.total

    @property
    def score(self) -> float:
        """Score of the structure."""
        return self.search.score

    @property
    def was_interrupted(self) -> bool:
        """Whether Ctrl-C cut the work short."""
        return self.search.stopped is StopReason.INTERRUPTED

    def __repr__(self) -> str:
        verdict = "checked" if self.verdict else "refused by the checker"
        done = f"; {self.preparation.summary}" if self.preparation.summary else ""
        return f"<LearnResult: {self.search.words}; {verdict}; {self.seconds:.2f} s in all{done}>"

    def _repr_html_(self) -> str:
        rows = [
            ("score", f"{self.score:,.4f}"),
            ("verdict", str(self.verdict)),
            ("solver", self.search.solver.name),
            ("seconds", f"{self.seconds:.2f}"),
        ]
        if self.preparation.summary:
            rows.append(("table", self.preparation.summary))
        moments = [(entry.seconds, entry.score) for entry in self.search.trace]
        trace = curve(*zip(*moments, strict=True)) if moments else ""
        return section("Learned", facts(rows), trace, self.structure._repr_html_())


def learn(
    source: Any,
    max_treewidth: int | None = None,
    *,
    max_cells: int | None = None,
    budget: Budget = DEFAULT_BUDGET,
    solver: Solver = DEFAULT_SOLVER,
    parent_sets: ParentSetSearch | None = None,
    score: Score | None = None,
    cache: ParentSetCache | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory_mb: int | None = None,
    progress: ProgressOption = None,
    on_scored: Callable[[ParentSetCache], None] | None = None,
    on_improvement: Callable[[Structure], None] | None = None,
    start: Structure | None = None,
    discretise: Rules = None,
    auto: bool = False,
) -> LearnResult:
    """Learn a structure of treewidth at most ``max_treewidth``, or with at most ``max_cells`` per bag.

    ``source`` is a :class:`ParentSetCache`, the path of one (``.tbc``, ``.jkl``) or what
    :func:`treebound.score` returned, which is searched as it is, or a :class:`Dataset` or anything that
    :func:`treebound.load` takes, which is scored first.

    One ``budget`` covers the whole call: reading; scoring, which takes up to ``SCORING_SHARE`` of the
    seconds; the search; and the check, for which the search leaves the seconds that it will take.
    :attr:`LearnResult.phases` tells all of them. Where the seconds are too few, the structure is checked
    nevertheless. A budget of steps counts steps of the search; then nothing looks at the clock, and scoring
    looks at the same number of sets on every machine.

    ``score`` (default: BIC) and ``parent_sets`` say how a table is scored. By default these are all sets of
    up to ``max_treewidth`` parents where they are few, and else what the solver makes use of: single parents
    for Regrow, which scores larger families when it needs them, none for HcEt and ChowLiu, and independence
    selection for the others, or for all if ``on_scored`` asks for the cache. A ``cache`` made of the table
    before takes the place of scoring; it is compared with the table before the search begins, and
    ``CacheError`` says if it is of other rows or of another score.

    The memory is estimated before it is taken (:func:`estimate_memory`), and ``NotEnoughMemory`` says what
    would fit if that is more than is free. ``memory_mb`` is what the process may take in all: scoring
    remembers no more than it leaves room for.

    ``discretise`` and ``auto`` are those of :func:`treebound.load`; for its other options, learn from what it
    returns. :attr:`LearnResult.preparation` tells what they did, and ``fit`` does the same again.

    ``on_scored`` gets the cache once a table is scored, ``on_improvement`` every better structure soon after
    it was found; ``start`` is such a structure, to go on from. Ctrl-C ends the current phase early, and the
    structure found by then is returned. ``progress`` is called a few times per second with the progress of
    the current phase; True draws a bar, in a terminal or a notebook.
    """
    watch = Stopwatch()
    entry = check_arguments(max_treewidth, max_cells, budget, solver)
    max_treewidth = kept_bound(entry, max_treewidth)
    check_type("score", score, Score | None, f"{SCORE_IN_WORDS}, or None")
    check_type("parent_sets", parent_sets, ParentSetSearch | None, f"{PARENT_SETS_IN_WORDS}, or None")
    check_type("cache", cache, ParentSetCache | None, "a ParentSetCache or None")
    check_type("start", start, Structure | None, "a Structure or None")
    check_function("on_scored", on_scored)
    check_function("on_improvement", on_improvement)
    check_seed(seed)
    threads, memory_mb = resolve_threads(threads), check_memory_mb(memory_mb)
    source = _opened(source, discretise, auto)
    _check_agreement(source, cache, score, parent_sets)
    report, data, reading = None, None, watch.lap()
    if isinstance(source, ParentSetCache):
        cache = source
    else:
        data = source
        data.check_rows()
        asked = parent_sets, budget, threads, memory_mb
        estimate_memory(data, max_treewidth, solver, cache, *asked).check(held_by(data), memory_mb)
        if cache is not None:
            cache = cache_for(data, cache, score)
        else:
            wanted = score or DEFAULT_SCORE
            left = _left(budget, watch)
            if parent_sets is None:
                parent_sets = _default_sets(entry, data, max_treewidth, budget, on_scored is not None)
            cache, report = _score(data, left, parent_sets, wanted, threads, memory_mb, progress)
            if on_scored is not None:
                on_scored(cache)

    scoring = watch.lap()
    is_interrupted = report is not None and report.stopped == "interrupted"

    checking = 0.0 if budget.seconds is None else check_seconds(cache.num_variables, cache, data)

    def verdict_of(structure: Structure) -> Verdict:
        return check(structure, cache, max_treewidth, max_cells=max_cells, data=data)

    found = search(
        cache,
        max_treewidth,
        max_cells=max_cells,
        data=data if Takes.ROWS in entry.takes else None,
        solver=solver,
        budget=Budget(steps=1) if is_interrupted else _left(budget, watch, checking),
        seed=seed,
        threads=threads,
        progress=progress,
        on_improvement=_only_true(on_improvement, cache, data, verdict_of),
        start=start,
    )
    if is_interrupted:
        found = replace(found, stopped=StopReason.INTERRUPTED)
    searching = watch.lap()
    verdict = verdict_of(found.structure)
    phases = PhaseSeconds(reading, scoring, searching, checking=watch.lap())
    return LearnResult(found.structure, cache, report, found, verdict, phases, peak_memory_mb())


def _opened(source: Any, discretise: Rules, auto: bool) -> ParentSetCache | Dataset:
    """A cache, given as such, by a path or inside what score() returned; all else is a table."""
    if isinstance(source, ScoringResult):
        source = source.cache
    is_path = isinstance(source, str | os.PathLike) and is_cache_path(source)
    if not is_path and not isinstance(source, ParentSetCache | Dataset):
        return load(source, discretise=discretise, auto=auto)
    if discretise is not None or auto:
        name = "auto" if auto else "discretise"
        raise ValueError(
            f"{name} is for a table that is yet to be read, and the source is none; leave it out."
        )
    return load_cache(Path(source).expanduser()) if is_path else source


def _check_agreement(
    source: ParentSetCache | Dataset,
    cache: ParentSetCache | None,
    score: Score | None,
    parent_sets: ParentSetSearch | None,
) -> None:
    """Refuse arguments of which one would have to be ignored."""
    if isinstance(source, ParentSetCache):
        given = {"cache": cache, "score": score, "parent_sets": parent_sets}
        if wrong := [name for name, value in given.items() if value is not None]:
            raise ValueError(f"{wrong[0]} is for scoring a table, and the source is a cache; leave it out.")
    elif cache is not None and parent_sets is not None:
        raise ValueError(
            "parent_sets is for scoring the table, which the cache has done before; leave one out."
        )


def _only_true(
    on_improvement: Callable[[Structure], None] | None,
    cache: ParentSetCache,
    data: Dataset | None,
    verdict_of: Callable[[Structure], Verdict],
) -> Callable[[Structure], None] | None:
    """Hand on only what the checker accepts, where the scores of the cache come from elsewhere."""
    if on_improvement is None or data is None or cache.fingerprint is not None:
        return on_improvement

    def hand_on(structure: Structure) -> None:
        if verdict_of(structure):
            on_improvement(structure)

    return hand_on


def _default_sets(
    entry: Entry, data: Dataset, max_treewidth: int | None, budget: Budget, is_kept: bool
) -> ParentSetSearch:
    """Return the sets that the solver makes use of; all of a cache that is kept for other uses.

    All within the bound if these are few or soon scored: they make the upper bound of the search a tight one.
    """
    limit = None if is_kept else entry.max_parents_scored
    others = data.num_variables - 1
    most = others if max_treewidth is None else min(max_treewidth, others)
    if limit == 0 or most == 0:
        return Exhaustive(max_parents=0)
    affordable = _affordable_sets(data, budget)
    num_sets = 0
    for size in range(most + 1):
        num_sets += math.comb(others, size)
        if num_sets > affordable:
            return Independence(max_parents=min(most, limit or Independence().max_parents))
    return Exhaustive(max_parents=most)


def _affordable_sets(data: Dataset, budget: Budget) -> float:
    """Sets of each variable that may all be scored."""
    if budget.seconds is None:
        return SCORED_PER_VARIABLE
    rows = _COMPLETE_SHARE * budget.seconds * _ROWS_PER_SECOND
    return max(SCORED_PER_VARIABLE, rows / (data.num_variables * max(data.num_rows, _LEAST_ROWS)))


def _score(
    data: Dataset,
    budget: Budget,
    parent_sets: ParentSetSearch,
    local_score: Score,
    threads: int,
    memory_mb: int | None,
    progress: ProgressOption,
) -> tuple[ParentSetCache, ScoringReport]:
    result = score(
        data,
        parent_sets=parent_sets,
        score=local_score,
        budget=_scoring_budget(data, budget),
        threads=threads,
        memory_mb=memory_mb,
        progress=progress,
    )
    return result.cache, result.report


def _scoring_budget(data: Dataset, budget: Budget) -> Budget:
    if budget.seconds is None:
        return Budget(steps=SCORED_PER_VARIABLE * data.num_variables)
    return Budget(seconds=SCORING_SHARE * budget.seconds)


def estimate_memory(
    data: Dataset,
    max_treewidth: int | None = None,
    solver: Solver = DEFAULT_SOLVER,
    cache: ParentSetCache | None = None,
    parent_sets: ParentSetSearch | None = None,
    budget: Budget = DEFAULT_BUDGET,
    threads: int | None = None,
    memory_mb: int | None = None,
    *,
    keeps_cache: bool = False,
) -> MemoryEstimate:
    """How much memory :func:`learn` takes at its peak, by what takes it; the arguments are those of learn.

    ``keeps_cache``: it will get ``on_scored``, and scores in full.
    """
    check_type("data", data, Dataset, "a Dataset, such as load(table)")
    check_type("cache", cache, ParentSetCache | None, "a ParentSetCache or None")
    check_type("parent_sets", parent_sets, ParentSetSearch | None, f"{PARENT_SETS_IN_WORDS}, or None")
    check_type("budget", budget, Budget, "a Budget, such as Budget(seconds=60)")
    if max_treewidth is not None:
        max_treewidth = check_integer("max_treewidth", max_treewidth, 0)
    entry, threads, memory_mb = entry_of(solver), resolve_threads(threads), check_memory_mb(memory_mb)
    if cache is not None:
        parent_sets = Exhaustive(max_parents=0)
    elif parent_sets is None:
        parent_sets = _default_sets(entry, data, max_treewidth, budget, keeps_cache)
    if memory_mb is not None and isinstance(parent_sets, Independence):
        parent_sets = fitted(parent_sets, data, memory_mb)
    limit = _scoring_budget(data, budget)
    estimate = estimate_scoring(data, parent_sets, limit, threads)
    if cache is not None:
        estimate = replace(estimate, scoring=0, num_sets=cache.num_sets)
    return with_search(estimate, budget, threads, reads_rows=Takes.ROWS in entry.takes)


def _left(budget: Budget, watch: Stopwatch, kept_back: float = 0.0) -> Budget:
    """What is left of the budget now, less some seconds for later, at most half of it."""
    if budget.seconds is None:
        return budget
    left = max(0.0, budget.seconds - watch.elapsed)
    return replace(budget, seconds=left - min(kept_back, left / 2))

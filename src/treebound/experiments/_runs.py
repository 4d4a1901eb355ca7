"""What is to be run, apart from how it is run: a list of specifications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from treebound._arguments import check_integer, check_seed, check_type
from treebound._budget import Budget
from treebound._json import Json
from treebound.solvers import SOLVERS, Needs, Solver, entry_of

_UNSAFE = frozenset('/\\:*?"<>|')


@dataclass(frozen=True)
class RunSpec:
    """One run of a solver on a source. ``max_treewidth`` is None for solvers that keep no bound."""

    source: str
    label: str  # of the solver, in tables and figures
    solver: Solver
    max_treewidth: int | None
    seed: int
    budget: Budget
    threads: int = 1

    def __post_init__(self) -> None:
        check_name("source", self.source)
        check_name("label", self.label)
        check_type("budget", self.budget, Budget, "a Budget, such as Budget(seconds=60)")
        entry_of(self.solver)
        if self.max_treewidth is not None:
            check_integer("max_treewidth", self.max_treewidth, 0)
        check_seed(self.seed)
        check_integer("threads", self.threads, 1)

    @property
    def name(self) -> str:
        """A path that no other run of a comparison has."""
        bound = "unbounded" if self.max_treewidth is None else f"k{self.max_treewidth}"
        return f"{self.source}/{self.label}/{bound}-seed{self.seed}"

    def to_json(self) -> dict[str, Json]:
        """Everything about the run as plain data."""
        return {
            "source": self.source,
            "label": self.label,
            "solver": self.solver.name,
            "options": asdict(self.solver),  # type: ignore[call-overload]
            "max_treewidth": self.max_treewidth,
            "seed": self.seed,
            "seconds": self.budget.seconds,
            "steps": self.budget.steps,
            "patience": self.budget.patience,
            "threads": self.threads,
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Json]) -> RunSpec:
        """Undo ``to_json``."""
        return cls(
            plain["source"],
            plain["label"],
            type(SOLVERS[plain["solver"]].solver)(**plain["options"]),
            plain["max_treewidth"],
            plain["seed"],
            Budget(plain["seconds"], plain["steps"], plain["patience"]),
            plain["threads"],
        )


class Plan(NamedTuple):
    """The runs in the order in which they begin, and why others were omitted, in words."""

    runs: tuple[RunSpec, ...]
    skipped: tuple[str, ...]


def plan_runs(
    sources: Mapping[str, bool],
    solvers: Mapping[str, Solver],
    max_treewidths: Sequence[int],
    *,
    seeds: Iterable[int],
    budget: Budget,
    threads: int = 1,
) -> Plan:
    """All combinations of source, bound, solver and seed.

    ``sources`` says of each name whether rows are known; solvers that need rows are dropped where they are
    not. Solvers without a bound run once per source and seed. All combinations come with the first seed
    before any comes with the next, so an early end leaves a table without holes.
    """
    skipped = []
    chosen = []
    for source, has_rows in sources.items():
        able = {}
        for label, solver in solvers.items():
            if Needs.ROWS in entry_of(solver).needs and not has_rows:
                skipped.append(f"{label} needs rows, and {source} is a cache: skipped there.")
            else:
                able[label] = solver
        for label, bound in _bounds_of(able, max_treewidths):
            chosen.append((source, label, able[label], bound))
    runs = tuple(
        RunSpec(source, label, solver, bound, seed, budget, threads)
        for seed in seeds
        for source, label, solver, bound in chosen
    )
    return Plan(runs, tuple(skipped))


def _bounds_of(solvers: Mapping[str, Solver], max_treewidths: Sequence[int]) -> list[tuple[str, int | None]]:
    """Pairs of label and bound: the unbounded solvers first, then all others bound by bound."""
    bounded = [label for label, solver in solvers.items() if entry_of(solver).is_bounded]
    bounds: Sequence[int | None] = max_treewidths or (None,)
    unbounded = [(label, None) for label in solvers if label not in bounded]
    return [*unbounded, *((label, bound) for bound in bounds for label in bounded)]


def check_name(what: str, name: str) -> None:
    """Reject a name that cannot be part of a path."""
    check_type(what, name, str, "a name")
    if not name.strip() or name.startswith(".") or not _UNSAFE.isdisjoint(name) or not name.isprintable():
        raise ValueError(f"{what} must be a name that can be part of a path, got {name!r}.")

"""The experiments as data: ``definitions/NAME.toml``, read and checked once, as frozen records."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from treebound.solvers import SOLVERS, Solver, printed_solver

FOLDER = Path(__file__).parent / "definitions"
KINDS = ("search", "variants", "candidates", "pruning")
AFTERWARDS = (None, "density", "inference")
# In the order of the paper, then what is beyond it.
ORDER = (
    *("variants", "small", "inverted", "candidates", "large", "very_large", "bounds"),
    *("published", "slim", "inference"),
)
BEYOND = "Beyond the paper: "
ORIGINS = ("file", "parts", "network", "inverted_tree", "random_network", "cache", "variants")
Made = TypeVar("Made")


class DefinitionError(ValueError):
    """A definition that says what no experiment can do."""


@dataclass(frozen=True)
class Method:
    """A solver with its options under a label. ``once``: further seeds would say nothing more."""

    label: str
    shown: str
    solver: str
    step: str
    options: Mapping[str, Any] = field(default_factory=dict)
    printed: bool = False
    counts_as: str | None = None
    once: bool = False
    scores_rows: bool = False
    least_seconds: float = 0.0
    max_variables: int | None = None

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise DefinitionError(
                f"{self.label}: solver must be one of {', '.join(SOLVERS)}, got {self.solver!r}."
            )

    @property
    def record(self) -> Solver:
        """The solver with its options, or with those of the paper."""
        if self.printed:
            return printed_solver(self.solver)
        made: Solver = type(SOLVERS[self.solver].solver)(**self.options)
        return made


@dataclass(frozen=True)
class ScoringRule:
    """How tables are scored: all sets up to a number of variables, by independence selection beyond.

    ``sets_per_variable`` ends the selection by a count, at any scale and on any machine, not by the clock.
    """

    max_parents: int = 6
    exhaustive_up_to: int = 0
    seconds_per_variable: float = 1.0
    least_seconds: float = 2.0
    sets_per_variable: int | None = None


@dataclass(frozen=True)
class SourceDefinition:
    """Where rows come from, one of ORIGINS; ``copies`` are drawn anew, ``splits`` are parts of one table.

    ``printed`` are figures of the paper, or of another one, to stand beside ours. ``treewidth``,
    ``max_parents``, ``seconds`` and ``methods`` are for measurements, ``seconds`` where the experiment's do
    not fit.
    """

    name: str
    file: str | None = None
    parts: str | None = None
    network: Mapping[str, Any] | None = None
    inverted_tree: Mapping[str, Any] | None = None
    random_network: Mapping[str, Any] | None = None
    cache: str | None = None
    variants: tuple[str, ...] | None = None
    copies: int = 1
    splits: int = 1
    treewidths: tuple[int, ...] | None = None
    treewidth: int | None = None
    max_parents: int | None = None
    seconds: float | None = None
    methods: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()
    printed: Any = None
    density: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        given = [origin for origin in ORIGINS if getattr(self, origin) is not None]
        if len(given) != 1:
            raise DefinitionError(
                f"{self.name}: expected one of {', '.join(ORIGINS)}, got {given or 'none'}."
            )
        if self.copies < 1 or self.splits < 1 or (self.copies > 1 and self.splits > 1):
            raise DefinitionError(
                f"{self.name}: expected copies or splits from 1 on, got {self.copies} and {self.splits}."
            )


@dataclass(frozen=True)
class Experiment:
    """One experiment. Seconds are the paper's own, which the scale shortens.

    ``constructions`` are those of the paper in this time, by method, of which the share is taken. An
    experiment on small tables gets at least ``least_seconds`` and ``least_share``.
    """

    name: str
    kind: str
    title: str
    paper: str
    question: str
    expected: str
    sources: tuple[SourceDefinition, ...]
    then: str | None = None
    treewidths: tuple[int, ...] = ()
    seconds: float = 0.0
    least_seconds: float = 0.0
    least_share: float = 0.0
    seeds: int = 1
    constructions: Mapping[str, int] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    scoring: ScoringRule = ScoringRule()
    curves: tuple[str, ...] = ()
    victories: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    max_parents: int | None = None
    query_seconds: float = 60.0
    query_memory_mb: int = 4096

    @property
    def is_in_paper(self) -> bool:
        """Whether the paper has it; others are named as beyond it."""
        return not self.title.startswith(BEYOND)

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.then not in AFTERWARDS:
            raise DefinitionError(
                f"{self.name}: expected a kind among {KINDS}, got {self.kind!r}, {self.then!r}."
            )
        names = [source.name for source in self.sources]
        if not names or len(set(names)) != len(names):
            raise DefinitionError(f"{self.name}: expected sources with different names, got {names}.")
        known = load_methods()
        for label in (*self.methods, *(label for source in self.sources for label in source.methods)):
            if label not in known:
                raise DefinitionError(
                    f"{self.name}: method must be one of {', '.join(known)}, got {label!r}."
                )


def load_methods() -> dict[str, Method]:
    """All methods by label."""
    plain = _read(FOLDER / "methods.toml")
    return {label: _made(Method, {"label": label, **entry}, "methods.toml") for label, entry in plain.items()}


def load_experiments(names: tuple[str, ...] = ORDER, folder: Path = FOLDER) -> list[Experiment]:
    """The experiments that are asked for, in the order of the paper."""
    return [load_experiment(folder / f"{name}.toml") for name in ORDER if name in names]


def load_experiment(path: Path) -> Experiment:
    """Read one definition."""
    plain = _read(path)
    sources = tuple(_made(SourceDefinition, entry, path.name) for entry in plain.pop("sources", ()))
    scoring = _made(ScoringRule, plain.pop("scoring", {}), path.name)
    return _made(Experiment, {"name": path.stem, **plain, "sources": sources, "scoring": scoring}, path.name)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(f"{path}: expected TOML ({error}).") from error


def _made(kind: type[Made], plain: Mapping[str, Any], where: str) -> Made:
    """A record of plain data, lists as tuples; names that it does not know are refused."""
    known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    if unknown := set(plain) - known:
        raise DefinitionError(
            f"{where}: expected entries among {', '.join(sorted(known))}; got {', '.join(sorted(unknown))}."
        )
    try:
        return kind(**{name: _frozen(value) for name, value in plain.items()})
    except TypeError as error:
        raise DefinitionError(f"{where}: {error}.") from error


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(one) for one in value)
    return {name: _frozen(one) for name, one in value.items()} if isinstance(value, dict) else value

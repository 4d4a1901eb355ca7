"""All solvers: their names, what they need, take and give.

One line here makes a solver known to ``search``, the command and its help, and the laws in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from treebound._arguments import shown
from treebound.data import nearest
from treebound.solvers._chow_liu import ChowLiu
from treebound.solvers._elidan_gould import ElidanGould
from treebound.solvers._empty import Empty
from treebound.solvers._exact_dp import ExactDp
from treebound.solvers._exact_ilp import ExactIlp
from treebound.solvers._gobnilp import Gobnilp
from treebound.solvers._hc_et import HcEt
from treebound.solvers._ktree import CliquePolicy, KAStar, KGreedy, KMax, OrderSampling
from treebound.solvers._order import OrderSearch
from treebound.solvers._regrow import Regrow
from treebound.solvers._s2 import S2, S2Plus
from treebound.solvers._task import Solver

__all__ = [
    "S2",
    "ChowLiu",
    "CliquePolicy",
    "ElidanGould",
    "Empty",
    "ExactDp",
    "ExactIlp",
    "Gobnilp",
    "HcEt",
    "KAStar",
    "KGreedy",
    "KMax",
    "OrderSampling",
    "OrderSearch",
    "Regrow",
    "S2Plus",
]


class Needs(StrEnum):
    """What a solver cannot do without."""

    BOUND = "bound"  # on the treewidth, or on the states of a bag
    ROWS = "rows"  # the table that the cache was made of


class Takes(StrEnum):
    """What a solver can make use of."""

    CELLS = "max_cells"  # a bound on the joint states of a bag
    ROWS = "data"  # the table, to score further families
    ORDER = "order"  # an insertion order to decode


class Gives(StrEnum):
    """What a solver returns besides the structure."""

    KTREE = "k-tree"  # in which the structure was grown
    PROOF = "proof"  # that no other structure of its order is better
    BOUND = "bound"  # that no structure can exceed, closer and closer


@dataclass(frozen=True)
class Entry:
    """A solver with its default options, and what there is to know about it."""

    solver: Solver
    meaning: str
    needs: tuple[Needs, ...] = (Needs.BOUND,)
    takes: tuple[Takes, ...] = ()
    gives: tuple[Gives, ...] = ()
    is_for_few: bool = False  # variables: more are rejected
    is_bounded: bool = True  # whether its structures keep a bound that is given
    # Of the sets that are scored for it where it has rows: how many parents; None for as many as may be.
    max_parents_scored: int | None = None
    max_parents: int | None = None  # that its structures have
    scores_rows: bool = False  # whether it scores families that the cache does not have, if it has rows
    printed: Solver | None = None  # as the paper has it, if the paper has it


SOLVERS: dict[str, Entry] = {
    entry.solver.name: entry
    for entry in (
        Entry(
            Regrow(),
            "usually the best",
            takes=(Takes.CELLS, Takes.ROWS),
            # Larger sets it scores by itself, where they fit: long lists cost more than they save.
            max_parents_scored=1,
            scores_rows=True,
        ),
        Entry(
            KGreedy(),
            "k-G",
            takes=(Takes.ORDER,),
            gives=(Gives.KTREE,),
            printed=KGreedy.as_printed(),
        ),
        Entry(
            KAStar(),
            "k-A*, optimal for each order",
            takes=(Takes.ORDER,),
            gives=(Gives.KTREE, Gives.PROOF),
            printed=KAStar.as_printed(),
        ),
        Entry(KMax(), "k-MAX", takes=(Takes.ORDER,), gives=(Gives.KTREE,)),
        Entry(
            HcEt(),
            "hill climbing, needs a table",
            needs=(Needs.BOUND, Needs.ROWS),
            takes=(Takes.CELLS, Takes.ROWS),
            max_parents_scored=0,
            scores_rows=True,
        ),
        Entry(OrderSearch(), "WINASOBS, no treewidth limit", needs=(), is_bounded=False),
        Entry(ElidanGould(), "arcs added to the optimal forest", takes=(Takes.ROWS,), scores_rows=True),
        Entry(
            ChowLiu(),
            "the optimal forest",
            needs=(),
            takes=(Takes.CELLS, Takes.ROWS),
            max_parents_scored=0,
            max_parents=1,
            scores_rows=True,
        ),
        Entry(
            S2(),
            "S2, random k-trees",
            takes=(Takes.ROWS,),
            gives=(Gives.KTREE,),
            printed=S2(),
        ),
        Entry(
            S2Plus(),
            "S2+, up to 100 variables",
            takes=(Takes.ROWS,),
            gives=(Gives.KTREE,),
            printed=S2Plus.as_printed(),
        ),
        Entry(
            Gobnilp(),
            "exact, no treewidth limit",
            needs=(),
            gives=(Gives.BOUND,),
            is_bounded=False,
        ),
        Entry(ExactIlp(), "exact, for a few dozen variables", gives=(Gives.BOUND,), is_for_few=True),
        Entry(ExactDp(), "exact, for about a dozen variables", gives=(Gives.BOUND,), is_for_few=True),
        Entry(Empty(), "no arcs, as a baseline", needs=(), takes=(Takes.CELLS,)),
    )
}


def solver_of(solver: Solver | str) -> Solver:
    """Return the solver, which may be given by its name."""
    if not isinstance(solver, str):
        return solver
    if solver not in SOLVERS:
        hint = nearest(solver, SOLVERS) or "."
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {solver!r}{hint}")
    return SOLVERS[solver].solver


def printed_solver(name: str) -> Solver:
    """Return a solver by its name with the options of the paper."""
    if (solver := SOLVERS[name].printed) is None:
        names = ", ".join(name for name, entry in SOLVERS.items() if entry.printed is not None)
        raise ValueError(f"the paper has {names}, got {name}. Choose one of these or drop --paper.")
    return solver


def entry_of(solver: object) -> Entry:
    """Return what is known of a solver; TypeError if it is none."""
    for entry in SOLVERS.values():
        if type(entry.solver) is type(solver):
            return entry
    names = [f"{type(entry.solver).__name__}()" for entry in SOLVERS.values()]
    raise TypeError(f"solver must be {', '.join(names[:-1])} or {names[-1]}, got {shown(solver)}.")


def takers_of(what: Takes) -> str:
    """Return the names of the solvers that take this."""
    return ", ".join(name for name, entry in SOLVERS.items() if what in entry.takes)

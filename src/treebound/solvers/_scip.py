"""SCIP is optional: it is imported when a program is solved, and its absence is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treebound import _core
from treebound.solvers._stopping import stopped_with

if TYPE_CHECKING:
    from pyscipopt import Model

_MAX_SEED = 2**31 - 1
_MAX_NODES = 2**62
_PROVED = ("optimal", "infeasible")


def require_scip(purpose: str) -> None:
    """Raise an error without SCIP, with the command that installs it."""
    try:
        import pyscipopt  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"{purpose} needs PySCIPOpt, which is not installed: pip install pyscipopt",
            name="pyscipopt",
        ) from error


def new_model(seed: int, *, with_general_cuts: bool) -> Model:
    """Return an empty minimisation, silent, whose solutions depend on the seed and the steps alone.

    General cuts are those that SCIP finds for any program.
    """
    from pyscipopt import Model
    from pyscipopt.scip import PY_SCIP_PARAMSETTING

    model = Model()
    model.hideOutput()
    # Handlers of ours are unknown to copies of the program, so heuristics that solve copies find nothing.
    model.setHeuristics(PY_SCIP_PARAMSETTING.OFF)
    if not with_general_cuts:
        model.setSeparating(PY_SCIP_PARAMSETTING.OFF)
    model.setParam("randomization/randomseedshift", seed % _MAX_SEED)
    model.setParam("misc/catchctrlc", False)
    model.setParam("timing/enabled", False)
    # The root decides: its bound comes close to the optimum, and a restart would find the same cuts again.
    model.setParam("presolving/maxrestarts", 0)
    model.setParam("separating/maxroundsroot", -1)
    model.setParam("separating/maxrounds", -1)
    model.setParam("separating/maxstallroundsroot", -1)
    return model


def solve(model: Model, run: _core.Run) -> bool:
    """Solve until the optimum is proved, which is returned, or the run should stop.

    A step is a node of the search tree.
    """
    model.setParam("limits/totalnodes", min(run.max_steps, _MAX_NODES))
    run.num_steps = 1
    if not run.should_stop:
        with stopped_with(run, model.interruptSolve):
            model.optimizeNogil()
        run.num_steps = num_steps(model, run)
    status = model.getStatus()
    run.end(_reason(status, run))
    return status in _PROVED


def num_steps(model: Model, run: _core.Run) -> int:
    """Return the number of nodes so far, of a model that is being solved; what has no node is one step."""
    return min(max(1, int(model.getNTotalNodes())), run.max_steps)


def _reason(status: str, run: _core.Run) -> _core.StopReason:
    if status in _PROVED:
        return _core.StopReason.FINISHED
    if run.stop_requested:
        return _core.StopReason.INTERRUPTED
    by_status = {"totalnodelimit": _core.StopReason.STEPS, "memlimit": _core.StopReason.MEMORY}
    return by_status.get(status, _core.StopReason.SECONDS)

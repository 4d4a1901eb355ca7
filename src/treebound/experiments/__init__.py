"""Experiments: many runs of many solvers, kept in a folder, and the tables that follow from them."""

from treebound.experiments._compare import DEFAULT_BUDGET, compare
from treebound.experiments._execute import Executor
from treebound.experiments._machine import resolve_jobs
from treebound.experiments._records import RunRecord, RunStatus
from treebound.experiments._report import load_comparison, save_comparison
from treebound.experiments._result import ComparisonResult, Summary, Victories, WScore
from treebound.experiments._run_all import run_all
from treebound.experiments._runs import Plan, RunSpec, plan_runs
from treebound.experiments._sources import Scoring, Source, stored_cache, stored_rows
from treebound.experiments._statistics import SIGNIFICANT, SignTest, is_tied, sign_test, w_score
from treebound.experiments._store import ChangedSettings, Store
from treebound.experiments._worker import (
    COMMIT_VARIABLE,
    end_with_parent,
    keep_structure,
    searched,
    uses_rows,
)

__all__ = [
    "COMMIT_VARIABLE",
    "DEFAULT_BUDGET",
    "SIGNIFICANT",
    "ChangedSettings",
    "ComparisonResult",
    "Executor",
    "Plan",
    "RunRecord",
    "RunSpec",
    "RunStatus",
    "Scoring",
    "SignTest",
    "Source",
    "Store",
    "Summary",
    "Victories",
    "WScore",
    "compare",
    "end_with_parent",
    "is_tied",
    "keep_structure",
    "load_comparison",
    "plan_runs",
    "resolve_jobs",
    "run_all",
    "save_comparison",
    "searched",
    "sign_test",
    "stored_cache",
    "stored_rows",
    "uses_rows",
    "w_score",
]

"""Experiments: many networks learned from one table or of many, and the tables that follow from them."""

from treebound.experiments._arc_strength import Bootstrap, ModelAveraging, arc_strength
from treebound.experiments._choose_treewidth import DEFAULT_BUDGET as TUNING_BUDGET
from treebound.experiments._choose_treewidth import CrossValidation, Split, choose_treewidth
from treebound.experiments._compare import DEFAULT_BUDGET, compare
from treebound.experiments._records import RunRecord, RunStatus
from treebound.experiments._report import load_comparison, save_comparison
from treebound.experiments._result import ComparisonResult, Summary, Victories, WScore
from treebound.experiments._run_all import run_all
from treebound.experiments._runs import Plan, RunSpec, plan_runs
from treebound.experiments._sources import Scoring, Source
from treebound.experiments._statistics import SIGNIFICANT, SignTest, is_tied, sign_test, w_score
from treebound.experiments._store import ChangedSettings
from treebound.experiments._strength import Arc, ArcStrength
from treebound.experiments._treewidth_choice import TreewidthChoice, TreewidthRow, Trial

__all__ = [
    "DEFAULT_BUDGET",
    "SIGNIFICANT",
    "TUNING_BUDGET",
    "Arc",
    "ArcStrength",
    "Bootstrap",
    "ChangedSettings",
    "ComparisonResult",
    "CrossValidation",
    "ModelAveraging",
    "Plan",
    "RunRecord",
    "RunSpec",
    "RunStatus",
    "Scoring",
    "SignTest",
    "Source",
    "Split",
    "Summary",
    "TreewidthChoice",
    "TreewidthRow",
    "Trial",
    "Victories",
    "WScore",
    "arc_strength",
    "choose_treewidth",
    "compare",
    "is_tied",
    "load_comparison",
    "plan_runs",
    "run_all",
    "save_comparison",
    "sign_test",
    "w_score",
]
